import { minPValue } from '@cellfolio/model';

/** Converts between a score, whatever its sign, and an adjusted p. */
export interface ScoreScale {
  /** Absolute score of an adjusted p. */
  scoreAt(adjustedP: number): number;
  pAt(score: number): number;
}

/**
 * Interpolates the logarithm of the adjusted p linearly between the genes' scores, from 1 at a score of 0. If a greater
 * score does not have the smaller p, as in tests with different degrees of freedom, the smallest p of the lower scores
 * holds. Genes without a score or p are left out.
 */
export function scoreScale(statistics: Float64Array, adjustedPs: Float64Array): ScoreScale {
  const order = Int32Array.from(statistics.keys())
    .filter((at) => Number.isFinite(statistics[at]!) && !Number.isNaN(adjustedPs[at]!))
    .sort((one, other) => Math.abs(statistics[one]!) - Math.abs(statistics[other]!));
  const scores = Float64Array.from(order, (at) => Math.abs(statistics[at]!));
  const sureness = Float64Array.from(order, (at) => surenessOf(adjustedPs[at]!));
  for (let at = 1; at < sureness.length; at++) sureness[at] = Math.max(sureness[at]!, sureness[at - 1]!);
  return {
    scoreAt: (adjustedP) => curveAt(sureness, scores, surenessOf(adjustedP)),
    pAt: (score) => 10 ** -curveAt(scores, sureness, score),
  };
}

function surenessOf(adjustedP: number): number {
  return -Math.log10(Math.max(adjustedP, minPValue));
}

/**
 * Evaluates an ascending curve at `x`, from (0, 0) on; beyond its end its last value. For equal x the last y counts.
 */
function curveAt(xs: Float64Array, ys: Float64Array, x: number): number {
  let [low, high] = [-1, xs.length];
  while (high - low > 1) {
    const half = (low + high) >> 1;
    if (xs[half]! <= x) low = half;
    else high = half;
  }
  const [x0, y0] = low < 0 ? [0, 0] : [xs[low]!, ys[low]!];
  if (high === xs.length) return y0;
  return y0 + ((ys[high]! - y0) * (x - x0)) / (xs[high]! - x0);
}
