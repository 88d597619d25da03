import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import { denseCellsAtOnce, type MatrixLayout } from '../layout/matrix-layout.ts';
import { indexOutOfRange, MatrixReader, rowPositions } from '../transpose/matrix-reader.ts';

/** Some consecutive cells (or genes) of a sparse matrix. */
export interface RawCountBlock {
  /** count + 1 ascending offsets into `indices` and `counts`, the first of them 0. */
  readonly pointers: Float64Array;
  /** Gene of each entry in a block of cells, cell of each entry in a block of genes; ascending within each. */
  readonly indices: Int32Array;
  /** As in the file, never 0. */
  readonly counts: Float64Array;
}

/** Entries per block, unless a single cell or gene has more: 12 MiB of arrays. */
const blockEntries = 1_048_576;

/**
 * A matrix in blocks of whole cells, or of whole genes if it is gene-major; features that are not genes are left out
 * and genes renumbered. Throws H5adError.
 */
export function* countBlocks(file: Hdf5File, layout: MatrixLayout): Generator<RawCountBlock> {
  const { dropped } = layout;
  if (dropped === undefined) return yield* allBlocks(file, layout);
  const places = new Int32Array(dropped.length);
  for (let gene = 0, place = 0; gene < dropped.length; gene++)
    places[gene] = dropped[gene] === 1 ? -1 : place++;
  let first = 0;
  for (const block of allBlocks(file, layout)) {
    if (layout.format !== 'csc') {
      // None of the entries is of what was dropped: it was read as zeros, and those are gone.
      const { indices } = block;
      for (let i = 0; i < indices.length; i++) indices[i] = places[indices[i]!]!;
      yield block;
      continue;
    }
    const vectors = block.pointers.length - 1;
    const at = first;
    const keptPointers = block.pointers.filter((_, i) => i === 0 || dropped[at + i - 1] !== 1);
    first += vectors;
    if (keptPointers.length > 1) yield { ...block, pointers: keptPointers };
  }
}

function* allBlocks(file: Hdf5File, layout: MatrixLayout): Generator<RawCountBlock> {
  const reader = new MatrixReader(file, layout);
  if (layout.format === 'dense') {
    const { cellCount, geneCount } = layout;
    const fit = Math.max(1, Math.floor(blockEntries / Math.max(1, geneCount)));
    const atOnce = layout.transposed === true ? denseCellsAtOnce(layout) : 1;
    const rows = Math.max(atOnce, fit - (fit % atOnce));
    for (let row = 0; row < cellCount; row += rows) {
      const count = Math.min(rows, cellCount - row);
      const indices = new Int32Array(count * geneCount);
      const counts = new Float64Array(count * geneCount);
      const pointers = reader.denseRows(row, count, indices, counts);
      const end = pointers[count]!;
      yield { pointers, indices: indices.slice(0, end), counts: counts.slice(0, end) };
    }
    return;
  }
  const length = layout.format === 'csr' ? layout.geneCount : layout.cellCount;
  const positions = rowPositions(file, layout);
  for (const [from, to] of ranges(positions)) {
    const start = positions[from]!;
    const end = positions[to]!;
    const indices = new Int32Array(end - start);
    const counts = new Float64Array(end - start);
    if (layout.format === 'csr') reader.entries(start, end, indices, counts);
    else reader.geneEntries(from, positions.subarray(from, to + 1), to - from, indices, counts);
    const pointers = Float64Array.from({ length: to - from + 1 }, (_, at) => positions[from + at]! - start);
    const block = { pointers, indices, counts };
    if (isTidy(block, length)) {
      yield block;
      continue;
    }
    for (let at = 0; at < indices.length; at++)
      if (indices[at]! < 0 || indices[at]! >= length)
        throw indexOutOfRange(file.path, layout.indices.path, start + at);
    yield tidied(block);
  }
}

function* ranges(positions: Float64Array): Generator<[number, number]> {
  let from = 0;
  for (let to = 1; to < positions.length; to++) {
    const next = positions[to + 1];
    if (next !== undefined && next - positions[from]! <= blockEntries) continue;
    yield [from, to];
    from = to;
  }
}

/** Normalises entries: files may have them in any order, repeated (they add up) and with value 0. */
function tidied(block: RawCountBlock): RawCountBlock {
  const { pointers, indices, counts } = block;
  const into = { pointers: pointers.slice(), indices: indices.slice(), counts: counts.slice() };
  let to = 0;
  for (let vector = 0; vector + 1 < pointers.length; vector++) {
    const start = pointers[vector]!;
    const order = Int32Array.from({ length: pointers[vector + 1]! - start }, (_, at) => start + at);
    order.sort((a, b) => indices[a]! - indices[b]!);
    const first = to;
    for (const at of order) {
      if (counts[at] === 0) continue;
      if (to > first && into.indices[to - 1] === indices[at]) into.counts[to - 1]! += counts[at]!;
      else {
        into.indices[to] = indices[at]!;
        into.counts[to++] = counts[at]!;
      }
    }
    into.pointers[vector + 1] = to;
  }
  return {
    pointers: into.pointers,
    indices: into.indices.slice(0, to),
    counts: into.counts.slice(0, to),
  };
}

function isTidy({ pointers, indices, counts }: RawCountBlock, length: number): boolean {
  for (let vector = 0; vector + 1 < pointers.length; vector++) {
    let last = -1;
    const end = pointers[vector + 1]!;
    for (let at = pointers[vector]!; at < end; at++) {
      const index = indices[at]!;
      if (index <= last || counts[at] === 0) return false;
      last = index;
    }
    if (last >= length) return false;
  }
  return true;
}
