import { percentilePlace } from '../masks/percentiles.ts';
import { moveLargestToEnd } from './largest-to-end.ts';

/** The quantile of n rising numbers, `share` from 0 to 1, between neighbours on a line (R's type 7). NaN for none. */
export function quantileOf(rising: Float64Array, share: number): number {
  if (rising.length === 0) return NaN;
  const { lower, upper, fraction } = percentilePlace(100 * share, rising.length);
  return rising[lower]! + fraction * (rising[upper]! - rising[lower]!);
}

/** The same of numbers in any order, none of which is NaN, in time linear in them. */
export function quantileAmong(values: Float64Array, share: number): number {
  if (values.length === 0) return NaN;
  const { lower, upper, fraction } = percentilePlace(100 * share, values.length);
  const own = values.slice();
  moveLargestToEnd(own, own.length - lower);
  const least = own[lower]!;
  if (upper === lower) return least;
  let next = own[upper]!;
  for (let at = upper + 1; at < own.length; at++) next = Math.min(next, own[at]!);
  return least + fraction * (next - least);
}

/** NaN for no numbers. */
export function median(values: Float64Array): number {
  return quantileOf(values.slice().sort(), 0.5);
}
