import { z } from 'zod';
import { endsParameters } from '../deciles/parameters.ts';
import { cellTestParameters } from '../markers/cell-test-parameters.ts';
import { filterRequest } from '../masks/filter-request.ts';
import { obsColumn, pseudobulkParameters } from '../pseudobulk/parameters.ts';
import { unassigned } from '../unassigned-parameter.ts';

/** Maximum characters of the name of a set of cells. */
export const maxSetNameLength = 300;

const cellSet = z.object({
  name: z.string().trim().min(1, 'Name the set of cells.').max(maxSetNameLength),
  filter: filterRequest,
});

/** Methods that use samples as replicates: they test sums of raw counts. */
const sumMethods = ['pseudobulk', 'quasi-likelihood', 'negative-binomial'] as const;
export type SumMethod = (typeof sumMethods)[number];

export function isOfSums(method: ComparisonParameters['method']): method is SumMethod {
  return sumMethods.some((one) => one === method);
}

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
    within: obsColumn
      .optional()
      .describe('A categorical column of obs: A is compared with B within each of its categories.'),
    unassigned,
    method: z
      .enum([...sumMethods, 'wilcoxon', 't-test'])
      .default('wilcoxon')
      .describe(
        "`pseudobulk` takes samples for replicates: raw counts are summed by sample and side, and tested by limma-voom. `quasi-likelihood` tests the same sums by the quasi-likelihood F tests of edgeR, `negative-binomial` with the model of DESeq2; the latter of few samples lets more false discoveries pass than it promises. The others are tests of single cells, as scanpy's `rank_genes_groups` has them: `wilcoxon`, or `t-test`, which takes means of cells for normally distributed, too.",
      ),
    ...cellTestParameters,
    ...pseudobulkParameters,
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
      .meta({ title: 'Adjusted P-Value', description: 'Genes below are counted and colored.' }),
    logfoldchanges: z.number().min(0).max(100).default(1).meta({
      title: 'Log2 Fold Change',
      description: 'Genes with at least as much in either direction are counted and colored.',
    }),
  })
  .meta({ id: 'ComparisonParameters' });
export type ComparisonParameters = z.infer<typeof comparisonParameters>;
