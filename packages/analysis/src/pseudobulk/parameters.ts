import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';

export const obsColumn = dataName.refine((name) => name !== '', 'Name a column of obs.');

/** Which samples are compared by sums of their raw counts, and what the model of them allows for. */
export const pseudobulkParameters = {
  samples: obsColumn
    .optional()
    .describe(
      'The column of obs that says which sample a cell is from; absent for the one that is known of the dataset.',
    ),
  min_sample_cells: z.number().int().min(1).max(10_000).default(10).meta({
    title: 'Min. Cells per Sample',
    description: 'Pseudobulk: a sample with fewer cells on a side is left out on that side.',
  }),
  covariates: z
    .array(obsColumn)
    .max(5, 'At most five columns can be allowed for.')
    .default([])
    .describe(
      'Pseudobulk: columns of obs to allow for, of labels or numbers; one value for all cells of a sample on a side.',
    ),
  pairing: z
    .enum(['auto', 'by-sample', 'none'])
    .default('auto')
    .describe(
      'Pseudobulk: samples with cells on both sides are pairs. `auto`: where they are more than half of the samples; `by-sample`: always; samples of one side alone are then left out.',
    ),
  interaction: obsColumn
    .optional()
    .describe(
      'Pseudobulk: a column of obs with two labels among the samples, or of numbers: tests whether the difference of A and B differs with it.',
    ),
  trend: z
    .boolean()
    .default(false)
    .describe('`pseudobulk`: the prior variance follows the mean expression, as eBayes(trend=TRUE).'),
  robust: z
    .boolean()
    .default(false)
    .describe(
      '`pseudobulk`: genes that vary far more than the others do not shape the prior variance, as eBayes(robust=TRUE).',
    ),
};
