/** Percentiles from 0 to 100, `min` not above `max`. */
export interface PercentileRange {
  readonly min: number;
  readonly max: number;
}

/** A range of percentiles that cannot be applied; the message says what to enter instead. */
export class InvalidPercentiles extends Error {
  override readonly name = 'InvalidPercentiles';
  readonly range: PercentileRange;
  constructor(range: PercentileRange, message: string) {
    super(message);
    this.range = range;
  }
}

/** Throws InvalidPercentiles unless both ends are numbers from 0 to 100 and the minimum is not above the maximum. */
export function checkPercentiles(range: PercentileRange): void {
  for (const [end, value] of [
    ['minimum', range.min],
    ['maximum', range.max],
  ] as const) {
    if (!Number.isFinite(value)) {
      throw new InvalidPercentiles(
        range,
        `The ${end} percentile is not a number: enter a number from 0 to 100.`,
      );
    }
    if (value < 0 || value > 100) {
      throw new InvalidPercentiles(range, `The ${end} percentile is ${value}: enter a number from 0 to 100.`);
    }
  }
  if (range.min > range.max) {
    throw new InvalidPercentiles(
      range,
      `The minimum percentile (${range.min}) is above the maximum (${range.max}): enter a minimum that is not above the maximum.`,
    );
  }
}

/** Position of a percentile in n sorted values: two ranks, and the fraction between them. */
interface PercentilePlace {
  lower: number;
  upper: number;
  fraction: number;
}

/** Position of `percentile` (0 to 100) among `count` sorted values, by numpy's linear method. */
export function percentilePlace(percentile: number, count: number): PercentilePlace {
  const index = (count - 1) * (percentile / 100);
  if (index >= count - 1) return { lower: count - 1, upper: count - 1, fraction: 0 };
  const lower = Math.floor(index);
  return { lower, upper: lower + 1, fraction: index - lower };
}

/**
 * numpy's interpolation, which starts from the nearer end. `difference` is upper − lower in the precision of the
 * values: numpy subtracts float32 values in float32 before continuing in float64.
 */
export function interpolate(lower: number, upper: number, difference: number, fraction: number): number {
  const value = fraction >= 0.5 ? upper - difference * (1 - fraction) : lower + difference * fraction;
  return value + 0; // Makes −0 a plain 0, because thresholds are shown.
}

const buckets = 65536;

/**
 * Values at the given ranks of the sorted array, without sorting it. Ranks are ascending integers from 0; `values` is
 * not changed. The caller must exclude NaN, which would sort last. One pass counts values by their first 16 bits (sign,
 * exponent and leading mantissa bits, which sort like the numbers); only buckets with a wanted rank are gathered and
 * sorted: a fortieth to a hundredth of typical data, all of it at worst.
 */
export function orderStatistics(values: Float32Array | Float64Array, ranks: readonly number[]): number[] {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.byteLength / 4);
  // The word with the sign is the second of two in a Float64Array: every platform that Node runs on is little-endian.
  const stride = values.BYTES_PER_ELEMENT / 4;
  const offset = stride - 1;

  const counts = new Uint32Array(buckets);
  for (let i = offset; i < words.length; i += stride) counts[bucketOf(words[i]!)]!++;

  const statistics: number[] = [];
  let bucket = -1;
  let before = 0;
  let through = 0;
  let sorted: Float32Array | Float64Array | undefined;
  for (const rank of ranks) {
    if (!(rank >= 0 && rank < values.length)) {
      throw new RangeError(`There is no rank ${rank} among ${values.length} values.`);
    }
    while (rank >= through) {
      bucket++;
      before = through;
      through += counts[bucket]!;
      sorted = undefined;
    }
    sorted ??= gather(values, words, stride, bucket, through - before).sort();
    statistics.push(sorted[rank - before]!);
  }
  return statistics;
}

/**
 * First 16 bits of a float in sortable form: all bits of a negative inverted, only the sign bit of others. Branch-free,
 * since signs come in any order.
 */
function bucketOf(word: number): number {
  return (word ^ ((word >> 31) | 0x80000000)) >>> 16;
}

function gather(
  values: Float32Array | Float64Array,
  words: Uint32Array,
  stride: number,
  bucket: number,
  count: number,
): Float32Array | Float64Array {
  const gathered = values instanceof Float32Array ? new Float32Array(count) : new Float64Array(count);
  let filled = 0;
  for (let i = 0, word = stride - 1; word < words.length; i++, word += stride) {
    if (bucketOf(words[word]!) === bucket) gathered[filled++] = values[i]!;
  }
  return gathered;
}

/** Values that are not missing; the same array if none is. */
export function withoutNaN<Values extends Float32Array | Float64Array>(values: Values): Values {
  for (let i = 0; i < values.length; i++) {
    if (values[i] !== values[i]) return values.filter((value) => value === value) as Values;
  }
  return values;
}
