import { sideName } from '@cellfolio/figures/content';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type CategoryNames, useCategoryNames } from '@/features/category-displays/index.ts';
import { useServices } from '@/lib/services.ts';
import type { MapDataset } from './map-columns.ts';
import { cellQuery } from './map-columns.ts';
import type { MapStore } from './map-store.ts';
import { useMapState } from './map-store.ts';
import type { PairSources } from './pair-layer.ts';
import type { LoadedMap } from './use-map-layer.ts';

/** Milliseconds that the pointer rests on a cell before its exact values are requested. */
const rest = 60;

interface HoveredCellProps {
  map: LoadedMap;
  store: MapStore;
  card: string;
  dataset: MapDataset;
}

export function HoveredCell({ map, store, card, dataset }: HoveredCellProps) {
  const place = useMapState(store, (state) => state.hovered);
  const isHere = useMapState(store, (state) => state.hoveredCard === card);
  const { api } = useServices();
  const resting = useResting(place);
  const names = useCategoryNames(dataset.filename);
  const { genes, obs } = map.scene.valuesOfMaps(map.list);
  const exact = useQuery({
    ...cellQuery(api, dataset, { place: resting, genes, obs }),
    enabled: resting >= 0 && resting === place,
  });
  if (place < 0) return null;
  const cell = resting === place ? exact.data : undefined;
  const roleValues = map.list.obs
    .filter(({ role }) => role === 'cellType' || role === 'cluster')
    .flatMap(({ name, title }) => {
      const value = cell?.obs.find((one) => one.name === name)?.value;
      return value === undefined || value === null ? [] : [`${title} ${names.ofColumn(name, String(value))}`];
    });
  return (
    <div className="bg-surface/90 pointer-events-none absolute bottom-1.5 left-1.5 z-10 max-w-[calc(100%-0.75rem)] rounded border px-2 py-1 text-[11px] leading-4 shadow-sm">
      <p className="truncate font-medium tabular-nums">{ownValue(map, { place, cell, names })}</p>
      {isHere && roleValues.length > 0 && <p className="text-muted truncate">{roleValues.join(' · ')}</p>}
      {isHere && cell !== undefined && <p className="text-muted truncate">{cell.barcode}</p>}
    </div>
  );
}

type ExactCell = { genes: { name: string; value: number }[]; obs: { name: string; value: unknown }[] };

const format = new Intl.NumberFormat('en', { maximumSignificantDigits: 5 });

/** Exact values of two genes or complexes; a complex has the value of its least expressed subunit. */
function pairValues({ first, second }: PairSources, cell: ExactCell | undefined): string {
  const textOf = (genes: PairSources['first']) => {
    const names = genes.map((gene) => ('name' in gene ? gene.name : ''));
    const values = names.map((name) => cell?.genes.find((one) => one.name === name)?.value ?? NaN);
    const minimum = Math.min(...values);
    return `${sideName(names)} ${Number.isNaN(minimum) ? '…' : format.format(minimum)}`;
  };
  return `${textOf(first)} · ${textOf(second)}`;
}

/** Name of the cell's category, or its value; `≈` if the exact value is not known (yet). */
function ownValue(
  { source, codes, values, pair, figure, layer, legend }: LoadedMap,
  { place, cell, names }: { place: number; cell: ExactCell | undefined; names: CategoryNames },
) {
  if (pair !== undefined) return pairValues(pair, cell);
  if (values === undefined) {
    const code = codes?.codes[place] ?? 0;
    const entry = legend.find(({ slot }) => slot === layer.slots[place]);
    const column = source?.from === 'obs' ? source.name : undefined;
    return code > 0 ? names.ofColumn(column, codes!.categories[code - 1]!) : (entry?.label ?? '');
  }
  const title = figure.title;
  const exact =
    source?.from === 'gene'
      ? cell?.genes.find(({ name }) => name === source.name)?.value
      : source?.from === 'obs'
        ? cell?.obs.find(({ name }) => name === source.name)?.value
        : undefined;
  if (typeof exact === 'number') return `${title} ${format.format(exact)}`;
  const near = values.column.values[values.column.levels[place]!]!;
  return Number.isNaN(near)
    ? `${title}: no value`
    : `${title} ≈ ${format.format(Number(near.toPrecision(3)))}`;
}

function useResting(place: number): number {
  const [resting, setResting] = useState(-1);
  useEffect(() => {
    const timer = setTimeout(() => setResting(place), rest);
    return () => clearTimeout(timer);
  }, [place]);
  return resting;
}
