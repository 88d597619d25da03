import { percentilePlace } from '../masks/percentiles.ts';

/** Quantile of ascending numbers, `share` from 0 to 1, by linear interpolation (R's type 7). NaN for none. */
export function quantileOf(rising: Float64Array, share: number): number {
  if (rising.length === 0) return NaN;
  const { lower, upper, fraction } = percentilePlace(100 * share, rising.length);
  return rising[lower]! + fraction * (rising[upper]! - rising[lower]!);
}

/** Quantile of unsorted numbers without NaN, in linear time. */
export function quantileAmong(values: Float64Array, share: number): number {
  if (values.length === 0) return NaN;
  const { lower, upper, fraction } = percentilePlace(100 * share, values.length);
  const own = values.slice();
  moveLargestToEnd(own, own.length - lower);
  const lowerValue = own[lower]!;
  if (upper === lower) return lowerValue;
  let next = own[upper]!;
  for (let at = upper + 1; at < own.length; at++) next = Math.min(next, own[at]!);
  return lowerValue + fraction * (next - lowerValue);
}

/** NaN for no numbers. */
export function median(values: Float64Array): number {
  return quantileOf(values.slice().sort(), 0.5);
}

/**
 * Hoare's selection: moves the `count` largest values to the end, the smallest of these first, in linear time; sorting
 * would take most of the caller's time.
 */
export function moveLargestToEnd(values: Float64Array, count: number): void {
  const place = values.length - count;
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let [i, j] = [low, high];
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const other = values[i]!;
      values[i++] = values[j]!;
      values[j--] = other;
    }
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else return;
  }
}
