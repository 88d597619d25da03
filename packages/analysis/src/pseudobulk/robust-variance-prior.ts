import { fQuantile, fUpperTail } from '../statistics/f-tails.ts';
import { findRoot } from '../statistics/find-root.ts';
import { logBeta, logGamma } from '../statistics/log-gamma.ts';
import { median, quantileOf } from '../statistics/quantile.ts';
import { lowess } from './lowess.ts';
import { variancePrior, type VariancePrior } from './variance-prior.ts';

/** Shares of the log variances winsorised at the lower and the upper end. */
const lowerShare = 0.05;
const upperShare = 0.1;
const trendSpan = 0.4;
/** Variances this far below the median count as zero. */
const minShare = 1e-12;

/**
 * Robust prior of variances, if some genes have far larger ones, by Phipson and others (2016, section 5): both ends of
 * the log variances are winsorised before their mean and variance are matched with those of an equally treated F
 * distribution, and genes too variable for it get fewer prior degrees of freedom. limma's `eBayes(robust = TRUE)`. With
 * a `covariate` (the mean log expression) the prior variance follows it.
 */
export function robustVariancePrior(
  variances: Float64Array,
  degrees: number,
  covariate?: Float64Array,
): VariancePrior {
  const count = variances.length;
  const plain = variancePrior(variances, degrees, covariate);
  // With fewer than ten genes, none is at the upper end.
  if (count * upperShare < 1) return plain;
  const minVariance = minShare * median(variances);
  const logs = variances.map((variance) => Math.log(Math.max(variance, minVariance)));
  const level = covariate ? curveOver(covariate, logs) : new Float64Array(count);
  const winsorised = drawnIn(logs.map((log, gene) => log - level[gene]!));
  const priorDegrees = findDegrees(winsorised.variance, degrees, plain.degrees);
  if (priorDegrees === undefined) return plain;
  const shift = winsorised.mean - momentsOfLogF(degrees, priorDegrees).mean;
  const scales = level.map((value) => Math.exp(value + shift));
  const ratios = logs.map((log, gene) => Math.exp(log) / scales[gene]!);
  return { degrees: priorDegrees, scales, geneDegrees: degreesOfGenes(ratios, degrees, priorDegrees) };
}

function curveOver(covariate: Float64Array, logs: Float64Array): Float64Array {
  const order = Int32Array.from(covariate.keys()).sort((a, b) => covariate[a]! - covariate[b]!);
  const at = (values: Float64Array) => Float64Array.from(order, (gene) => values[gene]!);
  const curve = lowess(at(covariate), at(logs), trendSpan);
  const answer = new Float64Array(logs.length);
  order.forEach((gene, place) => (answer[gene] = curve[place]!));
  return answer;
}

interface Moments {
  mean: number;
  variance: number;
}

function drawnIn(values: Float64Array): Moments {
  const rising = values.slice().sort();
  const [low, high] = [quantileOf(rising, lowerShare), quantileOf(rising, 1 - upperShare)];
  const inner = values.map((value) => Math.min(high, Math.max(low, value)));
  const mean = inner.reduce((sum, value) => sum + value, 0) / inner.length;
  const square = inner.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: square / (inner.length - 1) };
}

/** Panels of Simpson's rule: the density between the quantiles is smooth, and the error is below 1e-12. */
const panels = 400;

/** Mean and variance of winsorised log F, matching the treatment of the variances. */
function momentsOfLogF(degrees: number, below: number): Moments {
  const low = Math.log(fQuantile(1 - lowerShare, degrees, below));
  const high = Math.log(fQuantile(upperShare, degrees, below));
  const step = (high - low) / panels;
  const at = Float64Array.from({ length: panels + 1 }, (_, i) => low + i * step);
  const weights = at.map((log, i) => {
    const simpson = i === 0 || i === panels ? 1 : i % 2 === 1 ? 4 : 2;
    return (simpson / 3) * step * Math.exp(logDensity(log, degrees, below));
  });
  weights[0]! += lowerShare;
  weights[panels]! += upperShare;
  const mean = weights.reduce((sum, weight, i) => sum + weight * at[i]!, 0);
  const variance = weights.reduce((sum, weight, i) => sum + weight * (at[i]! - mean) ** 2, 0);
  return { mean, variance };
}

