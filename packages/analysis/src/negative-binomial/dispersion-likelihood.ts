import type { Design } from '../pseudobulk/design.ts';
import { findRoot } from '../statistics/find-root.ts';
import { digamma, digammaTail, seriesFrom } from '../statistics/polygamma.ts';
import { Cholesky } from './cholesky.ts';

interface DispersionRequest {
  readonly counts: Float64Array;
  /** Fitted means of the counts, positive. */
  readonly means: Float64Array;
  readonly start: number;
  /** Variance of the normal prior of the log dispersion; the prior mean is the logarithm of `start`. */
  readonly priorVariance?: number;
}

/** Slopes of the log likelihood below this count as flat, where PyDESeq2's optimiser stops. */
const flat = 1e-5;

/**
 * Dispersion of a gene's counts given their means: the local maximum, next to the start, of the negative binomial
 * likelihood with Cox–Reid adjustment (1987) and an optional prior (Love, Huber and Anders 2014, equations 13 to 16).
 * Limits are 1e-8 and the larger of 10 and the number of samples.
 */
export class DispersionLikelihood {
  readonly limits: readonly [number, number];
  readonly #design: Design;
  readonly #information: Cholesky;
  readonly #weights: Float64Array;
  readonly #row: Float64Array;

  constructor(design: Design) {
    this.limits = [1e-8, Math.max(10, design.sampleCount)];
    this.#design = design;
    this.#information = new Cholesky(design.columns.length);
    this.#weights = new Float64Array(design.sampleCount);
    this.#row = new Float64Array(design.columns.length);
  }

  /** Climbs from the start in growing steps until the slope changes its sign, then finds its zero. */
  maximise(request: DispersionRequest): number {
    const slope = (log: number) => this.slope(Math.exp(log), request);
    const [low, high] = this.limits.map(Math.log) as [number, number];
    let at = Math.min(high, Math.max(low, Math.log(request.start)));
    const first = slope(at);
    // NaN where fitted means are so small that they say nothing of the coefficients.
    if (!(Math.abs(first) > flat)) return Math.exp(at);
    const direction = Math.sign(first);
    for (let step = 0.25; ; step *= 1.5) {
      const next = Math.min(high, Math.max(low, at + direction * step));
      if (!(slope(next) * direction > 0)) {
        const [from, to] = direction > 0 ? [at, next] : [next, at];
        return Math.exp(findRoot(slope, [from, to], 1e-12));
      }
      if (next === low || next === high) return this.limits[next === low ? 0 : 1];
      at = next;
    }
  }

  /** Derivative of the log posterior with respect to the log dispersion. */
  slope(dispersion: number, { counts, means, start, priorVariance }: DispersionRequest): number {
    let sum = 0;
    for (let i = 0; i < counts.length; i++) sum += countSlope(counts[i]!, means[i]!, dispersion);
    const prior = priorVariance === undefined ? 0 : (Math.log(dispersion) - Math.log(start)) / priorVariance;
    return sum + this.#adjustment(means, dispersion) - prior;
  }

  /** Derivative of the Cox–Reid term, -log |Xᵗ W X| / 2: half the trace of (Xᵗ W X)⁻¹ Xᵗ W² X, times the dispersion. */
  #adjustment(means: Float64Array, dispersion: number): number {
    const [weights, row, information] = [this.#weights, this.#row, this.#information];
    const { columns, sampleCount } = this.#design;
    for (let i = 0; i < sampleCount; i++) weights[i] = means[i]! / (1 + means[i]! * dispersion);
    information.fill(this.#design, weights);
    information.factor();
    let trace = 0;
    for (let i = 0; i < sampleCount; i++) {
      for (let j = 0; j < row.length; j++) row[j] = columns[j]![i]!;
      information.solveLower(row);
      let square = 0;
      for (let j = 0; j < row.length; j++) square += row[j]! ** 2;
      trace += square * weights[i]! ** 2;
    }
    return 0.5 * dispersion * trace;
  }
}

/**
 * Derivative of one count's log likelihood with respect to log a, a being the dispersion and r = 1 / a: r · (digamma(r)
 * - digamma(y + r) + log(1 + a m) + d), d = a (y - m) / (1 + a m). Since (1 + a y) / (1 + a m) is 1 + d, all large
 * terms cancel analytically for a large r.
 */
function countSlope(count: number, mean: number, dispersion: number): number {
  const r = 1 / dispersion;
  const d = (dispersion * (count - mean)) / (1 + dispersion * mean);
  if (r < seriesFrom) {
    return r * (digamma(r) - digamma(count + r) + Math.log1p(dispersion * mean) + d);
  }
  const half = (0.5 * dispersion * dispersion * count) / (1 + dispersion * count);
  return r * (excess(d) - half - digammaTail(r) + digammaTail(r + count));
}

/** d - log(1 + d), by series expansion for small d. */
function excess(d: number): number {
  if (Math.abs(d) > 0.01) return d - Math.log1p(d);
  let sum = 0;
  for (let n = 9, sign = n % 2 === 0 ? 1 : -1; n >= 2; n--, sign = -sign) sum = sum * d + sign / n;
  return sum * d * d;
}
