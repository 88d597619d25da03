import { comparisonParameters, endsParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { comparisonAnswer } from './comparisons.ts';
import { chosenCells } from './subsets.ts';

const { samples, min_sample_cells, pvals_adj, logfoldchanges } = comparisonParameters.shape;

/**
 * `POST /api/perform-decile-analysis`: compares the cells with the highest values of a quantity with those with the
 * lowest.
 */
export const decileRequest = endsParameters
  .extend({
    method: z
      .enum(['pseudobulk', 'wilcoxon'])
      .optional()
      .describe(
        '`pseudobulk` compares both ends of each sample as a pair; `wilcoxon` is a test of single cells. Absent for pseudobulk where samples and raw counts are known.',
      ),
    samples: samples.describe(
      'The column of obs that says which sample a cell is from: cells are ranked within each. Absent for the one that is known of the dataset; where none is, all cells are ranked together.',
    ),
    min_sample_cells: min_sample_cells.meta({
      title: 'Min. Cells per End',
      description: 'A sample with fewer cells in an end is left out.',
    }),
    pvals_adj,
    logfoldchanges,
    cells: chosenCells.optional(),
  })
  .meta({ id: 'DecileRequest' });
export type DecileRequest = z.input<typeof decileRequest>;

const count = z.number().int();
const share = z.number().describe('From 0 to 1.');
const bound = z.number().nullable();

const end = z.object({
  cells: count.describe('Cells in the end, of all samples that are compared.'),
  share: share.describe(
    'Of the ranked cells of these samples: more than was asked for where values are tied.',
  ),
  tied: count.describe('Cells tied with the last one taken, which no rank tells apart.'),
});

const ofSample = z.object({
  name: z.string().describe('Empty where cells are of no known sample.'),
  cells: count.describe('Cells that were ranked.'),
  high: count,
  low: count,
  high_from: bound.describe('Least value of the high end; `null` where it has no cell.'),
  low_to: bound.describe('Greatest value of the low end.'),
});

const composition = z.object({
  column: z.string().describe('The column of obs: cell types, else clusters.'),
  distance: share.describe('Total variation distance of the shares of both ends: 0 where they are alike.'),
  unlabelled: z.object({ high: count, low: count }),
  groups: z.array(
    z.object({ name: z.string(), high: count, low: count, share_high: share, share_low: share }),
  ),
});

export const decileAnswer = comparisonAnswer
  .extend({
    ends: z.object({
      ranked_by: z.string().describe('What the cells were ranked by, in words.'),
      share: z.number().describe('Percent of the cells of a sample in each end, as asked.'),
      high: end,
      low: end,
      without_value: count.describe('Active cells without a value, which are not ranked.'),
      without_sample: count.describe('Active cells that are of no sample.'),
      samples: z.array(ofSample).describe('Samples that are compared.'),
      left_out: z.array(
        ofSample.extend({
          reason: z.enum(['few-cells', 'no-spread']).describe('`no-spread`: all its cells have one value.'),
        }),
      ),
      composition: composition.nullable().describe('`null` where the dataset has no cell types or clusters.'),
      untested: z
        .array(z.string())
        .describe('Genes that chose the cells: they are in the table, and not tested.'),
    }),
  })
  .meta({ id: 'DecileAnswer' });
export type DecileAnswer = z.infer<typeof decileAnswer>;
