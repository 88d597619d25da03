import { engine, rankModule, type WasmMemory, type WasmModule } from '@cellfolio/kernels';

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
  /** Least key of the pairs in [from, end), which is not empty; the greatest is written to `greatest`. */
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
}

let compiled: WasmModule | undefined;

/** The kernel on a memory. It is compiled once a thread. */
export function rankKernel(memory: WasmMemory): RankKernel {
  compiled ??= new engine.Module(rankModule);
  return new engine.Instance(compiled, { env: { memory } }).exports as RankKernel;
}
