interface Tested {
  readonly adjustedP: number;
  readonly logP?: number;
}

/** −log10 of the smallest number above zero that keeps all its digits: no less can be said of an adjusted p of 0. */
const underflowScore = -Math.log10(2.2250738585072014e-308);

/**
 * −log10 of each adjusted p: 0 for 1, and finite for p that underflow to 0. Those are adjusted by Benjamini and
 * Hochberg's rule in logarithms: of the p of rank k among `tested`, p * tested / k, but at most that of the next
 * rank. Without its logarithm an adjusted p of 0 scores 307.7, the lowest possible score for it.
 */
export function adjustedScores(terms: readonly Tested[], tested: number): number[] {
  const scores = terms.map(({ adjustedP }) => (adjustedP > 0 ? -Math.log10(adjustedP) + 0 : underflowScore));
  const underflown = Array.from(terms.keys())
    .filter((i) => terms[i]!.adjustedP === 0 && Number.isFinite(terms[i]!.logP))
    .sort((a, b) => terms[a]!.logP! - terms[b]!.logP! || a - b);
  let least = underflowScore;
  for (let rank = underflown.length; rank > 0; rank--) {
    const i = underflown[rank - 1]!;
    const score = -(terms[i]!.logP! + Math.log(tested / rank)) / Math.LN10;
    least = Math.max(least, score);
    scores[i] = least;
  }
  return scores;
}
