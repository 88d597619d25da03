import { kernelOf, rankModule } from '@cellfolio/kernels';

/**
 * WebAssembly loops for ranking the cells of a gene: plain JavaScript takes nearly twice the time, because it checks
 * the bounds of every access and reloads them for every array. All addresses are bytes of the memory. A pair is an
 * int32 key and, 4 bytes later, the int32 slot of its cell.
 */
export interface RankKernel {
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
    least: number,
    shift: number,
    mask: number,
    buckets: number,
    lastBucket: number,
  ): number;
  /** Moves the counted pairs to their buckets, in stable order. */
  deal(from: number, end: number, least: number, shift: number, mask: number, buckets: number): void;
  /** Insertion sort of pairs by key; fast if few are far from their final position. */
  insertion(from: number, end: number): void;
  /**
   * Adds the 1-based ranks of sorted pairs to `rankSums` (float64 by slot): `zeros` equal values are between the
   * negative and the positive keys, and equal keys share their mean rank. Writes the rank of the zeros to `zeroRank`
   * (float64). Returns the sum of t³ - t over runs of t equal keys, excluding the zeros.
   */
  rank(from: number, end: number, zeros: number, rankSums: number, zeroRank: number): number;
  /**
   * Scans the float32 values in [values, end) as unsigned integers, in which negative values exceed all others; reads
   * up to three values beyond the end. Writes the minima of every fourth value minus one, so that 0 becomes the
   * largest, and then the maxima: eight integers.
   */
  span(values: number, end: number, found: number): void;
  /**
   * Writes a word for each value counted as in `collect`; none may be negative. Its high bits are those of the value
   * above `least`, its lowest `slotBits` the slot. Returns the end of the words.
   */
  pack(
    cells: number,
    values: number,
    entries: number,
    codes: number,
    leftOut: number,
    least: number,
    slotBits: number,
    packed: number,
  ): number;
  /** Adds the values of words to `sums` and their number to `expressing`, in order. */
  sumPacked(
    from: number,
    end: number,
    least: number,
    slotBits: number,
    sums: number,
    expressing: number,
  ): void;
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
    least: number,
    sums: number,
    expressing: number,
    rankSums: number,
  ): number;
}

export const rankKernel = kernelOf<RankKernel>(rankModule);
