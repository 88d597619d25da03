import type { PositionColumn } from '@cellfolio/columns';
import { useQuery } from '@tanstack/react-query';
import { useContext, useSyncExternalStore } from 'react';
import { useServices } from '@/lib/services.ts';
import type { CellSelection } from './cell-bits.ts';
import { positionsQuery } from './map-columns.ts';
import { type ChosenEmbedding, MapStoresContext } from './map-store.ts';

/** Mean position of selected cells in embedding coordinates; undefined if none of them has a position. */
export function centreOfSelection(
  { positions, origin, step, unplaced, cells }: PositionColumn,
  { bits }: CellSelection,
): readonly [number, number] | undefined {
  const isSet = (of: Uint8Array, cell: number) => (of[cell >> 3]! & (1 << (cell & 7))) !== 0;
  let [x, y, count] = [0, 0, 0];
  for (let cell = 0; cell < cells; cell++) {
    if (!isSet(bits, cell) || (unplaced && isSet(unplaced, cell))) continue;
    x += positions[2 * cell]!;
    y += positions[2 * cell + 1]!;
    count++;
  }
  return count === 0 ? undefined : [origin[0] + (step * x) / count, origin[1] + (step * y) / count];
}

const never = () => () => {};

export function useSelectionCentre(
  dataset: { filename: string; version: string },
  embedding: ChosenEmbedding | undefined,
): { count: number; centre: readonly [number, number] | undefined } | undefined {
  const { api } = useServices();
  const store = useContext(MapStoresContext)?.(dataset.filename);
  const selection = useSyncExternalStore(store?.subscribe ?? never, () => store?.state.selection ?? null);
  const positions = useQuery(positionsQuery(api, dataset, selection === null ? undefined : embedding)).data;
  if (selection === null) return undefined;
  return { count: selection.count, centre: positions && centreOfSelection(positions, selection) };
}
