import { digamma, trigamma, trigammaInverse } from '../statistics/polygamma.ts';
import { median } from '../statistics/quantile.ts';
import { naturalSplineFit } from './natural-spline-fit.ts';

/** A scaled inverse chi-square distribution of the genes' true variances. */
export interface VariancePrior {
  /** Degrees of freedom that the prior is worth; Infinity where the variances differ by chance alone. */
  readonly degrees: number;
  /** The prior variance of each gene: the same for all without a trend. */
  readonly scales: Float64Array;
  /** Degrees of freedom of each gene, where they differ: fewer for genes that are more variable than the others. */
  readonly geneDegrees?: Float64Array;
}

/**
 * Smyth's estimate (2004) of the distribution from which variances with `degrees` residual degrees of freedom come, the
 * same for all genes or one for each, by the moments of their logarithms: limma's `fitFDist`. With a `covariate` (the mean
 * log expression) the prior variance follows it along a natural spline. Genes without residual degrees of freedom have
 * the prior variance of the others, and no part in it.
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

/** A variance of zero has no logarithm: those far below the median are raised to a hundred-thousandth of it. */
function awayFromZero(variances: Float64Array): Float64Array {
  const typical = median(variances);
  const least = 1e-5 * (typical === 0 ? 1 : typical);
  return variances.map((variance) => Math.max(variance, least));
}

function meanOf(values: Float64Array, count: number): Float64Array {
  return new Float64Array(count).fill(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** Fewer for few genes, as limma has it. */
function splineDegrees(count: number): number {
  if (count >= 30) return 4;
  if (count >= 6) return 3;
  return count >= 3 ? 2 : 1;
}
