import { speciesName } from '@cellfolio/contract';
import { useId } from 'react';
import { Field, Input, Label, Textarea } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { numberOrZero } from '@/features/analyses/index.ts';
import { counted } from '@/lib/format.ts';
import type { EnrichmentForm } from './enrichment-form.ts';
import {
  backgroundChoices,
  enrichmentDefaults,
  enrichmentProblems,
  readGeneList,
} from './enrichment-form.ts';

interface EnrichmentBackgroundFieldsProps {
  form: EnrichmentForm;
  onChange: (change: Partial<EnrichmentForm>) => void;
}

/** What the list is tested against, and which sets are reported. */
export function EnrichmentBackgroundFields({ form, onChange }: EnrichmentBackgroundFieldsProps) {
  const id = useId();
  const problems = enrichmentProblems(form);
  const chosen = backgroundChoices.find(({ value }) => value === form.background) ?? backgroundChoices[0];
  const number = (field: 'minimumShare' | 'minimumCells' | 'minimumOverlap', label: string, step: number) => (
    <Field label={label} error={problems[field]} className="[&_label]:text-xs">
      {(control) => (
        <Input
          {...control}
          type="number"
          inputMode="decimal"
          min={field === 'minimumShare' ? 0 : 1}
          max={field === 'minimumShare' ? 100 : undefined}
          step={step}
          value={form[field]}
          onChange={(event) => onChange({ [field]: event.target.value })}
          onBlur={() => onChange({ [field]: String(numberOrZero(form[field])) })}
        />
      )}
    </Field>
  );
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-background`}>Background</Label>
        <Select value={chosen.value} onValueChange={(background) => onChange({ background })}>
          <SelectTrigger id={`${id}-background`} aria-describedby={`${id}-background-about`}>
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {backgroundChoices.map(({ value, label }) => (
              <SelectItem key={value} value={value}>
                {label}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
        <p
          id={`${id}-background-about`}
          className={chosen.value === 'dataset' ? 'text-warning text-xs' : 'text-muted text-xs'}
        >
          {chosen.about}
        </p>
      </div>
      {chosen.value === 'expressed' && (
        <div className="grid grid-cols-2 items-start gap-2">
          {number('minimumShare', 'Minimum % of Cells', 0.5)}
          {number('minimumCells', 'Minimum Cells', 1)}
        </div>
      )}
      {chosen.value === 'own' && (
        <Field
          label="Background Genes"
          hint={`${counted(readGeneList(form.ownBackground).length, 'unique gene')}, at most 60,000.`}
          error={form.ownBackground === '' ? undefined : problems.ownBackground}
        >
          {(control) => (
            <Textarea
              {...control}
              value={form.ownBackground}
              spellCheck={false}
              autoCapitalize="characters"
              className="max-h-48 min-h-20 text-[13px]"
              onChange={(event) => onChange({ ownBackground: event.target.value })}
            />
          )}
        </Field>
      )}
      <div className="grid grid-cols-2 items-start gap-2">
        {number('minimumOverlap', 'Minimum Overlap', 1)}
        <SpeciesField species={form.species} onChange={(species) => onChange({ species })} />
      </div>
      <p className="text-muted text-xs">
        Sets that share fewer than {form.minimumOverlap || enrichmentDefaults.minimumOverlap} genes with the
        list are not reported, but count in the adjustment of the p-values.
      </p>
    </>
  );
}

/** For the rare dataset whose names of genes mislead. */
function SpeciesField({ species, onChange }: { species: string; onChange: (species: string) => void }) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <Label htmlFor={id} className="text-xs">
        Species of the Dataset
      </Label>
      <Select
        value={species === '' ? 'detect' : species}
        onValueChange={(value) => onChange(value === 'detect' ? '' : value)}
      >
        <SelectTrigger id={id}>
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value="detect">Detect</SelectItem>
          {speciesName.options.map((name) => (
            <SelectItem key={name} value={name}>
              {name[0]?.toUpperCase()}
              {name.slice(1)}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </div>
  );
}
