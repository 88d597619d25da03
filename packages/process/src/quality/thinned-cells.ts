import type { CountBlock, CountMatrix } from '../count-matrix.ts';

/** A cell to be taken, and how many counts of it are left. */
export interface ThinnedCell {
  readonly cell: number;
  /** Counts that it has without the genes that are left out. */
  readonly counts: number;
  /** Counts that are to be left of them on average; all where there are no more. */
  readonly depth: number;
}

/**
 * Some cells of a matrix, each thinned to its depth by drawing its counts one by one, without some genes: in the order
 * asked for, as one block of cells. Reads all blocks once; the same every time.
 */
export async function thinnedCells(
  { cellCount, by, blocks }: CountMatrix,
  cells: readonly ThinnedCell[],
  { leftOut, signal }: { leftOut: Uint8Array; signal?: AbortSignal | undefined },
): Promise<CountBlock> {
  const slotOf = new Int32Array(cellCount).fill(-1);
  cells.forEach(({ cell }, slot) => (slotOf[cell] = slot));
  const share = Float64Array.from(cells, ({ counts, depth }) => Math.min(1, depth / counts));
  const indices = cells.map((): number[] => []);
  const counts = cells.map((): number[] => []);
  const random = mulberry32(1);
  let first = 0;
  for await (const block of blocks) {
    signal?.throwIfAborted();
    for (let vector = 0; vector + 1 < block.pointers.length; vector++) {
      const whole = by === 'cell' ? slotOf[first + vector]! : 0;
      if (whole < 0 || (by === 'gene' && leftOut[first + vector] === 1)) continue;
      for (let at = block.pointers[vector]!; at < block.pointers[vector + 1]!; at++) {
        const slot = by === 'cell' ? whole : slotOf[block.indices[at]!]!;
        const gene = by === 'cell' ? block.indices[at]! : first + vector;
        if (slot < 0 || leftOut[gene] === 1) continue;
        const left = drawn(block.counts[at]!, share[slot]!, random);
        if (left === 0) continue;
        indices[slot]!.push(gene);
        counts[slot]!.push(left);
      }
    }
    first += block.pointers.length - 1;
  }
  const pointers = new Float64Array(cells.length + 1);
  indices.forEach((own, slot) => (pointers[slot + 1] = pointers[slot]! + own.length));
  return { pointers, indices: Int32Array.from(indices.flat()), counts: counts.flat() };
}

/** Of so many counts those that are left when each stays with this chance. */
function drawn(count: number, share: number, random: () => number): number {
  if (share >= 1) return count;
  // The mean with its fraction drawn: beyond this many, the spread no longer matters beside the work.
  if (count > 1000) return Math.floor(count * share + random());
  let left = 0;
  for (let at = 0; at < count; at++) if (random() < share) left++;
  return left;
}

/** Numbers from 0 to 1, the same for a seed. */
export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
