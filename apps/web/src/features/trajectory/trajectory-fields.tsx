import type { DatasetAnalysis } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { Field, Input } from '@/components/ui/form.tsx';
import { ChoiceField, ComponentsNote, NumberFields } from '@/features/analyses/index.ts';
import { ColumnField, columnListQuery } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';
import { GroupField } from './group-field.tsx';
import {
  genesProblem,
  type OrderForm,
  orderNumbers,
  rootByOf,
  rootChoices,
  type TrajectoryForm,
} from './trajectory-form.ts';

interface TrajectoryFieldsProps {
  analysis: DatasetAnalysis;
  form: TrajectoryForm;
  onChange: (change: Partial<TrajectoryForm>) => void;
}

/** Which groups are joined, where the order begins, and what the graph is made of. */
export function TrajectoryFields({ analysis, form, onChange }: TrajectoryFieldsProps) {
  return (
    <>
      <OrderFields analysis={analysis} form={form} onChange={onChange} />
      <CurveGenesField genes={form.genes} onChange={(genes) => onChange({ genes })} followed="pseudotime" />
      <p className="text-muted text-xs">
        Every cell gets a pseudotime, whether or not it takes part in a process: make a subset of one lineage
        the active one first.
      </p>
    </>
  );
}

interface OrderFieldsProps {
  analysis: DatasetAnalysis;
  form: OrderForm;
  onChange: (change: Partial<OrderForm>) => void;
}

/** How cells are ordered by pseudotime. */
export function OrderFields({ analysis, form, onChange }: OrderFieldsProps) {
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
      {by === 'group' && (
        <GroupField
          label="Group of the root"
          dataset={dataset}
          column={form.groupBy}
          group={form.rootGroup}
          onChange={(rootGroup) => onChange({ rootGroup })}
        />
      )}
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
      <NumberFields numbers={orderNumbers} form={form} onChange={onChange} />
    </>
  );
}

interface CurveGenesFieldProps {
  /** As typed. */
  genes: string;
  onChange: (genes: string) => void;
  /** What the genes are correlated with. */
  followed: string;
}

/** Genes that have curves along an axis. */
export function CurveGenesField({ genes, onChange, followed }: CurveGenesFieldProps) {
  return (
    <Field
      label="Genes of the curves"
      optional
      hint={`Names with commas between them. Without any, the genes most correlated with ${followed} are drawn.`}
      error={genesProblem({ genes })}
    >
      {(control) => (
        <Input
          {...control}
          value={genes}
          maxLength={6000}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
