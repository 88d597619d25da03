import { type RankKernel, rankKernel } from './rank-kernel.ts';

/** Fewer pairs than this are sorted by insertion straight away. */
const fewPairs = 24;
/** Bits of a digit of the radix sort. */
const digitBits = 11;
/** Bits of a digit of words, which are sorted by two of them or by four. */
const maxDigitBits = 16;
/** So many words or more are sorted by two digits. */
const manyWords = 4096;
/** Pairs that share a bucket, as seen by the average pair, when the radix sort takes over. */
const crowd = 48;
/** Its bits as a float32; NaN and negative values are above, as unsigned integers. */
const infinity = 0x7f80_0000;

/**
 * Ranks the cells that express a gene, gene after gene, each cell in one of a few slots. Values are compared as the
 * integers that their bits are: one pass deals them into about as many buckets as there are values, by their leading
 * bits between the minimum and the maximum, and an insertion sort puts the few of each bucket in order. Values that
 * crowd in few buckets are sorted digit by digit instead, so that the time stays linear in the values. Where value and
 * slot fit into one word of 32 bits, as those of log-normalised values above 0 do, words are sorted digit by digit, which
 * has no branch that a processor could foresee wrongly, else pairs.
 *
 * All sorters of a thread share their memory: one is used at a time, and what it shows is lost with the next.
 */
export class RankSorter {
  /** Of the last gene, by slot: its sum of values, its cells with a value other than 0, the ranks of those. */
  readonly sums: Float64Array;
  readonly expressing: Int32Array;
  readonly rankSums: Float64Array;
  readonly #kernel: RankKernel;
  readonly #slotCount: number;
  readonly #leftOut: number;
  readonly #layout: ReturnType<typeof layoutOf>;
  readonly #cells: Int32Array;
  readonly #values: Float32Array;
  readonly #greatest: Int32Array;
  readonly #zeroRank: Float64Array;
  /** What `span` wrote. */
  readonly #span: Uint32Array;

  /**
   * `codes` are the slots of all cells, from 0 to below `slotCount`, or `leftOut` for those that are left out. `capacity`
   * is the number of entries of the largest gene.
   */
  constructor(codes: Uint16Array, slotCount: number, capacity: number, leftOut = slotCount) {
    const layout = layoutOf(codes.length, { slotCount, leftOut, capacity });
    const { memory, kernel } = rankKernel(layout.end);
    const { buffer } = memory;
    new Uint16Array(buffer, layout.codes, codes.length).set(codes);
    this.sums = new Float64Array(buffer, layout.sums, leftOut + 1);
    this.expressing = new Int32Array(buffer, layout.expressing, leftOut + 1);
    this.rankSums = new Float64Array(buffer, layout.rankSums, slotCount);
    this.#cells = new Int32Array(buffer, layout.cells, capacity);
    this.#values = new Float32Array(buffer, layout.values, capacity + 3);
    this.#greatest = new Int32Array(buffer, layout.greatest, 1);
    this.#zeroRank = new Float64Array(buffer, layout.zeroRank, 1);
    this.#span = new Uint32Array(buffer, layout.span, 8);
    this.#kernel = kernel;
    this.#slotCount = slotCount;
    this.#leftOut = leftOut;
    this.#layout = layout;
  }

  /**
   * Ranks one gene among `cellCount` cells, those without an entry having 0. Returns the rank that cells of value 0
   * share, and the sum of t³ - t over all runs of t equal values. Ranks of the cells of value 0 are not in `rankSums`.
   */
  rank(cells: Int32Array, values: Float32Array, cellCount: number): { zeroRank: number; tieTerm: number } {
    this.#cells.set(cells);
    this.#values.set(values);
    this.sums.fill(0);
    this.expressing.fill(0);
    this.rankSums.fill(0);
    return this.#rankWords(cells.length, cellCount) ?? this.#rankPairs(cells.length, cellCount);
  }

