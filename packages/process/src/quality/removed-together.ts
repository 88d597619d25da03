import { type CountMatrix, ProcessError, type CountBlock } from '../process-input.ts';
import { processCounts, type ProcessOptions } from '../process-counts.ts';
import type { CellMeasures } from './cell-measures.ts';
import { mapDefaults, mitochondrialGenes } from '@cellfolio/model';
import type { RemovedTogether } from './quality-cautions.ts';

const neighbours = 15;
/** With fewer counts a cell cannot be placed. */
const minCounts = 20;
/** Enough counts to distinguish kinds of cells, few enough for memory. */
const maxCounts = 2000;
const minRemoved = 10;
const maxRemoved = 1000;
/** Kept cells compared per removed one: by chance, at most a fifth of the neighbours is then removed. */
const stayingPerRemoved = 4;
const everyCell = { deviations: 1, minimumCounts: 0, minimumGenes: 0, maximumMitochondrial: 1 };

interface RemovedOptions extends Pick<ProcessOptions, 'memoryBytes' | 'signal' | 'threads'> {
  measures: CellMeasures;
  /** Per cell 1 if it is kept. */
  keep: Uint8Array;
}

/**
 * Compares the cells that quality control removes with the kept ones, in principal components. Damaged cells come from
 * all kinds of cells; a population with little RNA has neighbours of the same type. So that poor cells are not
 * neighbours merely for being poor, kept cells are thinned to the depths of the removed ones, and mitochondrial genes
 * are left out. Undefined if too few can be compared. Throws the errors of `counts.blocks`; the signal's reason.
 */
export async function removedTogether(
  counts: CountMatrix,
  { measures, keep, memoryBytes, signal, threads }: RemovedOptions,
): Promise<RemovedTogether | undefined> {
  const leftOut = mitochondrialGenes(counts);
  const chosen = chosenCells(measures, keep);
  if (chosen === undefined) return undefined;
  const { cells, removed } = chosen;
  const block = await thinnedCells(counts, cells, { leftOut, signal });
  try {
    const { pca, components, keptCells } = await processCounts(
      {
        cellCount: cells.length,
        // Without names no gene counts as mitochondrial.
        geneNames: counts.geneNames.map(() => ''),
        by: 'cell',
        entryCount: block.indices.length,
        blocks: [block],
      },
      {
        settings: {
          ...mapDefaults,
          quality: everyCell,
          components: 20,
          neighbours,
        },
        parts: [],
        ...(memoryBytes !== undefined && { memoryBytes }),
        ...(threads !== undefined && { threads }),
        ...(signal !== undefined && { signal }),
      },
    );
    // Cells that were removed come first; one of which thinning left nothing is not there.
    return neighboursOf({ pca, components, removed: keptCells.filter((cell) => cell < removed).length });
  } catch (error) {
    // A comparison that cannot be made is none; what is wrong with the counts shows when they are processed.
    if (error instanceof ProcessError) return undefined;
    throw error;
  }
}

/** Removed cells, then kept ones, both sampled evenly and thinned to similar depths; undefined if there are too few. */
function chosenCells(
  { counts, mitochondrial }: CellMeasures,
  keep: Uint8Array,
): { cells: ThinnedCell[]; removed: number } | undefined {
  const random = mulberry32(0);
  const left = (cell: number) => Math.round(counts[cell]! * (1 - mitochondrial[cell]!));
  const all = Array.from(keep.keys()).filter((cell) => counts[cell]! > 0 && left(cell) >= minCounts);
  const staying = all.filter((cell) => keep[cell] === 1);
  const limit = Math.min(maxRemoved, Math.floor(staying.length / stayingPerRemoved));
  const removed = drawnFrom(
    all.filter((cell) => keep[cell] === 0),
    limit,
    random,
  );
  if (removed.length < minRemoved) return undefined;
  const depths = removed.map((cell) => Math.min(maxCounts, left(cell)));
  const compared = drawnFrom(
    staying,
    Math.max(stayingPerRemoved * removed.length, stayingPerRemoved * 100),
    random,
  );
  const cells = [
    ...removed.map((cell, at) => ({ cell, counts: left(cell), depth: depths[at]! })),
    ...compared.map((cell) => ({
      cell,
      counts: left(cell),
      depth: depths[Math.floor(random() * depths.length)]!,
    })),
  ];
  return { cells, removed: removed.length };
}

function drawnFrom(cells: number[], limit: number, random: () => number): number[] {
  for (let at = 0; at < Math.min(limit, cells.length); at++) {
    const other = at + Math.floor(random() * (cells.length - at));
    [cells[at], cells[other]] = [cells[other]!, cells[at]!];
  }
  return cells.slice(0, limit);
}

function neighboursOf({
  pca,
  components,
  removed,
}: {
  pca: Float32Array;
  components: number;
  removed: number;
}): RemovedTogether {
  const cells = pca.length / components;
  const k = Math.min(neighbours, cells - 1);
  const distances = new Float64Array(cells);
  let together = 0;
  let nearCount = 0;
  for (let cell = 0; cell < removed; cell++) {
    for (let other = 0; other < cells; other++) {
      let sum = 0;
      for (let at = 0; at < components; at++) {
        const apart = pca[cell * components + at]! - pca[other * components + at]!;
        sum += apart * apart;
      }
      distances[other] = other === cell ? Infinity : sum;
    }
    const furthest = distances.toSorted()[k - 1]!;
    let near = 0;
    for (let other = 0; other < removed; other++) if (distances[other]! <= furthest) near++;
    near = Math.min(near, k);
    nearCount += near;
    if (2 * near > k) together++;
  }
  return {
    compared: removed,
    together,
    neighbourShare: removed === 0 ? 0 : nearCount / (removed * k),
    expectedShare: Math.max(0, removed - 1) / (cells - 1),
    neighbours: k,
  };
}

interface ThinnedCell {
  cell: number;
  counts: number;
  /** Mean number of counts to keep; all if there are no more. */
  depth: number;
}

/**
 * Some cells of a matrix, each thinned to its depth by drawing its counts one by one, without excluded genes: in the
 * requested order, as one block of cells. Reads all blocks once; the same every time.
 */
async function thinnedCells(
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
        const left = drawBinomial(block.counts[at]!, share[slot]!, random);
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

function drawBinomial(count: number, share: number, random: () => number): number {
  if (share >= 1) return count;
  // The mean with its fraction drawn: beyond this many, the spread no longer matters beside the work.
  if (count > 1000) return Math.floor(count * share + random());
  let left = 0;
  for (let at = 0; at < count; at++) if (random() < share) left++;
  return left;
}

export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
