import { normalUpperQuantile } from '../statistics/normal-quantile.ts';

/** Sums of the values of a gene in a set of cells, on a linear scale (expm1 of the expression). */
export interface LinearSums {
  readonly cells: number;
  readonly expressing: number;
  readonly sum: number;
  readonly squares: number;
}

/** The expression left in perturbed cells, as a share of that of the controls. */
export interface RemainingExpression {
  readonly share: number;
  /** Limits of the 95 % interval; NaN where it has none. */
  readonly low: number;
  readonly high: number;
}

/**
 * Ratio of the means, with a 95 % interval of its logarithm by the delta method. Where no perturbed cell has a value, the
 * upper limit is that of the rule of three: 3 / n cells with the mean of the expressing controls. NaN if no control has
 * a value.
 */
export function remainingExpression(perturbed: LinearSums, controls: LinearSums): RemainingExpression {
  const [mean, other] = [perturbed.sum / perturbed.cells, controls.sum / controls.cells];
  if (!(other > 0) || !(perturbed.cells > 0)) return { share: NaN, low: NaN, high: NaN };
  const share = mean / other;
  if (perturbed.expressing === 0) {
    const perExpressing = controls.sum / controls.expressing;
    return { share: 0, low: 0, high: ((3 / perturbed.cells) * perExpressing) / other };
  }
  const error = Math.sqrt(relativeVariance(perturbed) + relativeVariance(controls));
  const reach = Math.exp(normalUpperQuantile(0.025) * error);
  return { share, low: share / reach, high: share * reach };
}

/** Variance of the mean over the square of the mean. */
function relativeVariance({ cells, sum, squares }: LinearSums): number {
  const mean = sum / cells;
  return Math.max(0, squares / cells - mean * mean) / ((cells - 1) * mean * mean);
}
