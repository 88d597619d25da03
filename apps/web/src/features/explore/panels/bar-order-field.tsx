import { useQuery } from '@tanstack/react-query';
import { ChoiceLine } from '@/components/choice-line.tsx';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import { valuesQuery } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';
import type { Exploration } from '../use-exploration.ts';
import { barOrders, type BarOrder } from './group-figures.ts';

const options = barOrders.map(({ order, label }) => ({ value: order, label }));
/** A longer list of this kind is not searchable. */
const maxOptions = 500;

interface BarOrderFieldProps {
  exploration: Pick<Exploration, 'analysis' | 'filename'>;
  parts: string;
  isNumeric: boolean;
  order: BarOrder;
  onOrder: (order: BarOrder) => void;
  part: string;
  onPart: (part: string) => void;
}

export function BarOrderField({
  exploration: { analysis, filename },
  parts,
  isNumeric,
  order,
  onOrder,
  part,
  onPart,
}: BarOrderFieldProps) {
  const { api } = useServices();
  const isPartOrder = order === 'part' && parts !== '' && !isNumeric;
  const source = isPartOrder ? ({ from: 'obs', name: parts } as const) : undefined;
  const column = useQuery(valuesQuery(api, { filename, version: analysis.version }, source, undefined));
  const called = useCategoryNames(filename).ofColumn;
  const { cell_types: typeColumn, leiden_clusters: clusterColumn } = analysis.columns;
  const shown = parts === '' ? (analysis.cell_types.length > 0 ? typeColumn : clusterColumn) : parts;
  const own = analysis.cell_types.length > 0 ? analysis.cell_types : analysis.leiden_clusters;
  const names =
    parts === '' ? own : isPartOrder && column.data?.kind === 'categories' ? column.data.categories : [];
  return (
    <>
      <ChoiceLine label="Sort bars by" options={options} chosen={order} onChoose={onOrder} />
      {order === 'part' && (
        <ChoiceLine
          label="Part"
          options={names
            .slice(0, maxOptions)
            .flatMap((name) => (name === '' ? [] : { value: name, label: called(shown, name) }))}
          chosen={part}
          placeholder={isPartOrder && column.isPending ? 'Loading...' : 'Choose a part'}
          onChoose={onPart}
        />
      )}
      {order === 'part' && isNumeric && (
        <p className="text-muted text-xs">
          Numeric parts have no names to choose from: sort by the share of the largest part.
        </p>
      )}
      {order === 'part' && column.isError && (
        <p role="alert" className="text-danger text-xs">
          The parts could not be loaded. Choose another order, or try again later.
        </p>
      )}
    </>
  );
}
