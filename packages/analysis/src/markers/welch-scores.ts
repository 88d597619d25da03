import { studentTwoSidedTail } from '../statistics/student-tail.ts';
import type { GroupSums } from './group-sums.ts';
import type { TestColumns } from './wilcoxon-scores.ts';

/**
 * Welch's t-test of a group against all other cells, as scanpy asks scipy for it: variances are the mean square less
 * the squared mean, corrected for the number of cells. NaN where both variances are 0 and the means are equal, or
 * where rounding made a variance negative.
 */
export function welchScores(
  sums: GroupSums,
  squares: GroupSums,
  { size, rest }: { size: number; rest: number },
): TestColumns {
  const geneCount = sums.inside.length;
  const scores = new Float64Array(geneCount);
  const pvals = new Float64Array(geneCount);
  for (let gene = 0; gene < geneCount; gene++) {
    const mean = sums.inside[gene]! / size;
    const otherMean = sums.outside[gene]! / rest;
    const error = variance(squares.inside[gene]!, mean, size) / size;
    const otherError = variance(squares.outside[gene]!, otherMean, rest) / rest;
    const degrees = (error + otherError) ** 2 / (error ** 2 / (size - 1) + otherError ** 2 / (rest - 1));
    const score = error < 0 || otherError < 0 ? NaN : (mean - otherMean) / Math.sqrt(error + otherError);
    scores[gene] = score;
    pvals[gene] = studentTwoSidedTail(score, Number.isNaN(degrees) ? 1 : degrees);
  }
  return { scores, pvals };
}

function variance(squares: number, mean: number, count: number): number {
  const spread = squares / count - mean ** 2;
  return count === 1 ? spread : spread * (count / (count - 1));
}
