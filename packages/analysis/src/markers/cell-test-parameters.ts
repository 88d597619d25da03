import { z } from 'zod';
import { minExpected } from './sparse-p-values.ts';

export const cellTestParameters = {
  tie_correct: z
    .boolean()
    .default(true)
    .describe(
      "Wilcoxon alone: corrects the variance of the ranks for ties, which zeros are, as R's `wilcox.test` and Seurat do. `false` is scanpy's default (`tie_correct=False`): genes that few cells express are then hardly ever found.",
    ),
  pseudocount: z
    .number()
    .min(1e-9)
    .max(1000)
    .default(1)
    .describe(
      'Added to both sides of a fold change, to expm1 of the mean log-normalized value. scanpy adds 1e-9, by which a gene that one side lacks has a fold change of thousands.',
    ),
  sparse_genes: z
    .enum(['exact', 'approximate'])
    .default('exact')
    .describe(
      'The p-values of genes that few cells express, where one side has few cells. `exact` takes that of Fisher’s exact test of expressing cells where it is larger than that of the test, if fewer than half of the cells express the gene and fewer than 10 would be expected to on the smaller side. `approximate` keeps the normal approximation, as scanpy, by which many of them pass by chance.',
    ),
  depth: z
    .enum(['as-measured', 'downsample'])
    .default('as-measured')
    .describe(
      '`downsample` thins raw counts at random before cells are normalized and tested, so that the cells of all sides have as many as those of the side with the fewest (geometric means per cell). `as-measured` tests the values of the dataset, of which most seem lower where cells have fewer counts.',
    ),
};

export interface CellTest {
  method: string;
  tie_correct: boolean;
  pseudocount: number;
  sparse_genes: 'exact' | 'approximate';
  depth: 'as-measured' | 'downsample';
}

/** scanpy's default test, used by all figures created before these parameters existed. */
export const scanpyCellTest = {
  tie_correct: false,
  pseudocount: 1e-9,
  sparse_genes: 'approximate',
} as const;

/** The same parameters by default. */
export const usualCellTest = z.object(cellTestParameters).omit({ depth: true }).parse({});

/** The same parameters in a figure's content: a figure that lacks them is drawn with the old defaults. */
export const figureCellTest = {
  tie_correct: cellTestParameters.tie_correct.unwrap().default(scanpyCellTest.tie_correct),
  pseudocount: cellTestParameters.pseudocount.unwrap().default(scanpyCellTest.pseudocount),
  sparse_genes: cellTestParameters.sparse_genes.unwrap().default(scanpyCellTest.sparse_genes),
};

export function cellTestWords({
  method,
  tie_correct,
  sparse_genes,
  depth,
}: Pick<CellTest, 'method' | 'tie_correct' | 'sparse_genes' | 'depth'>): string {
  const values = depth === 'downsample' ? ', of raw counts thinned to equal depth' : '';
  const sparse =
    sparse_genes === 'exact'
      ? ` (genes with fewer than ${minExpected} expressing cells expected: Fisher’s exact test where its p is larger)`
      : '';
  if (method === 't-test') return `Welch’s t-test of cells${values}${sparse}`;
  return `Wilcoxon rank-sum test of cells${values}, ${tie_correct ? 'corrected for ties' : 'not corrected for ties, as scanpy by default'}${sparse}`;
}

export function foldChangeWords(
  { pseudocount }: Pick<CellTest, 'pseudocount'>,
  [a, b]: readonly [string, string],
): string {
  const asScanpy = pseudocount === scanpyCellTest.pseudocount ? ', as scanpy' : '';
  return `log2 of expm1 of the mean log-normalized value of ${a} over that of ${b}, a pseudocount of ${pseudocount} added to both${asScanpy}`;
}
