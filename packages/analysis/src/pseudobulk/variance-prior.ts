import { digamma, trigamma, trigammaInverse } from '../statistics/polygamma.ts';
import { median } from '../statistics/quantile.ts';
import { naturalSplineFit } from './natural-spline-fit.ts';

/** Scaled inverse chi-square prior of the genes' true variances. */
export interface VariancePrior {
  /** Prior degrees of freedom; Infinity if the variances differ by chance alone. */
  degrees: number;
  /** Prior variance of each gene; equal for all without a trend. */
  scales: Float64Array;
  /** Prior degrees of freedom per gene, if they differ: fewer for genes more variable than the others. */
  geneDegrees?: Float64Array;
}

/**
 * Smyth's moment estimate (2004) of the prior of variances, from their logarithms; `degrees`: residual degrees of
 * freedom, common or per gene. limma's `fitFDist`. With a `covariate` (the mean log expression) the prior variance
 * follows it along a natural spline. Genes without residual degrees of freedom get the others' prior variance and do
 * not affect it.
 */
export function variancePrior(
  variances: Float64Array,
  degrees: number | Float64Array,
  covariate?: Float64Array,
): VariancePrior {
  const degreesOf = (gene: number) => (typeof degrees === 'number' ? degrees : degrees[gene]!);
  const used = Int32Array.from(variances.keys()).filter((gene) => degreesOf(gene) > 0);
  const count = used.length;
  if (count < 2) return { degrees: 0, scales: variances.slice() };
  const positive = awayFromZero(Float64Array.from(used, (gene) => variances[gene]!));
  const logs = positive.map((variance, at) => {
    const half = degreesOf(used[at]!) / 2;
    return Math.log(variance) + Math.log(half) - digamma(half);
  });
  const own = covariate && Float64Array.from(used, (gene) => covariate[gene]!);
  const knots = own ? Math.min(splineDegrees(count), new Set(own).size) : 1;
  const { fitted, rank } =
    own && knots > 1
      ? naturalSplineFit(own, logs, knots, covariate)
      : { fitted: meanOf(logs, variances.length), rank: 1 };
  let [square, chance] = [0, 0];
  for (let at = 0; at < count; at++) {
    square += (logs[at]! - fitted[used[at]!]!) ** 2;
    chance += trigamma(degreesOf(used[at]!) / 2);
  }
  const excess = square / (count - rank) - chance / count;
  if (excess > 0) {
    const prior = 2 * trigammaInverse(excess);
    const back = digamma(prior / 2) - Math.log(prior / 2);
    return { degrees: prior, scales: fitted.map((value) => Math.exp(value + back)) };
  }
  if (rank > 1) return { degrees: Infinity, scales: fitted.map(Math.exp) };
  const pooled = positive.reduce((sum, variance) => sum + variance, 0) / count;
  return { degrees: Infinity, scales: new Float64Array(variances.length).fill(pooled) };
}

/** A variance drawn towards its prior, each weighted by its degrees of freedom; limma's `squeezeVar`. */
export function moderatedVariance(
  own: { variance: number; degrees: number },
  prior: { variance: number; degrees: number },
): number {
  if (prior.degrees === Infinity) return prior.variance;
  return (own.degrees * own.variance + prior.degrees * prior.variance) / (own.degrees + prior.degrees);
}

/** Raises variances far below the median to a hundred-thousandth of it, since zero has no logarithm. */
function awayFromZero(variances: Float64Array): Float64Array {
  const typical = median(variances);
  const minVariance = 1e-5 * (typical === 0 ? 1 : typical);
  return variances.map((variance) => Math.max(variance, minVariance));
}

function meanOf(values: Float64Array, count: number): Float64Array {
  return new Float64Array(count).fill(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** Fewer spline degrees for few genes, as in limma. */
function splineDegrees(count: number): number {
  if (count >= 30) return 4;
  if (count >= 6) return 3;
  return count >= 3 ? 2 : 1;
}
