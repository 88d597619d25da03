import { unitLength, type BatchedCells, type BatchMethod } from './batched-cells.ts';
import { clustersFor, harmony } from './harmony.ts';

/** More would not pay off: the rounds of Harmony move the centroids anyway. */
const kmeansIterations = 10;

export const harmonyMethod: BatchMethod = {
  // Shares of each cell in up to 100 clusters.
  bytesOfCell: (components) => 100 * 8 + components * 8 * 3,
  async integrate({ cells, threads, onProgress }) {
    const centroids = await centroidsOf(cells, threads);
    const { coordinates, ...run } = harmony(cells, centroids, undefined, onProgress);
    return {
      coordinates,
      run: { method: 'harmony', clusters: centroids.length / cells.components, ...run },
    };
  },
};

/** Loads the library on demand: that alone takes a quarter of a second of the processor. */
async function centroidsOf(
  { coordinates, components, batches }: BatchedCells,
  threads: number,
): Promise<Float64Array> {
  const { clusterKmeans, initialize, terminate } = await import('scran.js');
  await initialize({ numberOfThreads: threads });
  try {
    const clustering = clusterKmeans(unitLength(coordinates, components), clustersFor(batches.length), {
      numberOfDims: components,
      numberOfCells: batches.length,
      initMethod: 'kmeans++',
      refineMethod: 'lloyd',
      refineLloydIterations: kmeansIterations,
    });
    const centroids = unitLength(clustering.centers(), components);
    clustering.free();
    return centroids;
  } finally {
    terminate();
  }
}
