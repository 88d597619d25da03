/**
 * P-values adjusted for their number by the false discovery rate of Benjamini and Hochberg, in the order given:
 * each is the least, over the p-values at or above it, of p · n / rank, and at most 1. The numbers are those of
 * statsmodels' `multipletests(method="fdr_bh")`. A NaN counts as 1, as scanpy passes it on.
 *
 * Equal p-values are adjusted to equal numbers, so sorting the values alone is enough: the engine sorts numbers
 * without a comparator many times as fast as it sorts positions with one.
 */
export function benjaminiHochberg(pValues: Float64Array): Float64Array {
  const count = pValues.length;
  const adjusted = new Float64Array(count);
  for (let i = 0; i < count; i++) adjusted[i] = Number.isNaN(pValues[i]) ? 1 : pValues[i]!;
  const sorted = adjusted.slice().sort();

  const running = new Float64Array(count);
  let min = 1;
  for (let i = count - 1; i >= 0; i--) {
    min = Math.min(min, sorted[i]! / ((i + 1) / count));
    running[i] = min;
  }
  for (let i = 0; i < count; i++) adjusted[i] = running[lastAtMost(sorted, adjusted[i]!)]!;
  return adjusted;
}

/** Position of the last of the rising numbers that is not above `value`. */
function lastAtMost(rising: Float64Array, value: number): number {
  let low = 0;
  let high = rising.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rising[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
