/** Mean of the numbers without the share `trim` of them, rounded down, at either end. NaN for none. */
export function trimmedMean(values: Float64Array, trim: number): number {
  const cut = Math.floor(values.length * trim);
  const kept = values
    .slice()
    .sort()
    .subarray(cut, values.length - cut);
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}
