import { kernelOf, rankModule } from '@cellfolio/kernels';

/** Below this number, pairs are sorted by insertion directly. */
const fewPairs = 24;
const digitBits = 11;
/** Maximum bits per digit of words, which are sorted by two or four digits. */
const maxDigitBits = 16;
/** From this number on, words are sorted by two digits. */
const manyWords = 4096;
/** Mean bucket size, weighted by pairs, at which the radix sort takes over. */
const crowd = 48;
/** Bits of Infinity as a float32; NaN and negative values are larger as unsigned integers. */
const infinity = 0x7f80_0000;

/**
 * Ranks the cells that express a gene, gene after gene; each cell is in one of a few slots. Values are compared as the
 * integers of their bits: one pass distributes them into about as many buckets as values, by their leading bits between
 * minimum and maximum, and insertion sort orders each bucket. Values crowded into few buckets are radix-sorted instead,
 * so that time stays linear. If value and slot fit into 32 bits, as for positive log-normalised values, words are
 * radix-sorted, which avoids mispredicted branches; otherwise pairs. All sorters of a thread share their memory: use
 * one at a time, since the next one overwrites its results.
 */
export class RankSorter {
  /** For the last gene, by slot: `sums` of values, number of non-zero cells, and their rank sums. */
  readonly sums: Float64Array;
  readonly expressing: Int32Array;
  readonly rankSums: Float64Array;
  /** By slot after `rankAgainst`: amount that its non-zero cells add to the sum of t³ - t over runs of the reference. */
  readonly ties: Float64Array;
  readonly #kernel: RankKernel;
  readonly #slotCount: number;
  readonly #leftOut: number;
  readonly #layout: ReturnType<typeof layoutOf>;
  readonly #cells: Int32Array;
  readonly #values: Float32Array;
  readonly #greatest: Int32Array;
  readonly #zeroRank: Float64Array;
  readonly #span: Uint32Array;

