/** Statistics of one pass over the values of a matrix. Explicit zeros are counted separately and then dropped. */
export interface ValueStatistics {
  /** Non-zero values, after summing repeated entries of a cell and gene. */
  entries: number;
  zeros: number;
  nan: number;
  negative: number;
  fractional: number;
  minimum: number;
  maximum: number;
  /** Entries that were added to an earlier one of the same cell and gene. */
  duplicates: number;
  /** 0 if values are carried as in the file; otherwise at least 1: some were rounded to float32. */
  rounded: number;
}

export function emptyStatistics(): ValueStatistics {
  return {
    entries: 0,
    zeros: 0,
    nan: 0,
    negative: 0,
    fractional: 0,
    minimum: Infinity,
    maximum: -Infinity,
    duplicates: 0,
    rounded: 0,
  };
}

export function mergedStatistics(parts: readonly ValueStatistics[]): ValueStatistics {
  const total = emptyStatistics();
  for (const part of parts) {
    total.entries += part.entries;
    total.zeros += part.zeros;
    total.nan += part.nan;
    total.negative += part.negative;
    total.fractional += part.fractional;
    total.minimum = Math.min(total.minimum, part.minimum);
    total.maximum = Math.max(total.maximum, part.maximum);
    total.duplicates += part.duplicates;
    total.rounded += part.rounded;
  }
  return total;
}

/** Whether the values can be raw counts: integers, not negative, none missing, and not all zero. */
export function areCounts(statistics: ValueStatistics): boolean {
  return statistics.fractional === 0 && canBeCounts(statistics);
}

/** Whether the values can be counts, including corrected or expected ones, which have fractions. */
export function canBeCounts({ entries, nan, negative, maximum }: ValueStatistics): boolean {
  return entries > 0 && nan === 0 && negative === 0 && maximum < Infinity;
}

/** Whether the values are integers like counts, but some are missing, negative or infinite, which indicates damage. */
export function areDamagedCounts(statistics: ValueStatistics): boolean {
  return statistics.entries > 0 && statistics.fractional === 0 && !areCounts(statistics);
}

/** float32 holds every integer up to this one. */
const exactInFloat32 = 2 ** 24;

export function observeSum(sum: number, carried: Float32Array | Float64Array, into: ValueStatistics): void {
  into.duplicates++;
  if (sum > into.maximum) into.maximum = sum;
  if (carried instanceof Float32Array && Math.abs(sum) >= exactInFloat32) into.rounded = 1;
}

/** Adds one array of values. Returns how many of them were zero. */
export function observe(values: Float32Array | Float64Array, count: number, into: ValueStatistics): number {
  const zerosBefore = into.zeros;
  if (!observePositive(values, count, into)) observeAny(values, count, into);
  const zeros = into.zeros - zerosBefore;
  into.entries += count - zeros;
  into.fractional += fractionsIn(values, count);
  return zeros;
}

/**
 * Fast path: nearly all values are between the minimum and the maximum so far and need no other check. Returns false,
 * with nothing noted, if one is negative: zeros are then within that range, too.
 */
function observePositive(values: Float32Array | Float64Array, count: number, into: ValueStatistics): boolean {
  let { minimum, maximum, zeros, nan } = into;
  if (minimum < 0) return false;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value >= minimum && value <= maximum) continue;
    if (value < 0) return false;
    if (value === 0) zeros++;
    else if (value !== value) nan++;
    else {
      if (value < minimum) minimum = value;
      if (value > maximum) maximum = value;
    }
  }
  into.minimum = minimum;
  into.maximum = maximum;
  into.zeros = zeros;
  into.nan = nan;
  return true;
}

function observeAny(values: Float32Array | Float64Array, count: number, into: ValueStatistics): void {
  let { zeros, nan, negative, minimum, maximum } = into;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value === 0) {
      zeros++;
    } else if (value !== value) {
      nan++;
    } else {
      if (value < minimum) minimum = value;
      if (value > maximum) maximum = value;
      if (value < 0) negative++;
    }
  }
  into.zeros = zeros;
  into.nan = nan;
  into.negative = negative;
  into.minimum = minimum;
  into.maximum = maximum;
}

/** NaN is missing, not a fraction. */
function fractionsIn(values: Float32Array | Float64Array, count: number): number {
  let fractions = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (Math.floor(value) !== value && value === value) fractions++;
  }
  return fractions;
}

export function assertCounts(statistics: ValueStatistics, { fractions }: { fractions?: boolean }): void {
  if (!(fractions === true ? canBeCounts : areCounts)(statistics)) throw new NotCounts(statistics);
}

/** Reading all values refuted the guess made from a sample. */
export class NotCounts extends Error {
  readonly statistics: ValueStatistics;

  constructor(statistics: ValueStatistics) {
    super('the values are not raw counts after all');
    this.name = 'NotCounts';
    this.statistics = statistics;
  }
}
