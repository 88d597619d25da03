import type { CountBlock } from '../count-matrix.ts';

/** Blocks of counts without those of other cells. `cells` are positions among all `cellCount`, rising. */
export function* onlyCells(
  blocks: Iterable<CountBlock>,
  { by, cells, cellCount }: { by: 'cell' | 'gene'; cells: Int32Array; cellCount: number },
): Generator<CountBlock> {
  const place = new Int32Array(cellCount).fill(-1);
  cells.forEach((cell, at) => (place[cell] = at));
  let first = 0;
  for (const block of blocks) {
    const vectors = block.pointers.length - 1;
    const kept = by === 'cell' ? keptVectors(block, first, place) : keptEntries(block, place);
    if (kept.pointers.length > 1) yield kept;
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
