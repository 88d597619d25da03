/**
 * Benjamini–Hochberg adjusted p-values, in the order given: the minimum of p · n / rank over the p-values at or above
 * each, capped at 1; equal to statsmodels' `multipletests(method="fdr_bh")`. NaN counts as 1, as scanpy passes it on.
 * Ties get equal results, so sorting the values alone is enough: numbers sort without a comparator many times as fast
 * as indices with one.
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