function logDensity(log: number, degrees: number, below: number): number {
  const [a, b] = [degrees / 2, below / 2];
  if (below === Infinity) return a * (Math.log(a) + log) - a * Math.exp(log) - logGamma(a);
  const odds = Math.log(a / b) + log;
  return a * odds - (a + b) * Math.log1p(Math.exp(odds)) - logBeta(a, b);
}

/**
 * Prior degrees of freedom at which log F has the given variance, at least those of all genes together; undefined if
 * the plain prior suffices.
 */
function findDegrees(variance: number, degrees: number, plain: number): number | undefined {
  // On x / (1 + x), in which 1 is infinity.
  const excess = (link: number) =>
    Math.log(variance / momentsOfLogF(degrees, link === 1 ? Infinity : link / (1 - link)).variance);
  if (excess(1) <= 0) return Infinity;
  if (plain === Infinity) return undefined;
  const start = plain / (1 + plain);
  if (excess(start) >= 0) return plain;
  const link = findRoot(excess, [start, 1], 1e-12);
  return link / (1 - link);
}

/**
 * Prior degrees of freedom of each gene: the common ones, reduced by the probability of being an outlier, which
 * compares the tail probability of its variance with its rank. The most variable gene gets the degrees that make its
 * variance the median of its distribution. A more variable gene never has more degrees than another.
 */
function degreesOfGenes(ratios: Float64Array, degrees: number, prior: number): Float64Array {
  const count = ratios.length;
  const tails = ratios.map((ratio) => fUpperTail(ratio, degrees, prior));
  const order = Int32Array.from(ratios.keys()).sort(
    (a, b) => tails[a]! - tails[b]! || ratios[b]! - ratios[a]!,
  );
  const ranks = ranksFromTop(ratios, order);
  const regular = tails.map((tail, gene) => Math.min(1, tail / ((ranks[gene]! - 0.5) / count)));
  if (regular.every((share) => share === 1)) return new Float64Array(count).fill(prior);
  const own = (share: number) => share * prior + (1 - share) * outlying;
  const isInfinite = prior === Infinity;
  const outlying = isInfinite ? 0 : outlierDegrees(Math.max(...ratios), degrees, prior);
  // With infinitely many, those of an outlier are a share of what all genes together have.
  const ordered = Float64Array.from(order, (gene) => {
    const share = regular[gene]!;
    return isInfinite ? (share < 1 ? share * count * degrees : Infinity) : own(share);
  });
  if (!isInfinite) levelStart(ordered);
  const answer = new Float64Array(count);
  let runningMax = 0;
  order.forEach((gene, place) => {
    runningMax = Math.max(runningMax, ordered[place]!);
    answer[gene] = runningMax;
  });
  return answer;
}

/** Rank of each value from the largest, 1 first; ties share their mean rank. `order` is descending. */
function ranksFromTop(values: Float64Array, order: Int32Array): Float64Array {
  const ranks = new Float64Array(values.length);
  for (let start = 0; start < order.length;) {
    let end = start;
    while (end + 1 < order.length && values[order[end + 1]!] === values[order[start]!]) end++;
    for (let i = start; i <= end; i++) ranks[order[i]!] = (start + end) / 2 + 1;
    start = end + 1;
  }
  return ranks;
}

/** Degrees of freedom for which the tail beyond the largest ratio is about a half. */
function outlierDegrees(largest: number, degrees: number, prior: number): number {
  let estimate = prior;
  for (let step = 0; step < 2; step++) {
    const tail = fUpperTail(largest, degrees, estimate);
    if (tail === 0) return 0;
    estimate *= Math.log(0.5) / Math.log(tail);
  }
  return estimate;
}

/** Replaces the leading values whose running mean is lowest by that mean, so that a single value does not decide. */
function levelStart(values: Float64Array): void {
  let [sum, lowestMean, until] = [0, Infinity, 0];
  values.forEach((value, place) => {
    sum += value;
    if (sum / (place + 1) >= lowestMean) return;
    lowestMean = sum / (place + 1);
    until = place + 1;
  });
  values.fill(lowestMean, 0, until);
}
