import { compositionParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { resultNotes } from './answers.ts';
import { figureParts, filePixels } from './figures.ts';
import { columnKinds, designValues, leftOutSums, sampleChoice, sampleSum } from './pseudobulk.ts';
import { chosenCells } from './subsets.ts';

/** `POST /api/perform-composition-analysis`: compares the composition of samples between two sets of cells. */
export const compositionRequest = compositionParameters
  .extend({ cells: chosenCells.optional() })
  .meta({ id: 'CompositionRequest' });
export type CompositionRequest = z.input<typeof compositionRequest>;

const count = z.number().int();
const side = z.object({
  name: z.string(),
  cells: count.describe('Cells of the samples that were compared.'),
});

export const compositionAnswer = z
  .object({
    composition_csv: z
      .string()
      .describe(
        'A row for each category, by rising p-value: category, share_a and share_b (means of the samples), log_odds or asin_difference with ci_low and ci_high, ratio, scores, pvals, pvals_adj, cells_a and cells_b.',
      ),
    composition_image: z.string().describe('PNG in base64.'),
    composition_width: count,
    composition_height: count,
    composition_print: filePixels,
    figure: figureParts.figure,
    source: figureParts.source,
    parameters: compositionParameters,
    by: z.string().describe('The column of obs whose shares were compared.'),
    test: z.string().describe('How it was tested, in words.'),
    a: side,
    b: side,
    samples: z.object({
      ...sampleChoice.shape,
      a: count.describe('Samples of A.'),
      b: count,
      both: count.describe('Samples with enough cells on both sides.'),
    }),
    design: z.object({
      formula: z.string().describe('The model, as R writes it.'),
      columns: z.array(z.string()).describe('Columns of the samples: the side, then what is allowed for.'),
      column_kinds: columnKinds,
      coefficients: z.array(z.string()),
      paired: z.boolean().describe('Samples with cells on both sides are compared with themselves.'),
      samples: z.array(sampleSum.extend({ values: designValues })),
      left_out: leftOutSums,
      residual_df: z.number(),
      prior_df: z
        .number()
        .nullable()
        .describe('null where variances differ by chance alone: infinitely many.'),
    }),
    categories: count,
    differing: count.describe('Categories whose adjusted p is below the limit.'),
    ...resultNotes,
  })
  .meta({ id: 'CompositionAnswer' });
export type CompositionAnswer = z.infer<typeof compositionAnswer>;
