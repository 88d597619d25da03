/** Of `population` genes `marked` are in the set; `drawn` are taken; at least `hits` of those are in the set. */
export interface HypergeometricTail {
  readonly population: number;
  readonly marked: number;
  readonly drawn: number;
  readonly hits: number;
}

/**
 * Natural logarithm of P(X ≥ hits) for X hypergeometric: scipy's `hypergeom.logsf(hits − 1, population, marked,
 * drawn)`. Right to about 1e-10 in relative terms of the probability, however small it is, also where the
 * probability itself is below the smallest double. `logFactorials` reaches at least to `population`.
 */
export function hypergeometricLogTail(tail: HypergeometricTail, logFactorials: Float64Array): number {
  const { population, marked, drawn, hits } = tail;
  const most = Math.min(marked, drawn);
  const least = Math.max(0, drawn + marked - population);
  if (hits <= least) return 0;
  if (hits > most) return -Infinity;
  const unmarked = population - marked;

  // Terms shrink away from the mode. Above it the tail itself is summed, outwards from its largest term; below it
  // the rest, whose sum is then less than about a half, and taken from 1.
  const mode = Math.floor(((drawn + 1) * (marked + 1)) / (population + 2));
  if (hits > mode) {
    let sum = 1;
    let term = 1;
    for (let i = hits; i < most && term > sum * 1e-17; i++) {
      term *= ((marked - i) / (i + 1)) * ((drawn - i) / (unmarked - drawn + i + 1));
      sum += term;
    }
    return Math.min(0, logProbability(tail, hits, logFactorials) + Math.log(sum));
  }
  let sum = 1;
  let term = 1;
  for (let i = hits - 1; i > least && term > sum * 1e-17; i--) {
    term *= (i / (marked - i + 1)) * ((unmarked - drawn + i) / (drawn - i + 1));
    sum += term;
  }
  return Math.log1p(-Math.min(1, Math.exp(logProbability(tail, hits - 1, logFactorials)) * sum));
}

/** ln P(X = hits), from logarithms of binomial coefficients. */
function logProbability(tail: HypergeometricTail, hits: number, logFactorials: Float64Array): number {
  const { population, marked, drawn } = tail;
  const choose = (n: number, k: number) => logFactorials[n]! - logFactorials[k]! - logFactorials[n - k]!;
  return choose(marked, hits) + choose(population - marked, drawn - hits) - choose(population, drawn);
}
