import { studentTwoSidedTail } from './tails.ts';

export interface MeanDifference {
  difference: number;
  /** Two-sided. */
  p: number;
}

/** Paired Student's t-test: scipy's `ttest_rel`. NaN for fewer than two pairs; 1 if all pairs are equal. */
export function pairedTest(first: readonly number[], second: readonly number[]): MeanDifference {
  const { count, mean, variance } = momentsOf(first.map((value, i) => value - second[i]!));
  return { difference: mean, p: tail(mean, variance / count, count - 1) };
}

/** Welch's t-test: scipy's `ttest_ind` with `equal_var=False`. NaN for fewer than two values on a side. */
export function welchTest(first: readonly number[], second: readonly number[]): MeanDifference {
  const [one, other] = [momentsOf(first), momentsOf(second)];
  const [error, otherError] = [one.variance / one.count, other.variance / other.count];
  const degrees =
    (error + otherError) ** 2 / (error ** 2 / (one.count - 1) + otherError ** 2 / (other.count - 1));
  const difference = one.mean - other.mean;
  const fewest = Math.min(one.count, other.count);
  return { difference, p: tail(difference, error + otherError, fewest < 2 ? 0 : degrees) };
}

function momentsOf(values: readonly number[]): { count: number; mean: number; variance: number } {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  return { count, mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1) };
}

function tail(difference: number, squaredError: number, degrees: number): number {
  if (degrees === 0) return NaN;
  if (squaredError === 0) return difference === 0 ? 1 : 0;
  return studentTwoSidedTail(difference / Math.sqrt(squaredError), degrees);
}
