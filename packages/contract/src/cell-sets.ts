import { z } from 'zod';
import { dataName, selectedCells } from '@cellfolio/model/names';
import { caution } from '@cellfolio/model/caution';
import { filterRequest } from './subsets.ts';

export const maxCellSets = 6;
/** Maximum categories of a composition; cells of further ones are counted together. */
export const maxComposed = 60;

const cells = z.number().int();
const inside = z
  .array(
    z
      .int()
      .min(0)
      .max(maxCellSets - 1),
  )
  .max(maxCellSets)
  .describe('Places of the sets that the cells are in, in `sets`; they are in no other of these.');

/** `POST /api/cell-sets`: overlap of sets of cells of the open dataset, and the cells of one combination. */
export const cellSetsRequest = z
  .object({
    sets: z
      .array(filterRequest)
      .min(2, 'Name at least two sets.')
      .max(maxCellSets, `At most ${maxCellSets} sets are compared at once.`)
      .describe('Each as a filter; one that is called `Default` is all cells.'),
    keep: z
      .array(inside)
      .min(1)
      .max(2 ** maxCellSets)
      .optional()
      .describe('Combinations whose cells are wanted, together.'),
    by: dataName.optional().describe('A column of obs whose categories are counted in each set.'),
  })
  .meta({ id: 'CellSetsRequest' });

export const cellSetsAnswer = z
  .object({
    dataset_cells: cells,
    counts: z.array(cells).describe('Cells of each set.'),
    combinations: z
      .array(z.object({ inside, count: cells }))
      .describe('Every combination that has cells, those in none of the sets too; the largest first.'),
    composition: z
      .object({
        column: z.string(),
        categories: z
          .array(
            z.object({
              name: z.string(),
              colour: z.string().describe('As figures have it.'),
              cells: z.array(cells).describe('In each set.'),
            }),
          )
          .describe(
            `In the order of the column, at most ${maxComposed}: those with the most cells in any set.`,
          ),
        others: z.object({
          categories: z.number().int().describe('Further categories that have cells in the sets.'),
          cells: z.array(cells).describe('Of these, in each set.'),
        }),
        without: z.array(cells).describe('Cells of each set in no category.'),
      })
      .optional()
      .describe('What the sets are made of, where `by` asks for it.'),
    kept: z
      .object({ count: cells, cells: selectedCells })
      .optional()
      .describe('The cells of `keep`, for a filter.'),
    warnings: z
      .array(caution)
      .optional()
      .describe('Those of the filters, each once, such as genes that were found by another name.'),
  })
  .meta({ id: 'CellSets' });
export type CellSetsAnswer = z.infer<typeof cellSetsAnswer>;
