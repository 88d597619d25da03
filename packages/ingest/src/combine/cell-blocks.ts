import type { RawCountBlock } from '../counts/count-blocks.ts';
import type { RawCounts } from '../counts/open-counts.ts';

const blockEntries = 1_048_576;

/**
 * Counts in blocks of cells with genes renumbered by `places`; those at -1 are left out. A gene-major matrix is
 * transposed in memory, 12 bytes per entry. Throws what `counts.blocks` throws.
 */
export function* cellBlocks(counts: RawCounts, places: Int32Array): Generator<RawCountBlock> {
  const rising = places.every((place, gene) => place > (places[gene - 1] ?? -1));
  for (const block of counts.by === 'cell' ? counts.blocks() : turnedRound(counts))
    yield rising ? withPlaces(block, places) : sortedBlock(block, places);
}

function withPlaces(block: RawCountBlock, places: Int32Array): RawCountBlock {
  return { ...block, indices: block.indices.map((gene) => places[gene]!) };
}

function sortedBlock({ pointers, indices, counts }: RawCountBlock, places: Int32Array): RawCountBlock {
  const into = {
    pointers: new Float64Array(pointers.length),
    indices: new Int32Array(indices.length),
    counts: new Float64Array(counts.length),
  };
  let end = 0;
  for (let cell = 0; cell + 1 < pointers.length; cell++) {
    const order = [];
    for (let at = pointers[cell]!; at < pointers[cell + 1]!; at++)
      if (places[indices[at]!]! >= 0) order.push(at);
    order.sort((a, b) => places[indices[a]!]! - places[indices[b]!]!);
    for (const at of order) {
      into.indices[end] = places[indices[at]!]!;
      into.counts[end++] = counts[at]!;
    }
    into.pointers[cell + 1] = end;
  }
  return { ...into, indices: into.indices.slice(0, end), counts: into.counts.slice(0, end) };
}

/** Transposes a gene-major matrix into blocks of cells: reads it once to count, once to fill. */
function* turnedRound(counts: RawCounts): Generator<RawCountBlock> {
  const starts = new Float64Array(counts.cellCount + 1);
  for (const { indices } of counts.blocks()) for (const cell of indices) starts[cell + 1]! += 1;
  for (let cell = 0; cell < counts.cellCount; cell++) starts[cell + 1]! += starts[cell]!;
  const genes = new Int32Array(starts[counts.cellCount]!);
  const values = new Float64Array(genes.length);
  const next = starts.slice();
  let gene = 0;
  for (const { pointers, indices, counts: read } of counts.blocks()) {
    for (let vector = 0; vector + 1 < pointers.length; vector++, gene++) {
      for (let at = pointers[vector]!; at < pointers[vector + 1]!; at++) {
        const to = next[indices[at]!]!++;
        genes[to] = gene;
        values[to] = read[at]!;
      }
    }
  }
  for (let from = 0; from < counts.cellCount;) {
    let to = from + 1;
    while (to < counts.cellCount && starts[to + 1]! - starts[from]! <= blockEntries) to++;
    const [start, end] = [starts[from]!, starts[to]!];
    yield {
      pointers: starts.slice(from, to + 1).map((position) => position - start),
      indices: genes.slice(start, end),
      counts: values.slice(start, end),
    };
    from = to;
  }
}
