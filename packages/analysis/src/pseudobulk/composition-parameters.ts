import { z } from 'zod';
import { comparisonParameters } from '../comparisons/parameters.ts';
import { unassigned } from '../unassigned-parameter.ts';
import { obsColumn, pseudobulkParameters } from './parameters.ts';

const { a, b, pvals_adj } = comparisonParameters.shape;
const { samples, min_sample_cells, covariates, numeric_covariates, pairing } = pseudobulkParameters;

export const compositionParameters = z
  .object({
    a: a.describe('The cells whose composition is compared: a positive effect is a larger share in them.'),
    b,
    by: obsColumn
      .optional()
      .describe(
        'The categorical column of obs whose shares are compared; absent for the cell types, else the clusters.',
      ),
    unassigned,
    transform: z
      .enum(['logit', 'asin'])
      .default('logit')
      .describe(
        '`logit` tests log odds of the shares and finds more; `asin`, the arcsine of their roots, stays steady where categories are rare or absent in many samples.',
      ),
    samples,
    min_sample_cells: min_sample_cells.meta({
      title: 'Min. Cells per Sample',
      description: 'A sample with fewer cells on a side is left out on that side.',
    }),
    covariates: covariates.describe(
      'Columns of obs to allow for, of labels or numbers; one value for all cells of a sample on a side.',
    ),
    numeric_covariates: numeric_covariates.describe(
      'Those of `covariates` whose numbers are quantities: few distinct whole numbers are categories where they are not named here.',
    ),
    pairing: pairing.describe(
      'Samples with cells on both sides are pairs. `auto`: where they are more than half of the samples; `by-sample`: always; samples of one side alone are then left out.',
    ),
    pvals_adj: pvals_adj.meta({
      title: 'Adjusted P-Value',
      description: 'Categories below are counted as differing.',
    }),
  })
  .meta({ id: 'CompositionParameters' });
export type CompositionParameters = z.infer<typeof compositionParameters>;
