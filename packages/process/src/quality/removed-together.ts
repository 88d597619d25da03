import type { CountMatrix } from '../count-matrix.ts';
import { ProcessError } from '../errors.ts';
import { processCounts, type ProcessOptions } from '../process-counts.ts';
import type { CellMeasures } from './cell-measures.ts';
import { mitochondrialGenes } from './gene-kinds.ts';
import { mulberry32, thinnedCells, type ThinnedCell } from './thinned-cells.ts';

/** Whether the cells that would go are like each other more than like those that stay. */
export interface RemovedTogether {
  /** Removed cells that were compared, of all that have enough counts. */
  readonly compared: number;
  /** Of them those more than half of whose nearest neighbours are removed too. */
  readonly together: number;
  /** Mean share of removed cells among their nearest neighbours, and the share by chance. */
  readonly neighbourShare: number;
  readonly expectedShare: number;
  readonly neighbours: number;
}

const NEIGHBOURS = 15;
/** Fewer counts than this place no cell. */
const FEWEST_COUNTS = 20;
/** As many counts are enough to tell kinds of cells apart, and few enough to hold. */
const MOST_COUNTS = 2000;
const FEWEST_REMOVED = 10;
const MOST_REMOVED = 1000;
/** Cells that stay are compared with, four to each that goes: then a fifth of neighbours at most is removed by chance. */
const STAYING = 4;
/** Lets every cell pass. */
const EVERY_CELL = { deviations: 1, minimumCounts: 0, minimumGenes: 0, maximumMitochondrial: 1 };

export interface RemovedOptions extends Pick<ProcessOptions, 'memoryBytes' | 'signal' | 'threads'> {
  readonly measures: CellMeasures;
  /** Per cell 1 where it stays. */
  readonly keep: Uint8Array;
}

/**
 * Compares cells that quality control takes away with those that stay, in the space of principal components. Damaged
 * cells come from all kinds of cells; a population that has little RNA has neighbours of its own kind. So that poor cells
 * are not neighbours for being poor, cells that stay are thinned to the depths of those that go, and mitochondrial genes
 * are left out. Undefined where too few can be compared. Throws what `counts.blocks` throws; the signal's reason.
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
        // Without names no gene is taken for a mitochondrial one.
        geneNames: counts.geneNames.map(() => ''),
        by: 'cell',
        entryCount: block.indices.length,
        blocks: [block],
      },
      {
        settings: {
          quality: EVERY_CELL,
          variableGenes: 2000,
          components: 20,
          neighbours: NEIGHBOURS,
          resolution: 1,
          minimumDistance: 0.3,
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

/** Removed cells, then staying ones, both drawn evenly and thinned to like depths; undefined where there are too few. */
function chosenCells(
  { counts, mitochondrial }: CellMeasures,
  keep: Uint8Array,
): { cells: ThinnedCell[]; removed: number } | undefined {
  const random = mulberry32(0);
  const left = (cell: number) => Math.round(counts[cell]! * (1 - mitochondrial[cell]!));
  const all = Array.from(keep.keys()).filter((cell) => counts[cell]! > 0 && left(cell) >= FEWEST_COUNTS);
  const staying = all.filter((cell) => keep[cell] === 1);
  const most = Math.min(MOST_REMOVED, Math.floor(staying.length / STAYING));
  const removed = drawnFrom(
    all.filter((cell) => keep[cell] === 0),
    most,
    random,
  );
  if (removed.length < FEWEST_REMOVED) return undefined;
  const depths = removed.map((cell) => Math.min(MOST_COUNTS, left(cell)));
  const compared = drawnFrom(staying, Math.max(STAYING * removed.length, STAYING * 100), random);
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

/** So many at most, each with the same chance. */
function drawnFrom(cells: number[], most: number, random: () => number): number[] {
  for (let at = 0; at < Math.min(most, cells.length); at++) {
    const other = at + Math.floor(random() * (cells.length - at));
    [cells[at], cells[other]] = [cells[other]!, cells[at]!];
  }
  return cells.slice(0, most);
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
  const k = Math.min(NEIGHBOURS, cells - 1);
  const distances = new Float64Array(cells);
  let together = 0;
  let found = 0;
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
    found += near;
    if (2 * near > k) together++;
  }
  return {
    compared: removed,
    together,
    neighbourShare: removed === 0 ? 0 : found / (removed * k),
    expectedShare: Math.max(0, removed - 1) / (cells - 1),
    neighbours: k,
  };
}
