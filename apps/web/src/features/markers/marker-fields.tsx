import type { DatasetAnalysis } from '@cellfolio/contract';
import { useId, useMemo } from 'react';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Field, Input, Label } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { numberOrZero } from '@/features/analyses/index.ts';
import { formatCount } from '@/lib/format.ts';
import type { MarkerForm } from './marker-form.ts';
import { groupChoices, markerNumbers, markerProblems } from './marker-form.ts';

interface MarkerFieldsProps {
  analysis: DatasetAnalysis;
  form: MarkerForm;
  onChange: (change: Partial<MarkerForm>) => void;
}

/** Parameters of a marker analysis. */
export function MarkerFields({ analysis, form, onChange }: MarkerFieldsProps) {
  const id = useId();
  const choices = useMemo(() => groupChoices(analysis), [analysis]);
  const problems = markerProblems(form);
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-group`}>Group By</Label>
        <Select
          // One that is remembered from before may be gone from the dataset.
          value={choices.some(({ value }) => value === form.groupBy) ? form.groupBy : ''}
          onValueChange={(groupBy) => onChange({ groupBy })}
          disabled={choices.length === 0}
        >
          <SelectTrigger id={`${id}-group`}>
            <SelectValue placeholder="Choose a column" />
          </SelectTrigger>
          <SelectContent>
            {choices.map(({ value, label, groups }) => (
              <SelectItem key={value} value={value}>
                {label} ({formatCount(groups)})
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
        {choices.length === 0 && (
          <p className="text-muted text-xs">This dataset has no column of groups to compare.</p>
        )}
      </div>
      <div className="grid grid-cols-2 gap-2">
        {markerNumbers.map(({ field, label, step, min, max }) => (
          <Field key={field} label={label} error={problems[field]} className="[&_label]:text-xs">
            {(control) => (
              <Input
                {...control}
                type="number"
                inputMode="decimal"
                step={step}
                min={min}
                max={max}
                value={form[field]}
                onChange={(event) => onChange({ [field]: event.target.value })}
                onBlur={() => onChange({ [field]: String(numberOrZero(form[field])) })}
              />
            )}
          </Field>
        ))}
      </div>
      <div className="flex items-start gap-2">
        <Checkbox
          id={`${id}-unlabelled`}
          checked={form.unlabelled === 'left-out'}
          onCheckedChange={(next) => onChange({ unlabelled: next === true ? 'left-out' : 'reference' })}
        />
        <Label htmlFor={`${id}-unlabelled`} className="text-xs font-normal">
          Leave out cells without a label. Otherwise they are part of the reference, as in scanpy.
        </Label>
      </div>
    </>
  );
}
