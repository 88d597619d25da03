import type { DatasetAnalysis } from '@cellfolio/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Field, Input } from '@/components/ui/form.tsx';
import { toast } from '@/components/ui/toast.ts';
import { ChoiceField, ComponentsNote, NumberFields } from '@/features/analyses/index.ts';
import { cellQuery, ColumnField, columnListQuery, PickOnMap } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';
import { GraphField } from './graph-field.tsx';
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

export function TrajectoryFields({ analysis, form, onChange }: TrajectoryFieldsProps) {
  return (
    <>
      <OrderFields analysis={analysis} form={form} onChange={onChange} />
      <CurveGenesField genes={form.genes} onChange={(genes) => onChange({ genes })} followed="pseudotime" />
      <p className="text-muted text-xs">
        Every cell gets a pseudotime, even outside the process: activate a subset of one lineage first.
      </p>
    </>
  );
}

interface OrderFieldsProps {
  analysis: DatasetAnalysis;
  form: OrderForm;
  onChange: (change: Partial<OrderForm>) => void;
}

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
        <RootCellField
          dataset={dataset}
          barcode={form.rootCell}
          onChange={(rootCell) => onChange({ rootCell })}
        />
      )}
      <GraphField graph={form.graph} onChange={(graph) => onChange({ graph })} />
      <NumberFields numbers={orderNumbers} form={form} onChange={onChange} />
    </>
  );
}

interface RootCellFieldProps {
  dataset: { filename: string; version: string };
  barcode: string;
  onChange: (barcode: string) => void;
}

function RootCellField({ dataset, barcode, onChange }: RootCellFieldProps) {
  const { api } = useServices();
  const client = useQueryClient();
  const take = async (place: number) => {
    try {
      const cell = await client.fetchQuery(cellQuery(api, dataset, { place, genes: [], obs: [] }));
      onChange(cell.barcode);
    } catch (error) {
      console.warn('The barcode of a cell could not be read.', error);
      toast.error('Error', {
        description: 'The cell could not be read. Click it again, or type its barcode.',
      });
    }
  };
  return (
    <>
      <Field label="Barcode of the root">
        {(control) => (
          <Input
            {...control}
            value={barcode}
            maxLength={500}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <PickOnMap
        filename={dataset.filename}
        label="Click the cell on the map"
        pick={{
          of: 'cell',
          prompt: 'Click the cell where pseudotime is 0.',
          onPicked: (place) => void take(place),
        }}
      />
    </>
  );
}

interface CurveGenesFieldProps {
  genes: string;
  onChange: (genes: string) => void;
  followed: string;
}

export function CurveGenesField({ genes, onChange, followed }: CurveGenesFieldProps) {
  return (
    <Field
      label="Genes of the curves"
      optional
      hint={`Names separated by commas. Empty: the genes most correlated with ${followed} are drawn.`}
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
