/** Middle of the values, or the mean of the two in the middle; NaN where there are none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** How many times the peer takes what we take, by the medians. Above 1: ours is the smaller. */
export function ratioOf(ours: readonly number[], peer: readonly number[]): number {
  return median(peer) / median(ours);
}

/** The value that the given share of all is at most (nearest rank); NaN where there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}
