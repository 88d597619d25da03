import { normalUpperTail } from '../statistics/normal-tail.ts';
import type { CellGroups } from './cell-groups.ts';
import type { GeneStatistics } from './group-sums.ts';

/** Scores of one group and their two-sided p-values, gene by gene. NaN where a test has no answer. */
export interface TestColumns {
  readonly scores: Float64Array;
  readonly pvals: Float64Array;
  /** Wilcoxon only: the area under the ROC curve. */
  readonly auc?: Float64Array;
}

/**
 * The rank-sum test of Wilcoxon, Mann and Whitney by its normal approximation, without a continuity correction, as
 * scanpy has it. With `tieCorrect` its variance takes account of equal values.
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
  const leastRanks = (size * (size + 1)) / 2;
  const pairs = size * (cellCount - size);
  const everyTie = cellCount * cellCount * cellCount - cellCount;
  for (const { rankSums, tieTerms, firstGene, slotCount, geneCount: count } of blocks) {
    for (let i = 0; i < count; i++) {
      const coefficient = tieCorrect ? 1 - tieTerms[i]! / everyTie : 1;
      const deviation = Math.sqrt((coefficient * size * (cellCount - size) * (cellCount + 1)) / 12);
      const score = (rankSums[i * slotCount + group]! - expected) / deviation;
      scores[firstGene + i] = score;
      auc[firstGene + i] = (rankSums[i * slotCount + group]! - leastRanks) / pairs;
      pvals[firstGene + i] = 2 * normalUpperTail(Math.abs(score));
    }
  }
  return { scores, pvals, auc };
}
