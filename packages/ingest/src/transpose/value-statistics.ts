/** What a pass over the values of a matrix saw. Explicit zeros are counted apart and then dropped. */
export interface ValueStatistics {
  /** Values other than zero, repeated entries of a cell and gene already summed. */
  entries: number;
  zeros: number;
  nan: number;
  negative: number;
  /** Values that are not whole. */
  fractional: number;
  minimum: number;
  maximum: number;
  /** Entries that were summed into an earlier one of the same cell and gene. */
  duplicates: number;
  /** 0 where values are carried as they are in the file; otherwise at least 1: some were rounded to float32. */
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

/** Whether the values can be raw counts: whole, not negative, none missing, and not all zero. */
export function areCounts(statistics: ValueStatistics): boolean {
  return statistics.fractional === 0 && canBeCounts(statistics);
}

/** Whether the values can be counts, also corrected or expected ones, which have fractions. */
export function canBeCounts({ entries, nan, negative, maximum }: ValueStatistics): boolean {
  return entries > 0 && nan === 0 && negative === 0 && maximum < Infinity;
}

/** Whether the values are whole as counts are, but some are missing, negative or infinite: something happened to them. */
export function areDamagedCounts(statistics: ValueStatistics): boolean {
  return statistics.entries > 0 && statistics.fractional === 0 && !areCounts(statistics);
}

/** Up to here float32 holds every whole number. */
const exactInFloat32 = 2 ** 24;

/** Sees what repeated entries of a cell and gene add up to in the array that they are carried in. */
export function observeSum(sum: number, carried: Float32Array | Float64Array, into: ValueStatistics): void {
  into.duplicates++;
  if (sum > into.maximum) into.maximum = sum;
  if (carried instanceof Float32Array && Math.abs(sum) >= exactInFloat32) into.rounded = 1;
}

/** Sees values one array at a time. Returns how many of them were zero. */
export function observe(values: Float32Array | Float64Array, count: number, into: ValueStatistics): number {
  const zerosBefore = into.zeros;
  if (!observePositive(values, count, into)) observeAny(values, count, into);
  const zeros = into.zeros - zerosBefore;
  into.entries += count - zeros;
  into.fractional += fractionsIn(values, count);
  return zeros;
}

/**
 * Nearly all values lie between the least and the largest before them, which is all that is asked of those. False, with
 * nothing noted, where one is negative: zeros then lie between, too.
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

/** Throws NotCounts where the values cannot be normalised as counts. */
export function assertCounts(
  statistics: ValueStatistics,
  { fractions }: { readonly fractions?: boolean },
): void {
  if (!(fractions === true ? canBeCounts : areCounts)(statistics)) throw new NotCounts(statistics);
}

/** A sampled belief about the values that reading all of them refuted. */
export class NotCounts extends Error {
  readonly statistics: ValueStatistics;

  constructor(statistics: ValueStatistics) {
    super('the values are not raw counts after all');
    this.name = 'NotCounts';
    this.statistics = statistics;
  }
}
