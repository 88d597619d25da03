import type { DatasetAnalysis } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { Field, Input } from '@/components/ui/form.tsx';
import { ChoiceField, ComponentsNote, NumberField } from '@/features/analyses/index.ts';
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
  const { api } = useServices();
  const dataset = { filename: analysis.dataset_filename, version: analysis.version };
  const list = useQuery(columnListQuery(api, dataset)).data;
  const by = rootByOf(form);
  return (
    <>
      <ComponentsNote analysis={analysis} what="the order" />
      <ColumnField
        label="Group By"
        columns={list?.obs ?? []}
        chosen={form.groupBy}
        none="Choose a column"
        required
        onChoose={(groupBy) => onChange({ groupBy, rootGroup: '' })}
      />
      <ChoiceField
        label="Root, where pseudotime is 0"
        choices={rootChoices}
        value={by}
        onChange={(rootBy) => onChange({ rootBy })}
      />
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
  const { api } = useServices();
  const source = form.groupBy === '' ? undefined : ({ from: 'obs', name: form.groupBy } as const);
  const values = useQuery(valuesQuery(api, dataset, source, undefined)).data;
  const groups = values?.kind === 'categories' ? values.categories.filter((name) => name !== '') : [];
  return (
    <ChoiceField
      label="Group of the root"
      choices={groups.map((name) => ({ value: name, label: name }))}
      value={groups.includes(form.rootGroup) ? form.rootGroup : ''}
      onChange={(rootGroup) => onChange({ rootGroup })}
      placeholder={form.groupBy === '' ? 'Choose a column first' : 'Choose a group'}
    />
  );
}
