import { joinNearestCells, nearestCells as exactNearest, placePoints } from '@cellfolio/kernels';
import { buildNeighborSearchIndex, findNearestNeighbors } from 'scran.js';

/**
 * Up to so many cells the nearest are searched for exactly. An approximate search found 84 % of them in 10,000 cells of
 * mouse brain, which showed in the clusters. At 60,000 cells it took 23 s of the processor, the exact one 14 s; only its
 * growth with the number of cells is slower.
 */
const maxExactCells = 100_000;

/** The nearest other cells of each: cell i has [i k, (i + 1) k), nearest first. */
export interface NearestCells {
  readonly cellCount: number;
  readonly k: number;
  readonly indices: Int32Array;
  readonly distances: Float64Array;
}

/** The `k` nearest others of each cell, by coordinates that are rounded to float32. */
export function nearestCells(
  { coordinates, components }: { readonly coordinates: Float64Array; readonly components: number },
  k: number,
): NearestCells {
  const cellCount = coordinates.length / components;
  if (cellCount <= maxExactCells) {
    const found = exactNearest(placePoints(coordinates, components), k, { from: 0, to: cellCount });
    const { indices, distances } = joinNearestCells([found], cellCount);
    return { cellCount, k, indices, distances };
  }
  const index = buildNeighborSearchIndex(coordinates, {
    numberOfDims: components,
    numberOfCells: cellCount,
    approximate: true,
  });
  const found = findNearestNeighbors(index, k);
  index.free();
  const { indices, distances } = found.serialize();
  found.free();
  return { cellCount, k, indices, distances };
}
