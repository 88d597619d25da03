import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { endsParameters } from '../deciles/parameters.ts';
import { filterRequest } from '../masks/filter-request.ts';

/** A set of cells with the name that it has in the result. */
const cellSet = z.object({
  name: z.string().trim().min(1, 'Name the set of cells.').max(300),
  filter: filterRequest,
});

/** Methods that take samples for replicates: they test sums of their raw counts. */
const sumMethods = ['pseudobulk', 'negative-binomial'] as const;
export type SumMethod = (typeof sumMethods)[number];

export function isOfSums(method: ComparisonParameters['method']): method is SumMethod {
  return sumMethods.some((one) => one === method);
}

const column = dataName.refine((name) => name !== '', 'Name a column of obs.');

/** Parameters of a comparison of two sets of cells. */
export const comparisonParameters = z
  .object({
    a: cellSet.describe(
      'The cells whose expression is compared: a positive log2 fold change is higher in them.',
    ),
    b: cellSet
      .optional()
      .describe('The cells that they are compared with; absent for all other active cells.'),
    ends: endsParameters
      .optional()
      .describe(
        'Compares the cells with the highest values with those with the lowest: A and B then have their names alone, and their filters are not looked at.',
      ),
    within: column
      .optional()
      .describe('A categorical column of obs: A is compared with B in each of its categories by itself.'),
    method: z
      .enum([...sumMethods, 'wilcoxon', 't-test'])
      .default('wilcoxon')
      .describe(
        "`pseudobulk` takes samples for replicates: raw counts are summed by sample and side, and tested by limma-voom. `negative-binomial` tests the same sums with the model of DESeq2; of few samples it lets more false discoveries pass than it promises. The others are tests of single cells, as scanpy's `rank_genes_groups` has them.",
      ),
    tie_correct: z
      .boolean()
      .default(false)
      .describe('Corrects the Wilcoxon scores for ties, as scanpy does with `tie_correct=True`.'),
    samples: column
      .optional()
      .describe(
        'The column of obs that says which sample a cell is from; absent for the one that is known of the dataset.',
      ),
    min_sample_cells: z.number().int().min(1).max(10_000).default(10).meta({
      title: 'Min. Cells per Sample',
      description: 'Pseudobulk: a sample with fewer cells on a side is left out on that side.',
    }),
    covariates: z
      .array(column)
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
    interaction: column
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
    min_cells: z
      .number()
      .int()
      .min(2, 'One cell cannot be compared.')
      .max(10_000)
      .default(3)
      .meta({ title: 'Min. Cells per Side', description: 'Fewer cells of A or of B are not compared.' }),
    pvals_adj: z
      .number()
      .min(0)
      .max(1)
      .default(0.05)
      .meta({ title: 'Adjusted P-Value', description: 'Genes below are counted and coloured.' }),
    logfoldchanges: z.number().min(0).max(100).default(1).meta({
      title: 'Log2 Fold Change',
      description: 'Genes with at least as much in either direction are counted and coloured.',
    }),
  })
  .meta({ id: 'ComparisonParameters' });
export type ComparisonParameters = z.infer<typeof comparisonParameters>;
