import type { Design } from '../pseudobulk/design.ts';
import type { GeneSampleMatrix } from '../pseudobulk/gene-sample-matrix.ts';
import { OrthogonalFactor } from '../pseudobulk/orthogonal-factor.ts';
import { trigamma, digamma, digammaTail, seriesFrom } from '../statistics/polygamma.ts';
import { median } from '../statistics/quantile.ts';
import { findRoot } from '../statistics/find-root.ts';
import { dispersionTrend, trendAt, type DispersionTrend } from './dispersion-trend.ts';
import { GeneModel, minMean } from './gene-model.ts';
import { replicatesOf } from './replicates.ts';
import { roughDispersion } from './rough-dispersions.ts';
import { Cholesky } from './cholesky.ts';

export interface FittedSamples {
  design: Design;
  sizeFactors: Float64Array;
}

export interface GenewiseDispersions {
  /** Mean of the counts divided by size factors. */
  readonly baseMeans: Float64Array;
  readonly dispersions: Float64Array;
  /** Genes × samples: means about which dispersions are estimated. */
  readonly fitted: Float64Array;
}

export interface DispersionPrior {
  readonly trend: DispersionTrend;
  /** Variance of the natural log of the true dispersions, at least 0.25. */
  readonly variance: number;
  /** Standard deviation of the log gene-wise dispersions about the trend. */
  readonly spread: number;
}

/** Gene-wise dispersions below this multiple of the minimum are not used to estimate the spread. */
const tellingFrom = 100;
const minPriorVariance = 0.25;
/** Median absolute deviation of the standard normal distribution. */
const normalDeviation = 0.674_489_750_196_081_7;
/** A gene keeps its own dispersion if it is more than this many standard deviations above the trend. */
const outlierFrom = 2;

/** Every gene must have a count. */
export function genewiseDispersions(
  { geneCount, sampleCount, values }: GeneSampleMatrix,
  { design, sizeFactors }: FittedSamples,
): GenewiseDispersions {
  const likelihood = new DispersionLikelihood(design);
  const [minDispersion, maxDispersion] = likelihood.limits;
  const model = new GeneModel(design, sizeFactors);
  const line = new LeastSquares(design);
  // With as many kinds of samples as coefficients, the means of the kinds are the fit.
  const isGrouped = replicatesOf(design).sizes.length === design.columns.length;
  const meanInverse = sizeFactors.reduce((sum, factor) => sum + 1 / factor, 0) / sampleCount;
  const baseMeans = new Float64Array(geneCount);
  const dispersions = new Float64Array(geneCount);
  const fitted = new Float64Array(values.length);
  for (let gene = 0; gene < geneCount; gene++) {
    const counts = values.subarray(gene * sampleCount, (gene + 1) * sampleCount);
    const means = fitted.subarray(gene * sampleCount, (gene + 1) * sampleCount);
    const normalised = counts.map((count, i) => count / sizeFactors[i]!);
    baseMeans[gene] = normalised.reduce((sum, value) => sum + value, 0) / sampleCount;
    const expected = line.fitted(normalised);
    const residualDegrees = sampleCount - design.columns.length;
    const rough = roughDispersion({ values: normalised, fitted: expected, residualDegrees, meanInverse });
    const start = Math.min(maxDispersion, Math.max(minDispersion, rough));
    if (isGrouped) {
      for (let i = 0; i < sampleCount; i++) means[i] = Math.max(sizeFactors[i]! * expected[i]!, minMean);
    } else {
      model.fit(counts, start);
      means.set(model.means);
    }
    dispersions[gene] = likelihood.maximise({ counts, means, start });
  }
  return { baseMeans, dispersions, fitted };
}

/** Estimates the dispersion prior from the gene-wise dispersions (Love, Huber and Anders 2014, equations 6 and 7). */
export function dispersionPrior(
  { baseMeans, dispersions }: Pick<GenewiseDispersions, 'baseMeans' | 'dispersions'>,
  { design }: Pick<FittedSamples, 'design'>,
): DispersionPrior {
  const [minDispersion] = new DispersionLikelihood(design).limits;
  const trend = dispersionTrend(dispersions, baseMeans, minDispersion);
  const telling = dispersions
    .map((dispersion, gene) =>
      dispersion >= tellingFrom * minDispersion
        ? Math.log(dispersion / trendAt(trend, baseMeans[gene]!))
        : NaN,
    )
    .filter((residual) => !Number.isNaN(residual));
  const middle = median(telling);
  const spread =
    telling.length > 0 ? median(telling.map((residual) => Math.abs(residual - middle))) / normalDeviation : 0;
  const chance = trigamma((design.sampleCount - design.columns.length) / 2);
  return { trend, spread, variance: Math.max(spread * spread - chance, minPriorVariance) };
}

/** Expected dispersions and their maximum a posteriori estimates; genes far above the trend keep their own. */
export function finalDispersions(
  { sampleCount, values }: GeneSampleMatrix,
  { baseMeans, dispersions, fitted }: GenewiseDispersions,
  { design }: FittedSamples,
  { trend, variance, spread }: DispersionPrior,
): { expected: Float64Array; final: Float64Array } {
  const likelihood = new DispersionLikelihood(design);
  const expected = baseMeans.map((mean) => trendAt(trend, mean));
  const final = dispersions.map((own, gene) => {
    const start = expected[gene]!;
    if (Math.log(own) > Math.log(start) + outlierFrom * spread) return own;
    const rows = [gene * sampleCount, (gene + 1) * sampleCount] as const;
    const request = { counts: values.subarray(...rows), means: fitted.subarray(...rows), start };
    return likelihood.maximise({ ...request, priorVariance: variance });
  });
  return { expected, final };
}

class LeastSquares {
  readonly #design: Design;
  readonly #factor: OrthogonalFactor;

  constructor(design: Design) {
    this.#design = design;
    this.#factor = new OrthogonalFactor(design.sampleCount, design.columns.length);
    design.columns.forEach((column, at) => this.#factor.columns.set(column, at * design.sampleCount));
    this.#factor.factor();
  }

  fitted(values: Float64Array): Float64Array {
    const effects = values.slice();
    this.#factor.rotate(effects);
    this.#factor.solve(effects);
    return values.map((_, i) =>
      this.#design.columns.reduce((sum, column, at) => sum + effects[at]! * column[i]!, 0),
    );
  }
}

interface DispersionRequest {
  counts: Float64Array;
  /** Fitted means of the counts, positive. */
  means: Float64Array;
  start: number;
  /** Variance of the normal prior of the log dispersion; the prior mean is the logarithm of `start`. */
  priorVariance?: number;
}

/** Slopes of the log likelihood below this count as flat, where PyDESeq2's optimiser stops. */
const flat = 1e-5;

/**
 * Dispersion of a gene's counts given their means: the local maximum, next to the start, of the negative binomial
 * likelihood with Cox–Reid adjustment (1987) and an optional prior (Love, Huber and Anders 2014, equations 13 to 16).
 * Limits are 1e-8 and the larger of 10 and the number of samples.
 */
class DispersionLikelihood {
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
