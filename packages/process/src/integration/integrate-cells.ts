import { unitLength, type BatchedCells } from './batched-cells.ts';
import { clustersFor, harmony, type Harmonised } from './harmony.ts';

/** Seconds are better spent on the rounds of Harmony, which move the centroids anyway. */
const kmeansIterations = 10;

/** Harmony with its defaults, from centroids of k-means over the directions of the cells. */
export async function integrateBatches(
  cells: BatchedCells,
  { threads }: { threads: number },
  onProgress: (fraction: number) => void = () => undefined,
): Promise<Harmonised & { readonly clusters: number }> {
  const centroids = await centroidsOf(cells, threads);
  return {
    ...harmony(cells, centroids, undefined, onProgress),
    clusters: centroids.length / cells.components,
  };
}

/** The library is loaded where it is needed: that alone takes a quarter of a second of the processor. */
async function centroidsOf(
  { coordinates, components, batches }: BatchedCells,
  threads: number,
): Promise<Float64Array> {
  const { clusterKmeans, initialize, terminate } = await import('scran.js');
  await initialize({ numberOfThreads: threads });
  try {
    const found = clusterKmeans(unitLength(coordinates, components), clustersFor(batches.length), {
      numberOfDims: components,
      numberOfCells: batches.length,
      initMethod: 'kmeans++',
      refineMethod: 'lloyd',
      refineLloydIterations: kmeansIterations,
    });
    const centroids = unitLength(found.centers(), components);
    found.free();
    return centroids;
  } finally {
    terminate();
  }
}
