/** Buckets of up to so many values are sorted by insertion. */
const fewValues = 24;

/**
 * Benjamini–Hochberg adjusted p-values, in the order given: the minimum of p · n / rank over the p-values at or above
 * each, capped at 1; equal to statsmodels' `multipletests(method="fdr_bh")`. NaN counts as 1, as scanpy passes it on.
 * Ties get equal results, so sorting the values alone is enough. They are dealt into as many buckets as there are
 * values: time is linear where p-values are spread over 0 to 1, as most are, and that of sorting them where not.
 */
export function benjaminiHochberg(pValues: Float64Array): Float64Array {
  const count = pValues.length;
  const adjusted = new Float64Array(count);
  for (let i = 0; i < count; i++) adjusted[i] = Number.isNaN(pValues[i]) ? 1 : pValues[i]!;
  const { sorted, starts } = inBuckets(adjusted);

  const running = new Float64Array(count);
  let min = 1;
  for (let i = count - 1; i >= 0; i--) {
    min = Math.min(min, sorted[i]! / ((i + 1) / count));
    running[i] = min;
  }
  for (let i = 0; i < count; i++) {
    const value = adjusted[i]!;
    const bucket = bucketOf(value, count);
    adjusted[i] = running[lastAtMost(sorted, value, starts[bucket]!, starts[bucket + 1]! - 1)]!;
  }
  return adjusted;
}

/** The values in rising order, and where each bucket of them begins, with the end of the last. */
function inBuckets(values: Float64Array): { sorted: Float64Array; starts: Int32Array } {
  const count = values.length;
  // One more for p-values of 1.
  const starts = new Int32Array(count + 2);
  for (let i = 0; i < count; i++) starts[bucketOf(values[i]!, count) + 1]!++;
  for (let bucket = 0; bucket <= count; bucket++) starts[bucket + 1]! += starts[bucket]!;
  const next = starts.slice();
  const sorted = new Float64Array(count);
  for (let i = 0; i < count; i++) sorted[next[bucketOf(values[i]!, count)]!++] = values[i]!;
  for (let bucket = 0; bucket <= count; bucket++) {
    const [from, end] = [starts[bucket]!, starts[bucket + 1]!];
    if (end - from > fewValues) sorted.subarray(from, end).sort();
    else if (end - from > 1) insertionSort(sorted, from, end);
  }
  return { sorted, starts };
}

/** From 0 to `count`, rising with the value, also of one that is no p-value. */
function bucketOf(value: number, count: number): number {
  return Math.max(0, Math.min(count, Math.floor(value * count)));
}

function insertionSort(values: Float64Array, from: number, end: number): void {
  for (let i = from + 1; i < end; i++) {
    const value = values[i]!;
    let place = i;
    for (; place > from && values[place - 1]! > value; place--) values[place] = values[place - 1]!;
    values[place] = value;
  }
}

/** Last place in [low, high] with at most `value`, which is in there. */
function lastAtMost(rising: Float64Array, value: number, low: number, high: number): number {
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rising[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
