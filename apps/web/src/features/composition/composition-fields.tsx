import type { DatasetAnalysis } from '@cellfolio/contract';
import { columnTitle } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Label } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { NumberField } from '@/features/analyses/index.ts';
import { CellSetField, readChosenSet } from '@/features/cell-sets/index.ts';
import { DesignFields, samplesOf, SideCounts } from '@/features/comparisons/index.ts';
import { ColumnField, columnListQuery } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';
import { type CompositionForm, limitNumber, transformOf, transforms } from './composition-form.ts';

interface CompositionFieldsProps {
  analysis: DatasetAnalysis;
  form: CompositionForm;
  onChange: (change: Partial<CompositionForm>) => void;
}

/** Between which samples, and of what, shares are compared. */
export function CompositionFields({ analysis, form, onChange }: CompositionFieldsProps) {
  const { api } = useServices();
  const dataset = { filename: analysis.dataset_filename, version: analysis.version };
  const columns = useQuery(columnListQuery(api, dataset)).data?.obs ?? [];
  const [a, b] = [readChosenSet(form.a), readChosenSet(form.b)];
  const samples = samplesOf(form, analysis);
  const { field, step, ...limit } = limitNumber;
  return (
    <>
      <CellSetField
        label="A: the cells of interest"
        dataset={dataset}
        value={a}
        onChange={(set) => onChange({ a: set ? JSON.stringify(set) : '' })}
      />
      <CellSetField
        label="B: compared with"
        dataset={dataset}
        value={b}
        none="All other active cells"
        onChange={(set) => onChange({ b: set ? JSON.stringify(set) : '' })}
      />
      {a !== undefined && <SideCounts dataset={dataset} a={a} b={b} />}
      <ColumnField
        label="Shares of"
        columns={columns}
        chosen={form.by}
        none="Cell types, or clusters"
        onChoose={(by) => onChange({ by })}
      />
      <div className="flex min-w-0 flex-col gap-1.5">
        <ColumnField
          label="Samples"
          columns={columns}
          chosen={form.samples}
          none={analysis.samples ? `${columnTitle(analysis.samples.column)} (detected)` : 'Not known'}
          onChoose={(chosen) => onChange({ samples: chosen })}
        />
        <p className={samples === undefined ? 'text-warning text-xs' : 'text-muted text-xs'}>
          {samples === undefined
            ? 'Choose the column that says which sample a cell is from: samples are the replicates.'
            : `${columnTitle(samples.column)}: ${samples.reason}. Samples are the replicates.`}
        </p>
      </div>
      <TransformField form={form} onChange={onChange} />
      <DesignFields columns={columns} form={form} onChange={onChange} />
      <NumberField
        parameter={limit}
        step={step}
        value={form[field]}
        onChange={(value) => onChange({ [field]: value })}
      />
    </>
  );
}

/** The scale on which shares are compared, and why. */
function TransformField({ form, onChange }: Omit<CompositionFieldsProps, 'analysis'>) {
  const id = useId();
  const { value, reason } = transformOf(form);
  return (
    <div className="flex flex-col gap-1.5">
      <Label htmlFor={id}>Scale</Label>
      <Select value={value} onValueChange={(transform) => onChange({ transform })}>
        <SelectTrigger id={id} aria-describedby={`${id}-reason`}>
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          {transforms.map((transform) => (
            <SelectItem key={transform.value} value={transform.value}>
              {transform.label}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
      <p id={`${id}-reason`} className="text-muted text-xs">
        {reason}
      </p>
    </div>
  );
}
