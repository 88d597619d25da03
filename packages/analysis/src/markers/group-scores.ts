import { normalUpperTail, studentTwoSidedTail } from '../statistics/tails.ts';
import type { CellGroups } from './cell-groups.ts';
import type { GeneStatistics, GroupSums } from './group-sums.ts';

/** Scores of one group and their two-sided p-values, one per gene. NaN if a test is undefined. */
interface TestColumns {
  readonly scores: Float64Array;
  readonly pvals: Float64Array;
  /** Wilcoxon only: the area under the ROC curve. */
  readonly auc?: Float64Array;
}

/**
 * The Wilcoxon–Mann–Whitney rank-sum test by its normal approximation, without a continuity correction, as in scanpy.
 * `tieCorrect` corrects its variance for ties.
 */
export function wilcoxonScores(
  { geneCount, blocks }: GeneStatistics,
  { sizes, cellCount }: CellGroups,
  { group, tieCorrect }: { group: number; tieCorrect: boolean },
): TestColumns {
  const scores = new Float64Array(geneCount);
  const pvals = new Float64Array(geneCount);
  const auc = new Float64Array(geneCount);
  const size = sizes[group]!;
  const expected = (size * (cellCount + 1)) / 2;
  // Multiplied as the tie terms are, so that a gene with equal values alone has a variance of exactly 0.
  const minRanks = (size * (size + 1)) / 2;
  const pairs = size * (cellCount - size);
  const everyTie = cellCount * cellCount * cellCount - cellCount;
  for (const { rankSums, tieTerms, firstGene, slotCount, geneCount: count } of blocks) {
    for (let i = 0; i < count; i++) {
      const coefficient = tieCorrect ? 1 - tieTerms[i]! / everyTie : 1;
      const deviation = Math.sqrt((coefficient * size * (cellCount - size) * (cellCount + 1)) / 12);
      const score = (rankSums[i * slotCount + group]! - expected) / deviation;
      scores[firstGene + i] = score;
      auc[firstGene + i] = (rankSums[i * slotCount + group]! - minRanks) / pairs;
      pvals[firstGene + i] = 2 * normalUpperTail(Math.abs(score));
    }
  }
  return { scores, pvals, auc };
}

/**
 * Welch's t-test of a group against all other cells, as scanpy calls it in scipy: variances are the mean square minus
 * the squared mean, corrected for the number of cells. NaN if both variances are 0 and the means are equal, or if
 * rounding made a variance negative.
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
