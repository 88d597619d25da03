import { combinationCounts, setCombinations, setComposition } from '@cellfolio/analysis';
import { encodeCells } from '@cellfolio/columns';
import type { CellMask } from '@cellfolio/model';
import { categoryColours, columnPalette } from '@cellfolio/figures';
import type { Dataset } from '@cellfolio/store';
import { mapOrderOf } from '../../runtime/compute/map-order.ts';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';

export interface SetOverlapTask extends Task<SetOverlap> {
  kind: 'set-overlap';
  dataset: DatasetRef;
  /** Undefined for all cells. */
  sets: readonly (CellMask | undefined)[];
  /** Bits of the combinations whose cells are requested. */
  keptBits: ReadonlySet<number>;
  by: string | undefined;
}

export interface SetOverlap {
  /** Indexed by the bits of the combination. */
  counts: Uint32Array;
  places: string;
  keptCells: number;
  composition: SetsByCategory | undefined;
}

/** Counts in the layout of `setComposition`. */
interface SetsByCategory {
  categories: readonly string[];
  colours: readonly string[];
  counts: Uint32Array;
}

async function overlapOf({ sets, keptBits, by }: SetOverlapTask, dataset: Dataset): Promise<SetOverlap> {
  const { cellCount } = dataset.manifest;
  const combinations = setCombinations(sets, cellCount);
  const counts = combinationCounts(combinations, sets.length);
  let composition: SetsByCategory | undefined;
  if (by !== undefined) {
    const column = await categoricalColumn(dataset, by);
    composition = {
      categories: column.categories,
      colours: categoryColours(column, columnPalette(by, dataset.manifest.roles)),
      counts: setComposition(combinations, sets.length, column),
    };
  }
  if (keptBits.size === 0) return { counts, places: '', keptCells: 0, composition };
  const isKept = Uint8Array.from(counts, (_, combination) => Number(keptBits.has(combination)));
  const order = await mapOrderOf(dataset);
  const bits = new Uint8Array(Math.ceil(cellCount / 8));
  for (let place = 0; place < cellCount; place++) {
    bits[place >> 3]! |= isKept[combinations[order[place]!]!]! << (place & 7);
  }
  const keptCells = counts.reduce((sum, count, combination) => sum + count * isKept[combination]!, 0);
  return { counts, places: encodeCells(bits, cellCount), keptCells, composition };
}

export const cellSetTasks = [
  taskKind<SetOverlapTask>('set-overlap', (task, { dataset }) => overlapOf(task, dataset)),
];
