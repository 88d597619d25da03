import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import type { InteractionScores } from './interactions.ts';
import { robustRank } from './robust-rank.ts';

export interface InteractionRanks {
  /** Share of the permutations with a mean at least as high; 0 means less than one permutation. */
  readonly pValues: Float64Array;
  /**
   * Benjamini and Hochberg over all tests, of (count + 1) / (permutations + 1): a permutation p-value is never 0
   * (Phipson and Smyth 2010, Statistical Applications in Genetics and Molecular Biology 9:39).
   */
  readonly adjustedPs: Float64Array;
  /** Robust rank over mean, product and LR score: the expression level of both. */
  readonly magnitudeRanks: Float64Array;
  /** Robust rank over p, fold change, scaled weight and specificity: how specific it is to these groups. */
  readonly specificityRanks: Float64Array;
}

/**
 * Computes ranks from the counts of `countAsHigh` over all permutations. Magnitudes are those of LIANA's
 * `rank_aggregate`, each ranked once: LIANA 1.10.0 ranks the product twice, for NATMI and Connectome, which reverses
 * its order.
 */
export function rankInteractions(
  counts: Uint32Array,
  permutations: number,
  scores: InteractionScores,
): InteractionRanks {
  const pValues = Float64Array.from(counts, (count) => count / permutations);
  const best = (values: Float64Array) => ({ values, ascending: false });
  return {
    pValues,
    adjustedPs: benjaminiHochberg(Float64Array.from(counts, (count) => (count + 1) / (permutations + 1))),
    magnitudeRanks: robustRank([best(scores.means), best(scores.products), best(scores.lrScores)]),
    specificityRanks: robustRank([
      { values: pValues, ascending: true },
      best(scores.logFoldChanges),
      best(scores.scaledWeights),
      best(scores.specificities),
    ]),
  };
}