  /**
   * `codes`: slots of all cells, from 0 to below `slotCount`, or `leftOut`. `capacity`: entries of the largest gene.
   */
  constructor(codes: Uint16Array, slotCount: number, capacity: number, leftOut = slotCount) {
    const layout = layoutOf(codes.length, { slotCount, leftOut, capacity });
    const { memory, kernel } = rankKernel(layout.end);
    const { buffer } = memory;
    new Uint16Array(buffer, layout.codes, codes.length).set(codes);
    this.sums = new Float64Array(buffer, layout.sums, leftOut + 1);
    this.expressing = new Int32Array(buffer, layout.expressing, leftOut + 1);
    this.rankSums = new Float64Array(buffer, layout.rankSums, slotCount);
    this.ties = new Float64Array(buffer, layout.ties, slotCount);
    // Each gene leaves the counts at 0, but another sorter may have had something else there.
    new Int32Array(buffer, layout.counts, slotCount).fill(0);
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
   * Ranks one gene among `cellCount` cells; those without an entry have 0. Returns the rank shared by the zeros, and
   * the sum of t³ - t over all runs of t equal values. `rankSums` excludes the zeros.
   */
  rank(cells: Int32Array, values: Float32Array, cellCount: number): { zeroRank: number; tieTerm: number } {
    this.#begin(cells, values);
    return this.#rankWords(cells.length, cellCount) ?? this.#rankPairs(cells.length, cellCount);
  }

  /**
   * Ranks the cells of each slot against those of the slot `reference`, of which there are `size`, from one sorting of
   * the gene. `rankSums` are then numbers of pairs (a non-zero cell of the slot, a cell of the reference with less, or
   * with as much, which counts half). Returns the number of negative cells of the reference, of its zeros, and the sum
   * of t³ - t over its runs of t equal values, excluding the zeros.
   */
  rankAgainst(
    cells: Int32Array,
    values: Float32Array,
    { reference, size }: { readonly reference: number; readonly size: number },
  ): { negatives: number; zeros: number; tieTerm: number } {
    this.#begin(cells, values);
    this.ties.fill(0);
    const { rankSums, ties, counts, zeroRank } = this.#layout;
    const { first, length } = this.#sortedPairs(cells.length);
    const zeros = size - this.expressing[reference]!;
    const end = first + length;
    const tieTerm = this.#kernel.rankAgainst(first, end, reference, zeros, rankSums, ties, counts, zeroRank);
    return { negatives: this.#zeroRank[0]!, zeros, tieTerm };
  }

  #begin(cells: Int32Array, values: Float32Array): void {
    this.#cells.set(cells);
    this.#values.set(values);
    this.sums.fill(0);
    this.expressing.fill(0);
    this.rankSums.fill(0);
  }

  /** Undefined if values are negative, or too far apart to fit into one word with their slots. */
  #rankWords(entries: number, cellCount: number) {
    const kernel = this.#kernel;
    const { cells, values, codes, pairs, sums, expressing, rankSums } = this.#layout;
    // Entries behind the last, left by an earlier gene.
    this.#values.fill(0, entries, entries + 3);
    kernel.span(values, values + 4 * entries, this.#layout.span);
    let [less, highest] = [0xffff_ffff, 0];
    for (let lane = 0; lane < 4; lane++) {
      less = Math.min(less, this.#span[lane]!);
      highest = Math.max(highest, this.#span[4 + lane]!);
    }
    const lowest = (less + 1) >>> 0;
    const slotBits = bitsOf(this.#slotCount - 1);
    const valueBits = bitsOf(Math.max(0, highest - lowest));
    if (highest > infinity || valueBits + slotBits > 32) return undefined;
    const end = kernel.pack(cells, values, entries, codes, this.#leftOut, lowest, slotBits, pairs) >>> 0;
    if (slotBits !== 1) kernel.sumPacked(pairs, end, lowest, slotBits, sums, expressing);
    this.#sortWords(end - pairs, { slotBits, valueBits });
    const zeros = cellCount - (end - pairs) / 4;
    const tieTerm =
      slotBits === 1
        ? kernel.rankTwo(pairs, end, zeros, lowest, sums, expressing, rankSums)
        : kernel.rankPacked(pairs, end, zeros, slotBits, rankSums);
    return { zeroRank: (zeros + 1) / 2, tieTerm: tieTerm + (zeros * zeros * zeros - zeros) };
  }

  #sortWords(length: number, { slotBits, valueBits }: { slotBits: number; valueBits: number }): void {
    const kernel = this.#kernel;
    const { pairs, otherPairs, buckets } = this.#layout;
    // A number that keeps the buckets few compared with the words.
    const digit = Math.ceil(valueBits / (length / 4 < manyWords ? 4 : 2));
    const nextBuckets = buckets + 4 * 2 ** digit;
    for (let shift = slotBits; shift < slotBits + valueBits; shift += 2 * digit) {
      kernel.countPacked(pairs, pairs + length, shift, digit, buckets);
      kernel.dealPacked(pairs, pairs + length, otherPairs, shift, digit, buckets);
      kernel.dealPacked(otherPairs, otherPairs + length, pairs, shift + digit, digit, nextBuckets);
    }
  }

  #sortedPairs(entries: number): { first: number; length: number } {
    const { cells, values, codes, pairs, sums, expressing } = this.#layout;
    const end = this.#kernel.collect(cells, values, entries, codes, this.#leftOut, pairs, sums, expressing);
    const length = (end >>> 0) - pairs;
    return { first: this.#sort(length), length };
  }

  #rankPairs(entries: number, cellCount: number) {
    const { rankSums, zeroRank } = this.#layout;
    const { first, length } = this.#sortedPairs(entries);
    const zeros = cellCount - length / 8;
    const tieTerm = this.#kernel.rank(first, first + length, zeros, rankSums, zeroRank);
    return { zeroRank: this.#zeroRank[0]!, tieTerm: tieTerm + (zeros * zeros * zeros - zeros) };
  }

  #sort(length: number): number {
    const kernel = this.#kernel;
    const { pairs, otherPairs, buckets, greatest } = this.#layout;
    const end = pairs + length;
    const count = length / 8;
    if (count <= fewPairs) {
      kernel.insertion(pairs, end);
      return pairs;
    }
    const lowest = kernel.extent(pairs, end, greatest);
    const range = (this.#greatest[0]! - lowest) >>> 0;
    const shift = Math.max(0, bitsOf(range) - bitsOf(count));
    const company = kernel.count(pairs, end, otherPairs, lowest, shift, -1, buckets, range >>> shift);
    if (shift > 0 && company > crowd * count) return this.#sortDigits(length, lowest, range);
    kernel.deal(pairs, end, lowest, shift, -1, buckets);
    if (shift > 0) kernel.insertion(otherPairs, otherPairs + length);
    return otherPairs;
  }

  #sortDigits(length: number, lowest: number, range: number): number {
    const kernel = this.#kernel;
    const { pairs, otherPairs, buckets } = this.#layout;
    const mask = (1 << digitBits) - 1;
    let from = pairs;
    for (let shift = 0; shift < bitsOf(range); shift += digitBits) {
      const to = from === pairs ? otherPairs : pairs;
      kernel.count(from, from + length, to, lowest, shift, mask, buckets, mask);
      kernel.deal(from, from + length, lowest, shift, mask, buckets);
      from = to;
    }
    return from;
  }
}

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
    ties: place(8 * slotCount),
    counts: place(4 * slotCount),
    cells: place(4 * capacity),
    values: place(4 * (capacity + 3)),
    // One more than the capacity: a value that is left out is written and then written over.
    pairs: place(8 * (capacity + 1)),
    otherPairs: place(8 * (capacity + 1)),
    // Two digits at a time.
    buckets: place(4 * Math.max(2 << maxDigitBits, 2 ** bitsOf(capacity))),
  };
  return { ...parts, end };
}

function bitsOf(value: number): number {
  return 32 - Math.clz32(value);
}

/**
 * WebAssembly loops for ranking the cells of a gene: plain JavaScript takes nearly twice the time, because it checks
 * the bounds of every access and reloads them for every array. All addresses are bytes of the memory. A pair is an
 * int32 key and, 4 bytes later, the int32 slot of its cell.
 */
interface RankKernel {
  /**
   * Adds the values of `entries` cells to `sums` (float64 by slot) and their number to `expressing` (int32 by slot),
   * and writes a pair for each counted one: not 0, and not in slot `leftOut`, for which `sums` and `expressing` must
   * have room too. `codes` are the uint16 slots of all cells. Returns the end of the pairs.
   */
  collect(
    cells: number,
    values: number,
    entries: number,
    codes: number,
    leftOut: number,
    pairs: number,
    sums: number,
    expressing: number,
  ): number;
  /** Minimum key of the pairs in [from, end), which must not be empty; the maximum is written to `greatest`. */
  extent(from: number, end: number, greatest: number): number;
  /**
   * Counts the pairs of each bucket, ((key - least) >>> shift) & mask, and replaces the counts by the address of the
   * bucket's first pair, starting at `to`. Returns the sum of the squared counts.
   */
  count(
    from: number,
    end: number,
    to: number,
    min: number,
    shift: number,
    mask: number,
    buckets: number,
    lastBucket: number,
  ): number;
  /** Moves the counted pairs to their buckets, in stable order. */
  deal(from: number, end: number, min: number, shift: number, mask: number, buckets: number): void;
  /** Insertion sort of pairs by key; fast if few are far from their final position. */
  insertion(from: number, end: number): void;
  /**
   * Adds the 1-based ranks of sorted pairs to `rankSums` (float64 by slot): `zeros` equal values are between the
   * negative and the positive keys, and equal keys share their mean rank. Writes the rank of the zeros to `zeroRank`
   * (float64). Returns the sum of t³ - t over runs of t equal keys, excluding the zeros.
   */
  rank(from: number, end: number, zeros: number, rankSums: number, zeroRank: number): number;
  /**
   * Adds to `rankSums` (float64 by slot), for each of the sorted pairs, the number of cells in slot `reference` below
   * it, equal ones counting half, `zeros` of them being between the negative and the positive keys; and to `ties`
   * (float64 by slot) what the slot's cells add to the sum of t³ - t over runs of t equal keys. `counts` (int32 by slot)
   * must be 0, and is again. Writes the number of negative cells in the reference to `negatives` (float64), and returns
   * the sum for the reference alone, excluding the zeros. The outputs for the slot of the reference are undefined.
   */
  rankAgainst(
    from: number,
    end: number,
    reference: number,
    zeros: number,
    rankSums: number,
    ties: number,
    counts: number,
    negatives: number,
  ): number;
  /**
   * Scans the float32 values in [values, end) as unsigned integers, in which negative values exceed all others; reads
   * up to three values beyond the end. Writes the minima of every fourth value minus one, so that 0 becomes the
   * largest, and then the maxima: eight integers.
   */
  span(values: number, end: number, out: number): void;
  /**
   * Writes a word for each value counted as in `collect`; none may be negative. Its high bits are those of the value
   * above `min`, its lowest `slotBits` the slot. Returns the end of the words.
   */
  pack(
    cells: number,
    values: number,
    entries: number,
    codes: number,
    leftOut: number,
    min: number,
    slotBits: number,
    packed: number,
  ): number;
  /** Adds the values of words to `sums` and their number to `expressing`, in order. */
  sumPacked(from: number, end: number, min: number, slotBits: number, sums: number, expressing: number): void;
  /**
   * Counts the words of each bucket, (word >>> shift) & (2^digit - 1), followed by the counts for the buckets of the
   * next digit.
   */
  countPacked(from: number, end: number, shift: number, digit: number, buckets: number): void;
  /** Moves the counted words to `to`, bucket after bucket, in stable order. */
  dealPacked(from: number, end: number, to: number, shift: number, digit: number, buckets: number): void;
  /** `rank` for sorted words, all of which are above the zeros. */
  rankPacked(from: number, end: number, zeros: number, slotBits: number, rankSums: number): number;
  /**
   * `sumPacked` and `rankPacked` in one pass, for words with only the slots 0 and 1; overwrites its outputs instead of
   * adding.
   */
  rankTwo(
    from: number,
    end: number,
    zeros: number,
    min: number,
    sums: number,
    expressing: number,
    rankSums: number,
  ): number;
}

const rankKernel = kernelOf<RankKernel>(rankModule);
