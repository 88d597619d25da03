import { buildNeighborSearchIndex, findNearestNeighbors, type FindNearestNeighborsResults } from 'scran.js';

/**
 * Up to so many cells the nearest are searched for exactly. An approximate search found 84 % of them in 10,000 cells of
 * mouse brain, which showed in the clusters, and took longer; only its growth with the number of cells is slower.
 */
const maxExactCells = 60_000;

/** The nearest other cells of each, as arrays and in the library's memory. */
export interface NearestCells {
  readonly found: FindNearestNeighborsResults;
  readonly cellCount: number;
  readonly k: number;
  readonly indices: Int32Array;
  readonly distances: Float64Array;
}

/** The `k` nearest others of each cell; the caller frees `found`. */
export function nearestCells(
  { coordinates, components }: { readonly coordinates: Float64Array; readonly components: number },
  k: number,
): NearestCells {
  const cellCount = coordinates.length / components;
  const index = buildNeighborSearchIndex(coordinates, {
    numberOfDims: components,
    numberOfCells: cellCount,
    approximate: cellCount > maxExactCells,
  });
  const found = findNearestNeighbors(index, k);
  index.free();
  const { indices, distances } = found.serialize();
  return { found, cellCount, k, indices, distances };
}
