import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';

export const obsColumn = dataName.refine((name) => name !== '', 'Name a column of obs.');

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
  numeric_covariates: z
    .array(obsColumn)
    .max(5)
    .optional()
    .describe(
      'Pseudobulk: those of `covariates` whose numbers are quantities. Few distinct whole numbers, such as batches 1, 2 and 3, are categories where they are not named here.',
    ),
  random_effect: obsColumn
    .optional()
    .describe(
      '`pseudobulk`: a column of obs whose values hold several samples each, such as the animal of four lanes: its samples are taken to be correlated, as far as all genes say (`duplicateCorrelation`).',
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
