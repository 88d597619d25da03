import { kernelOf, rankModule } from '@cellfolio/kernels';

/**
 * The loops that ranking the cells of a gene consists of, as WebAssembly: what they do in one second takes plain
 * JavaScript nearly two, because it checks the bounds of every access and reloads them for every array. All
 * addresses are bytes of the memory. A pair is an int32 key and, 4 bytes on, the int32 slot of its cell.
 */
export interface RankKernel {
  /**
   * Adds the values of `entries` cells to `sums` (float64 by slot) and their number to `expressing` (int32 by slot),
   * and writes a pair for each that counts: not 0, and in another slot than `leftOut`, which must have room in
   * `sums` and `expressing` too. `codes` are the uint16 slots of all cells. Returns the end of the pairs.
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
  /** Minimum key of the pairs in [from, end), which is not empty; the maximum is written to `greatest`. */
  extent(from: number, end: number, greatest: number): number;
  /**
   * Counts the pairs of each bucket, ((key - least) >>> shift) & mask, and turns the counts into the address of its
   * first pair from `to` on. Returns the sum of the squares of the counts.
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
  /** Moves the counted pairs to the places of their buckets, in the order they have. */
  deal(from: number, end: number, least: number, shift: number, mask: number, buckets: number): void;
  /** Sorts pairs by their keys; fast where few are far from their places. */
  insertion(from: number, end: number): void;
  /**
   * Adds the ranks of sorted pairs to `rankSums` (float64 by slot): from 1, `zeros` equal values between the negative
   * and the positive keys, and equal keys sharing their mean. Writes the rank of the zeros to `zeroRank` (float64).
   * Returns the sum of t³ - t over runs of t equal keys, without the zeros.
   */
  rank(from: number, end: number, zeros: number, rankSums: number, zeroRank: number): number;
  /**
   * Looks at the float32 values in [values, end), as unsigned integers, in which negative values are above all others; up to
   * three behind the end are looked at too. Writes the minima of every fourth one less one, those of 0 being the largest,
   * and then the maxima: eight integers.
   */
  span(values: number, end: number, found: number): void;
  /**
   * Writes a word for each value that counts as in `collect`, none of which is negative: its bits above those of `least`,
   * and in the lowest `slotBits` its slot. Returns the end of the words.
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
  /** Adds the values of words to `sums` and their number to `expressing`, in their order. */
  sumPacked(
    from: number,
    end: number,
    least: number,
    slotBits: number,
    sums: number,
    expressing: number,
  ): void;
  /**
   * Counts the words of each bucket, (word >>> shift) & (2^digit - 1), and behind those counts the words of the buckets of
   * the next digit.
   */
  countPacked(from: number, end: number, shift: number, digit: number, buckets: number): void;
  /** Moves the counted words to `to` and on, bucket after bucket, in the order they have. */
  dealPacked(from: number, end: number, to: number, shift: number, digit: number, buckets: number): void;
  /** As `rank`, of sorted words, all of which are above the zeros. */
  rankPacked(from: number, end: number, zeros: number, slotBits: number, rankSums: number): number;
  /** As `sumPacked` and `rankPacked`, of words with the slots 0 and 1 alone, in one pass: all it writes to is set, not added to. */
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

/** One memory for all sorters of a thread. */
export const rankKernel = kernelOf<RankKernel>(rankModule);
