/** Maximum entries of a gene that a key can distinguish: 32 bits of value and 21 bits of index fit a float64. */
export const maxEntries = 2 ** 21;

/**
 * Sorts the entries of one gene by value. A key holds the bits of a float32, transformed to preserve order, above the
 * index of the entry: typed arrays of numbers are sorted without a comparator, many times as fast as with one.
 */
export class EntrySorter {
  count = 0;
  #keys = new Float64Array(1024);
  #places = new Float64Array(1024);
  readonly #float = new Float32Array(1);
  readonly #bits = new Int32Array(this.#float.buffer);

  begin(capacity: number): void {
    this.count = 0;
    if (capacity <= this.#keys.length) return;
    this.#keys = new Float64Array(2 * capacity);
    this.#places = new Float64Array(2 * capacity);
  }

  add(value: number, place: number): void {
    this.#float[0] = value;
    const bits = this.#bits[0]!;
    this.#keys[this.count] = (bits < 0 ? -(bits & 0x7fffffff) : bits) * maxEntries + this.count;
    this.#places[this.count++] = place;
  }

  /**
   * Sum of the products of centred ranks, and sum of squares of the ranks of the values; all other cells count as
   * zeros.
   */
  ranked(cellCount: number): { product: number; variation: number } {
    const keys = this.#keys.subarray(0, this.count).sort();
    const zeros = cellCount - this.count;
    const negatives = countBelowZero(keys);
    const zeroRank = negatives + (zeros + 1) / 2;
    let product = 0;
    let ties = zeros ** 3 - zeros;
    for (let start = 0; start < keys.length;) {
      const value = Math.floor(keys[start]! / maxEntries);
      let end = start;
      let places = 0;
      while (end < keys.length && Math.floor(keys[end]! / maxEntries) === value) {
        places += this.#places[keys[end]! - value * maxEntries]!;
        end++;
      }
      const rank = (start + end + 1) / 2 + (start >= negatives ? zeros : 0);
      // Without zeros the ranks on the axis add up to 0, so any rank may be taken off.
      product += (rank - zeroRank) * places;
      ties += (end - start) ** 3 - (end - start);
      start = end;
    }
    return { product, variation: (cellCount ** 3 - cellCount - ties) / 12 };
  }
}

function countBelowZero(rising: Float64Array): number {
  const first = rising.findIndex((key) => key >= 0);
  return first < 0 ? rising.length : first;
}
