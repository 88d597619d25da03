import { clusterKmeans, initialize, terminate } from 'scran.js';
import { unitLength, type BatchedCells } from './batched-cells.ts';
import { clustersFor, harmony, type Harmonised } from './harmony.ts';

/** Seconds are better spent on the rounds of Harmony, which move the centroids anyway. */
const kmeansIterations = 10;

/** Harmony with its defaults, from centroids of k-means over the directions of the cells. */
export function integratedCells(
  cells: BatchedCells,
  onProgress: (fraction: number) => void,
): Harmonised & { readonly clusters: number } {
  const { coordinates, components, batches } = cells;
  const clusters = clustersFor(batches.length);
  const found = clusterKmeans(unitLength(coordinates, components), clusters, {
    numberOfDims: components,
    numberOfCells: batches.length,
    initMethod: 'kmeans++',
    refineMethod: 'lloyd',
    refineLloydIterations: kmeansIterations,
  });
  const centroids = unitLength(found.centers(), components);
  found.free();
  return { ...harmony(cells, centroids, undefined, onProgress), clusters: centroids.length / components };
}

/** The same on its own, where the library is not running yet. */
export async function integrateBatches(
  cells: BatchedCells,
  { threads }: { threads: number },
): Promise<Harmonised & { readonly clusters: number }> {
  await initialize({ numberOfThreads: threads });
  try {
    return integratedCells(cells, () => undefined);
  } finally {
    terminate();
  }
}
