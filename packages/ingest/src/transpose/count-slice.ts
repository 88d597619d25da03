import type { RowSlice } from './row-slice.ts';
import { EntryOutOfRange } from './sorted-batch.ts';
import type { ValueStatistics } from './value-statistics.ts';

/**
 * Adds the values other than zero to the counts of their genes, and what they are to the statistics (all
 * but `entries`); sets the totals of the cells. Returns whether genes strictly rise in every row. Throws
 * EntryOutOfRange with the position in the file.
 */
export function countSlice(
  { indices, values, rowStart, firstCell, base }: RowSlice,
  totals: Float64Array,
  counts: Uint32Array,
  statistics: ValueStatistics,
): boolean {
  const geneCount = counts.length;
  const rowCount = rowStart.length - 1;
  // In memory, not in variables: a bound that hardly ever moves is then a branch hardly ever taken.
  const bounds = Float64Array.of(statistics.minimum, statistics.maximum);
  let { zeros } = statistics;
  let rising = true;
  for (let row = 0; row < rowCount; row++) {
    const start = rowStart[row]!;
    const end = rowStart[row + 1]!;
    let last = -1;
    let sum = 0;
    for (let i = start; i < end; i++) {
      const gene = indices[i]!;
      if (gene >>> 0 >= geneCount) throw new EntryOutOfRange(base + i, gene, geneCount);
      if (gene <= last) rising = false;
      last = gene;
      const value = values[i]!;
      sum += value;
      if (value === 0) {
        zeros++;
        continue;
      }
      counts[gene]!++;
      if (value < bounds[0]!) bounds[0] = value;
      if (value > bounds[1]!) bounds[1] = value;
    }
    totals[firstCell + row] = sum;
    // What hardly any matrix has is looked for only in rows that may have it.
    if (bounds[0]! < 0 || sum !== sum) countStrange(values, start, end, statistics);
  }
  statistics.minimum = bounds[0]!;
  statistics.maximum = bounds[1]!;
  statistics.zeros = zeros;
  if (statistics.fractional === 0 && hasFraction(values, rowStart[rowCount]!)) statistics.fractional = 1;
  return rising;
}

function countStrange(values: Float32Array, start: number, end: number, into: ValueStatistics): void {
  for (let i = start; i < end; i++) {
    const value = values[i]!;
    if (value !== value) into.nan++;
    else if (value < 0) into.negative++;
  }
}

/** NaN is missing, not a fraction. */
function hasFraction(values: Float32Array, count: number): boolean {
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (Math.floor(value) !== value && value === value) return true;
  }
  return false;
}
