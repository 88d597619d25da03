import { percentilePlace } from '../masks/percentiles.ts';

/** The quantile of n rising numbers, `share` from 0 to 1, between neighbours on a line (R's type 7). NaN for none. */
export function quantileOf(rising: Float64Array, share: number): number {
  if (rising.length === 0) return NaN;
  const { lower, upper, fraction } = percentilePlace(100 * share, rising.length);
  return rising[lower]! + fraction * (rising[upper]! - rising[lower]!);
}

/** NaN for no numbers. */
export function median(values: Float64Array): number {
  return quantileOf(values.slice().sort(), 0.5);
}
