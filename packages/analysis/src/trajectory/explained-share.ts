/**
 * Share (0 to 1) of a number's variance explained by groups: eta squared, the sum of squares between groups divided by
 * the total. Ignores cells with code -1 or without a finite number. NaN if fewer than two groups have cells, or nothing
 * varies.
 */
export function explainedShare(values: Float64Array, codes: ArrayLike<number>, groupCount: number): number {
  const sums = new Float64Array(groupCount);
  const sizes = new Int32Array(groupCount);
  let [count, all] = [0, 0];
  const counts = (cell: number) => codes[cell]! >= 0 && Number.isFinite(values[cell]);
  for (let cell = 0; cell < values.length; cell++) {
    if (!counts(cell)) continue;
    sums[codes[cell]!]! += values[cell]!;
    sizes[codes[cell]!]!++;
    all += values[cell]!;
    count++;
  }
  if (sizes.filter((size) => size > 0).length < 2) return NaN;
  const mean = all / count;
  let total = 0;
  for (let cell = 0; cell < values.length; cell++) if (counts(cell)) total += (values[cell]! - mean) ** 2;
  let between = 0;
  for (let group = 0; group < groupCount; group++) {
    if (sizes[group]! > 0) between += sizes[group]! * (sums[group]! / sizes[group]! - mean) ** 2;
  }
  return total > 0 ? Math.min(1, between / total) : NaN;
}
