interface Tested {
  adjustedP: number;
  logP?: number;
}

/** −log10 of the smallest positive number with full precision: a lower bound for an adjusted p of 0. */
const underflowScore = -Math.log10(2.2250738585072014e-308);

/**
 * −log10 of each adjusted p: 0 for 1, and finite for p that underflow to 0. Those are adjusted in logarithms by
 * Benjamini and Hochberg's rule: p * tested / k for rank k among `tested`, but at most the next rank's value. Without
 * its logarithm an adjusted p of 0 scores 307.7, the lowest possible score for it.
 */
export function adjustedScores(terms: readonly Tested[], tested: number): number[] {
  const scores = terms.map(({ adjustedP }) => (adjustedP > 0 ? -Math.log10(adjustedP) + 0 : underflowScore));
  const underflown = Array.from(terms.keys())
    .filter((i) => terms[i]!.adjustedP === 0 && Number.isFinite(terms[i]!.logP))
    .sort((a, b) => terms[a]!.logP! - terms[b]!.logP! || a - b);
  let floor = underflowScore;
  for (let rank = underflown.length; rank > 0; rank--) {
    const i = underflown[rank - 1]!;
    const score = -(terms[i]!.logP! + Math.log(tested / rank)) / Math.LN10;
    floor = Math.max(floor, score);
    scores[i] = floor;
  }
  return scores;
}
