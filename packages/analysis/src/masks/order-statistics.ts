const BUCKETS = 65536;

/**
 * The values at the given ranks of the sorted array, without sorting it. Ranks are rising whole numbers from 0;
 * `values` is not changed. The caller has made sure that there is no NaN; where there is one, it sorts last.
 *
 * One pass counts the values by the first 16 bits of their representation (sign, exponent and the leading bits of
 * the mantissa, which sort as the numbers do), and only the buckets that hold a wanted rank are gathered and
 * sorted: a fortieth to a hundredth of the values in data as it occurs, all of them at worst.
 */
export function orderStatistics(values: Float32Array | Float64Array, ranks: readonly number[]): number[] {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.byteLength / 4);
  // The word with the sign is the second of two in a Float64Array: every platform that Node runs on is little-endian.
  const stride = values.BYTES_PER_ELEMENT / 4;
  const offset = stride - 1;

  const counts = new Uint32Array(BUCKETS);
  for (let i = offset; i < words.length; i += stride) counts[bucketOf(words[i]!)]!++;

  const found: number[] = [];
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
    found.push(sorted[rank - before]!);
  }
  return found;
}

/** First 16 bits of a float, turned so that they rise with the number: all bits of a negative, the sign bit of others. No branch: signs come in any order. */
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
  let found = 0;
  for (let i = 0, word = stride - 1; word < words.length; i++, word += stride) {
    if (bucketOf(words[word]!) === bucket) gathered[found++] = values[i]!;
  }
  return gathered;
}
