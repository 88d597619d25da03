import {
  cellSetsAnswer,
  type CellSetsAnswer,
  cellSetsRequest,
  maxCellSets,
  maxComposed,
} from '@cellfolio/contract';
import { cutText } from '@cellfolio/model';
import type { Route } from '../../runtime/http/routes.ts';
import { onAllCells, type SelectionServices, subsetFilter } from '../selection/index.ts';
import type { CellMasks } from './cell-masks.ts';
import type { SetOverlap } from './set-overlap.ts';

export const postCellSets: Route<SelectionServices & { readonly masks: CellMasks }> = async (
  app,
  { services },
) => {
  app.post(
    '/api/cell-sets',
    {
      schema: {
        summary: 'Count the cells in each combination of sets, and have those of some',
        tags: ['datasets'],
        body: cellSetsRequest,
        response: { 200: cellSetsAnswer },
      },
    },
    async (request) =>
      onAllCells(services, request, async ({ manifest, own }, call): Promise<CellSetsAnswer> => {
        const { sets, keep, by } = request.body;
        const kept = new Set(keep?.map(bitsOf));
        const subsets = sets.map((set) => subsetFilter(set));
        const overlap = await services.masks.overlap({ manifest, own }, { subsets, kept, by }, call);
        const combinations = Array.from(overlap.counts, (count, bits) => ({ inside: placesIn(bits), count }));
        const { version } = manifest;
        return {
          dataset_cells: manifest.cellCount,
          counts: [...overlap.sizes],
          combinations: combinations.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count),
          ...(by !== undefined &&
            overlap.composition && { composition: composed(by, overlap.composition, sets.length) }),
          ...(keep && { kept: { count: overlap.keptCells, cells: { version, places: overlap.places } } }),
        };
      }),
  );
};

/** The categories with the most cells in any of the sets, in the order of the column, and the rest combined. */
function composed(
  column: string,
  { categories, colours, counts }: NonNullable<SetOverlap['composition']>,
  sets: number,
): NonNullable<CellSetsAnswer['composition']> {
  const rowOf = (category: number) => [...counts.subarray(category * sets, (category + 1) * sets)];
  const filled = categories
    .map((name, category) => ({
      name: cutText(name),
      colour: colours[category]!,
      cells: rowOf(category),
    }))
    .filter(({ cells }) => cells.some((count) => count > 0));
  const largest = filled.toSorted((a, b) => Math.max(...b.cells) - Math.max(...a.cells));
  const shown = new Set(largest.slice(0, maxComposed));
  const others = filled.filter((one) => !shown.has(one));
  return {
    column,
    categories: filled.filter((one) => shown.has(one)),
    others: {
      categories: others.length,
      cells: Array.from({ length: sets }, (_, set) =>
        others.reduce((sum, { cells }) => sum + cells[set]!, 0),
      ),
    },
    without: rowOf(categories.length),
  };
}

function bitsOf(inside: readonly number[]): number {
  return inside.reduce((bits, place) => bits | (1 << place), 0);
}

function placesIn(bits: number): number[] {
  return Array.from({ length: maxCellSets }, (_, place) => place).filter((place) => bits & (1 << place));
}
