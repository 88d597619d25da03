import { z } from 'zod';

/** How cells are tested, gene by gene: the same for markers and for two sets of cells. */
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
      'Added to both sides of a fold change, to expm1 of the mean log-normalised value. scanpy adds 1e-9, by which a gene that one side lacks has a fold change of thousands.',
    ),
  depth: z
    .enum(['as-measured', 'downsample'])
    .default('as-measured')
    .describe(
      '`downsample` thins raw counts at random before cells are normalised and tested, so that the cells of all sides have as many as those of the side with the fewest (geometric means per cell). `as-measured` tests the values of the dataset, of which most seem lower where cells have fewer counts.',
    ),
};

export interface CellTest {
  readonly method: string;
  readonly tie_correct: boolean;
  readonly pseudocount: number;
  readonly depth: 'as-measured' | 'downsample';
}

/** The test of scanpy by its own defaults; that of all figures from before these parameters could be chosen. */
export const scanpyCellTest = { tie_correct: false, pseudocount: 1e-9 } as const;

/** The same parameters in the content of a figure: one that lacks them is drawn as it was drawn then. */
export const figureCellTest = {
  tie_correct: cellTestParameters.tie_correct.unwrap().default(scanpyCellTest.tie_correct),
  pseudocount: cellTestParameters.pseudocount.unwrap().default(scanpyCellTest.pseudocount),
};

/** `Wilcoxon rank-sum test of cells, corrected for ties` */
export function cellTestWords({
  method,
  tie_correct,
  depth,
}: Pick<CellTest, 'method' | 'tie_correct' | 'depth'>): string {
  const values = depth === 'downsample' ? ', of raw counts thinned to equal depth' : '';
  if (method === 't-test') return `Welch’s t-test of cells${values}`;
  return `Wilcoxon rank-sum test of cells${values}, ${tie_correct ? 'corrected for ties' : 'not corrected for ties, as scanpy by default'}`;
}

/** @param [of] what is compared with what, as `A` and `B` */
export function foldChangeWords(
  { pseudocount }: Pick<CellTest, 'pseudocount'>,
  [a, b]: readonly [string, string],
): string {
  const asScanpy = pseudocount === scanpyCellTest.pseudocount ? ', as scanpy' : '';
  return `log2 of expm1 of the mean log-normalised value of ${a} over that of ${b}, a pseudocount of ${pseudocount} added to both${asScanpy}`;
}
