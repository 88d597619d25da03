/** Where a percentile lies in n sorted values: between two ranks, and how far from the lower to the upper. */
export interface PercentilePlace {
  readonly lower: number;
  readonly upper: number;
  readonly fraction: number;
}

/** The place of `percentile` (0 to 100) among `count` sorted values, by numpy's linear method. */
export function percentilePlace(percentile: number, count: number): PercentilePlace {
  const index = (count - 1) * (percentile / 100);
  if (index >= count - 1) return { lower: count - 1, upper: count - 1, fraction: 0 };
  const lower = Math.floor(index);
  return { lower, upper: lower + 1, fraction: index - lower };
}

/**
 * numpy's interpolation, which starts from the nearer end. `difference` is upper − lower in the precision of the
 * values: numpy subtracts float32 values in float32 before it goes on in float64.
 */
export function interpolate(lower: number, upper: number, difference: number, fraction: number): number {
  const value = fraction >= 0.5 ? upper - difference * (1 - fraction) : lower + difference * fraction;
  return value + 0; // Makes −0 a plain 0, because thresholds are shown.
}
