import type { CountBlock, CountMatrix } from '../process-input.ts';

export interface DropletCounts extends Pick<CountMatrix, 'by' | 'cellCount'> {
  readonly geneCount: number;
  /** Each call starts again with the first counts. */
  blocks(): Iterable<CountBlock> | AsyncIterable<CountBlock>;
}

/** Calls `visit` for each count with its barcode and gene; yields between blocks. Throws the signal's reason. */
export async function eachCount(
  { by, blocks }: DropletCounts,
  visit: (barcode: number, gene: number, count: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  let first = 0;
  for await (const { pointers, indices, counts } of blocks()) {
    signal?.throwIfAborted();
    const vectors = pointers.length - 1;
    for (let vector = 0; vector < vectors; vector++) {
      for (let at = pointers[vector]!; at < pointers[vector + 1]!; at++) {
        if (by === 'cell') visit(first + vector, indices[at]!, counts[at]!);
        else visit(indices[at]!, first + vector, counts[at]!);
      }
    }
    first += vectors;
  }
}

export async function barcodeTotals(counts: DropletCounts, signal?: AbortSignal): Promise<Float64Array> {
  const totals = new Float64Array(counts.cellCount);
  await eachCount(counts, (barcode, _, count) => (totals[barcode]! += count), signal);
  return totals;
}

/** Drops the counts of other cells from blocks. `cells`: ascending indices among all `cellCount`. */
export function* onlyCells(
  blocks: Iterable<CountBlock>,
  { by, cells, cellCount }: { by: 'cell' | 'gene'; cells: Int32Array; cellCount: number },
): Generator<CountBlock> {
  const place = new Int32Array(cellCount).fill(-1);
  cells.forEach((cell, at) => (place[cell] = at));
  let first = 0;
  for (const block of blocks) {
    const vectors = block.pointers.length - 1;
    const keptBlock = by === 'cell' ? keptVectors(block, first, place) : keptEntries(block, place);
    if (keptBlock.pointers.length > 1) yield keptBlock;
    first += vectors;
  }
}

function keptVectors(
  { pointers, indices, counts }: CountBlock,
  first: number,
  place: Int32Array,
): CountBlock {
  const starts: number[] = [0];
  const ranges: [number, number][] = [];
  for (let vector = 0; vector + 1 < pointers.length; vector++) {
    if (place[first + vector]! < 0) continue;
    const [from, to] = [pointers[vector]!, pointers[vector + 1]!];
    ranges.push([from, to]);
    starts.push(starts.at(-1)! + to - from);
  }
  const into = { indices: new Int32Array(starts.at(-1)!), counts: new Float64Array(starts.at(-1)!) };
  ranges.forEach(([from, to], at) => {
    into.indices.set(indices.subarray(from, to), starts[at]!);
    for (let entry = from; entry < to; entry++) into.counts[starts[at]! + entry - from] = counts[entry]!;
  });
  return { pointers: starts, ...into };
}

function keptEntries({ pointers, indices, counts }: CountBlock, place: Int32Array): CountBlock {
  const starts = new Float64Array(pointers.length);
  const into = { indices: new Int32Array(indices.length), counts: new Float64Array(indices.length) };
  let to = 0;
  for (let vector = 0; vector + 1 < pointers.length; vector++) {
    for (let at = pointers[vector]!; at < pointers[vector + 1]!; at++) {
      const cell = place[indices[at]!]!;
      if (cell < 0) continue;
      into.indices[to] = cell;
      into.counts[to++] = counts[at]!;
    }
    starts[vector + 1] = to;
  }
  return { pointers: starts, indices: into.indices.slice(0, to), counts: into.counts.slice(0, to) };
}