  /** Undefined where values are negative, or too far from each other to be in one word with their slots. */
  #rankWords(entries: number, cellCount: number) {
    const kernel = this.#kernel;
    const { cells, values, codes, pairs, sums, expressing, rankSums } = this.#layout;
    // Those behind the last, of a gene before.
    this.#values.fill(0, entries, entries + 3);
    kernel.span(values, values + 4 * entries, this.#layout.span);
    let [less, most] = [0xffff_ffff, 0];
    for (let lane = 0; lane < 4; lane++) {
      less = Math.min(less, this.#span[lane]!);
      most = Math.max(most, this.#span[4 + lane]!);
    }
    const least = (less + 1) >>> 0;
    const slotBits = bitsOf(this.#slotCount - 1);
    const valueBits = bitsOf(Math.max(0, most - least));
    if (most > infinity || valueBits + slotBits > 32) return undefined;
    const end = kernel.pack(cells, values, entries, codes, this.#leftOut, least, slotBits, pairs) >>> 0;
    if (slotBits !== 1) kernel.sumPacked(pairs, end, least, slotBits, sums, expressing);
    this.#sortWords(end - pairs, { slotBits, valueBits });
    const zeros = cellCount - (end - pairs) / 4;
    const tieTerm =
      slotBits === 1
        ? kernel.rankTwo(pairs, end, zeros, least, sums, expressing, rankSums)
        : kernel.rankPacked(pairs, end, zeros, slotBits, rankSums);
    return { zeroRank: (zeros + 1) / 2, tieTerm: tieTerm + (zeros * zeros * zeros - zeros) };
  }

  /** Puts words in order by the bits of their values, two digits at a time. */
  #sortWords(length: number, { slotBits, valueBits }: { slotBits: number; valueBits: number }): void {
    const kernel = this.#kernel;
    const { pairs, otherPairs, buckets } = this.#layout;
    // As many as make the buckets few beside the words.
    const digit = Math.ceil(valueBits / (length / 4 < manyWords ? 4 : 2));
    const nextBuckets = buckets + 4 * 2 ** digit;
    for (let shift = slotBits; shift < slotBits + valueBits; shift += 2 * digit) {
      kernel.countPacked(pairs, pairs + length, shift, digit, buckets);
      kernel.dealPacked(pairs, pairs + length, otherPairs, shift, digit, buckets);
      kernel.dealPacked(otherPairs, otherPairs + length, pairs, shift + digit, digit, nextBuckets);
    }
  }

  #rankPairs(entries: number, cellCount: number) {
    const { pairs, sums, expressing, rankSums, codes, zeroRank } = this.#layout;
    const end = this.#kernel.collect(
      this.#layout.cells,
      this.#layout.values,
      entries,
      codes,
      this.#leftOut,
      pairs,
      sums,
      expressing,
    );
    const length = (end >>> 0) - pairs;
    const first = this.#sort(length);
    const zeros = cellCount - length / 8;
    const tieTerm = this.#kernel.rank(first, first + length, zeros, rankSums, zeroRank);
    return { zeroRank: this.#zeroRank[0]!, tieTerm: tieTerm + (zeros * zeros * zeros - zeros) };
  }

  /** Puts the pairs in order and returns where they are then. */
  #sort(length: number): number {
    const kernel = this.#kernel;
    const { pairs, otherPairs, buckets, greatest } = this.#layout;
    const end = pairs + length;
    const count = length / 8;
    if (count <= fewPairs) {
      kernel.insertion(pairs, end);
      return pairs;
    }
    const least = kernel.extent(pairs, end, greatest);
    const range = (this.#greatest[0]! - least) >>> 0;
    const shift = Math.max(0, bitsOf(range) - bitsOf(count));
    const company = kernel.count(pairs, end, otherPairs, least, shift, -1, buckets, range >>> shift);
    if (shift > 0 && company > crowd * count) return this.#sortDigits(length, least, range);
    kernel.deal(pairs, end, least, shift, -1, buckets);
    if (shift > 0) kernel.insertion(otherPairs, otherPairs + length);
    return otherPairs;
  }

  #sortDigits(length: number, least: number, range: number): number {
    const kernel = this.#kernel;
    const { pairs, otherPairs, buckets } = this.#layout;
    const mask = (1 << digitBits) - 1;
    let from = pairs;
    for (let shift = 0; shift < bitsOf(range); shift += digitBits) {
      const to = from === pairs ? otherPairs : pairs;
      kernel.count(from, from + length, to, least, shift, mask, buckets, mask);
      kernel.deal(from, from + length, least, shift, mask, buckets);
      from = to;
    }
    return from;
  }
}

/** Addresses in bytes. */
function layoutOf(
  cellCount: number,
  { slotCount, leftOut, capacity }: Record<'slotCount' | 'leftOut' | 'capacity', number>,
) {
  let end = 0;
  const place = (bytes: number) => {
    const start = end;
    end += Math.ceil(bytes / 8) * 8;
    return start;
  };
  // First, as the kernel may look 8 bytes before the first pair.
  const greatest = place(4);
  const zeroRank = place(8);
  const parts = {
    greatest,
    zeroRank,
    span: place(32),
    codes: place(2 * cellCount),
    sums: place(8 * (leftOut + 1)),
    expressing: place(4 * (leftOut + 1)),
    rankSums: place(8 * slotCount),
    cells: place(4 * capacity),
    values: place(4 * (capacity + 3)),
    // One more than the capacity: a value that is left out is written and then written over.
    pairs: place(8 * (capacity + 1)),
    otherPairs: place(8 * (capacity + 1)),
    // Of two digits.
    buckets: place(4 * Math.max(2 << maxDigitBits, 2 ** bitsOf(capacity))),
  };
  return { ...parts, end };
}

/** Bits that a whole number from 0 to 2^32 - 1 takes. */
function bitsOf(value: number): number {
  return 32 - Math.clz32(value);
}
