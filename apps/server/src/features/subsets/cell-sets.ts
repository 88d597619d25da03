import { cellSetsAnswer, type CellSetsAnswer, cellSetsRequest, maxCellSets } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells, type SelectionServices, subsetFilter } from '../selection/index.ts';
import type { CellMasks } from './cell-masks.ts';

/** Compares sets of cells of the open dataset; the active cells stay as they are. */
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
      onActiveCells(services, request, async ({ manifest, own }, waiting): Promise<CellSetsAnswer> => {
        const { sets, keep } = request.body;
        const kept = new Set(keep?.map(bitsOf));
        const subsets = sets.map((set) => subsetFilter(set));
        const overlap = await services.masks.overlap({ manifest, own }, { subsets, kept }, waiting);
        const combinations = Array.from(overlap.counts, (count, bits) => ({ inside: placesIn(bits), count }));
        const { version } = manifest;
        return {
          dataset_cells: manifest.cellCount,
          counts: [...overlap.sizes],
          combinations: combinations.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count),
          ...(keep && { kept: { count: overlap.keptCells, cells: { version, places: overlap.places } } }),
        };
      }),
  );
};

function bitsOf(inside: readonly number[]): number {
  return inside.reduce((bits, place) => bits | (1 << place), 0);
}

function placesIn(bits: number): number[] {
  return Array.from({ length: maxCellSets }, (_, place) => place).filter((place) => bits & (1 << place));
}
