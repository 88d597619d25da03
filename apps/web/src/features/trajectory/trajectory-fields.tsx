import type { DatasetAnalysis } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Field, Input, Label } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { NumberField } from '@/features/analyses/index.ts';
import { ColumnField, columnListQuery, valuesQuery } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';
import {
  genesProblem,
  rootByOf,
  rootChoices,
  type TrajectoryForm,
  trajectoryNumbers,
} from './trajectory-form.ts';

interface TrajectoryFieldsProps {
  analysis: DatasetAnalysis;
  form: TrajectoryForm;
  onChange: (change: Partial<TrajectoryForm>) => void;
}

/** Which groups are joined, where the order begins, and what the graph is made of. */
export function TrajectoryFields({ analysis, form, onChange }: TrajectoryFieldsProps) {
  const id = useId();
  const { api } = useServices();
  const dataset = { filename: analysis.dataset_filename, version: analysis.version };
  const list = useQuery(columnListQuery(api, dataset)).data;
  const by = rootByOf(form);
  return (
    <>
      {list !== undefined && !list.embeddings.some(({ name }) => name === 'X_pca') && (
        <p role="note" className="text-warning text-xs">
          This dataset has no principal components (X_pca), and the order is made of them. Add them with
          scanpy’s pp.pca and upload the file again, or upload raw counts.
        </p>
      )}
      <ColumnField
        label="Group By"
        columns={list?.obs ?? []}
        chosen={form.groupBy}
        none="Choose a column"
        required
        onChoose={(groupBy) => onChange({ groupBy, rootGroup: '' })}
      />
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-root`}>Root, where pseudotime is 0</Label>
        <Select value={by} onValueChange={(rootBy) => onChange({ rootBy })}>
          <SelectTrigger id={`${id}-root`}>
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {rootChoices.map(({ value, label }) => (
              <SelectItem key={value} value={value}>
                {label}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      </div>
      {by === 'group' && <RootGroup dataset={dataset} form={form} onChange={onChange} />}
      {by === 'cell' && (
        <Field label="Barcode of the root" hint="Point at a cell of the live map to see its barcode.">
          {(control) => (
            <Input
              {...control}
              value={form.rootCell}
              maxLength={500}
              onChange={(event) => onChange({ rootCell: event.target.value })}
            />
          )}
        </Field>
      )}
      <Field
        label="Genes of the curves"
        optional
        hint="Names with commas between them. Without any, the genes most correlated with pseudotime are drawn."
        error={genesProblem(form)}
      >
        {(control) => (
          <Input
            {...control}
            value={form.genes}
            maxLength={6000}
            onChange={(event) => onChange({ genes: event.target.value })}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-2">
        {trajectoryNumbers.map(({ field, step, ...parameter }) => (
          <NumberField
            key={field}
            parameter={parameter}
            step={step}
            value={form[field]}
            onChange={(value) => onChange({ [field]: value })}
          />
        ))}
      </div>
      <p className="text-muted text-xs">
        Every cell gets a pseudotime, whether or not it takes part in a process: make a subset of one lineage
        the active one first.
      </p>
    </>
  );
}

/** A group of the column that the cells are grouped by. */
function RootGroup({
  dataset,
  form,
  onChange,
}: Pick<TrajectoryFieldsProps, 'form' | 'onChange'> & { dataset: { filename: string; version: string } }) {
  const id = useId();
  const { api } = useServices();
  const source = form.groupBy === '' ? undefined : ({ from: 'obs', name: form.groupBy } as const);
  const values = useQuery(valuesQuery(api, dataset, source, undefined)).data;
  const groups = values?.kind === 'categories' ? values.categories.filter((name) => name !== '') : [];
  return (
    <div className="flex flex-col gap-1.5">
      <Label htmlFor={`${id}-group`}>Group of the root</Label>
      <Select
        value={groups.includes(form.rootGroup) ? form.rootGroup : ''}
        onValueChange={(rootGroup) => onChange({ rootGroup })}
        disabled={groups.length === 0}
      >
        <SelectTrigger id={`${id}-group`}>
          <SelectValue placeholder={form.groupBy === '' ? 'Choose a column first' : 'Choose a group'} />
        </SelectTrigger>
        <SelectContent>
          {groups.map((name) => (
            <SelectItem key={name} value={name}>
              {name}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </div>
  );
}
