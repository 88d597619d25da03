import { seededRandom, seeds } from '../random.ts';
import { unitLength, type BatchedCells, type HarmonySettings } from './batched-cells.ts';
import { correctedCells } from './correct-cells.ts';
import { DiverseClusters } from './diverse-clusters.ts';

/**
 * Weights are those of the article. Rounds and tolerances are those of harmonypy 2.1: the article's (20 rounds, 1e-5
 * and 1e-4) take some ten times as long.
 */
export const harmonyDefaults: HarmonySettings = {
  diversity: 2,
  softness: 0.1,
  ridge: 1,
  maxIterations: 10,
  maxClusterIterations: 4,
  tolerance: 1e-2,
  clusterTolerance: 1e-3,
  blockShare: 0.05,
};

export interface Harmonised {
  /** Corrected coordinates, in the layout of the input. */
  coordinates: Float64Array;
  /** Clustering objective: at the start, then after each round. */
  objectives: readonly number[];
  iterations: number;
  converged: boolean;
}

/** Number of clusters: one per 30 cells, at most 100. */
export function clustersFor(cells: number): number {
  return Math.max(1, Math.min(100, Math.round(cells / 30)));
}

/**
 * Removes the differences between batches from principal components (Harmony, Korsunsky et al. 2019,
 * doi:10.1038/s41592-019-0619-0). Soft clusters each contain cells of all batches, and within each cluster the batch
 * differences are subtracted; repeated until the objective stops improving. Written from the article and its
 * supplement. `centroids`: initial ones of the clusters, `components` for each, of length 1. The same input gives the
 * same result. Memory: 8 bytes per cell and cluster.
 */
export function harmony(
  cells: BatchedCells,
  centroids: Float64Array,
  settings: HarmonySettings = harmonyDefaults,
  onProgress: (fraction: number) => void = () => undefined,
): Harmonised {
  const random = seededRandom(seeds.harmony);
  const { components } = cells;
  const clusters = new DiverseClusters(cells, centroids, settings);
  let unit = unitLength(cells.coordinates, components);
  const objectives = [clusters.start(unit)];
  let coordinates = cells.coordinates;
  let converged = false;
  while (objectives.length <= settings.maxIterations && !converged) {
    const objective = clusters.settle(unit, random);
    coordinates = correctedCells(cells, clusters, settings.ridge);
    unit = unitLength(coordinates, components);
    const before = objectives.at(-1)!;
    objectives.push(objective);
    converged = before - objective < settings.tolerance * Math.abs(before);
    onProgress(Math.min(1, objectives.length / (settings.maxIterations + 1)));
  }
  return { coordinates, objectives, iterations: objectives.length - 1, converged };
}
