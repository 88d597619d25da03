interface RankedScore {
  values: Float64Array;
  ascending: boolean;
}

/**
 * Robust rank aggregation (Kolde et al. 2012, Bioinformatics 28:573): per row the minimum, over k, of the probability
 * that the k-th smallest of n uniform numbers is at most the k-th smallest of its ranks, times n, capped at 1. Ranks
 * are divided by the maximum rank, ties sharing their mean, as in LIANA. Values must not be NaN.
 */
export function robustRank(scores: readonly RankedScore[]): Float64Array {
  const count = scores[0]?.values.length ?? 0;
  const ranks = scores.map(rankShares);
  const sorted = new Float64Array(scores.length);
  const rho = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    for (let score = 0; score < ranks.length; score++) sorted[score] = ranks[score]![row]!;
    sorted.sort();
    let minimum = Infinity;
    for (let k = 0; k < sorted.length; k++) {
      minimum = Math.min(minimum, orderStatistic(sorted[k]!, k + 1, sorted.length));
    }
    rho[row] = Math.min(1, minimum * sorted.length);
  }
  return rho;
}

/** 1-based mean ranks divided by the maximum rank. */
function rankShares({ values, ascending }: RankedScore): Float64Array {
  const sign = ascending ? 1 : -1;
  const order = Uint32Array.from(values, (_, row) => row).sort(
    (one, other) => sign * (values[one]! - values[other]!),
  );
  const ranks = new Float64Array(values.length);
  let greatest = 0;
  for (let start = 0; start < order.length;) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    const rank = (start + 1 + end) / 2;
    for (let at = start; at < end; at++) ranks[order[at]!] = rank;
    greatest = rank;
    start = end;
  }
  return ranks.map((rank) => rank / greatest);
}

/** P(the k-th smallest of n uniform numbers ≤ x): that of at least k successes among n, each with probability x. */
function orderStatistic(x: number, k: number, n: number): number {
  let sum = 0;
  let choose = 1;
  for (let successes = 0; successes <= n; successes++) {
    if (successes >= k) sum += choose * x ** successes * (1 - x) ** (n - successes);
    choose = (choose * (n - successes)) / (successes + 1);
  }
  return sum;
}
