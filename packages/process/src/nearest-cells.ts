import {
  joinNearestCells,
  leafSize,
  nearestCells as exactNearest,
  type NearestCells as FoundCells,
  placePoints,
} from '@cellfolio/kernels';
import type { PlaceRange, SearchJob } from './search-worker.ts';
import { threadResult } from './thread-result.ts';

/**
 * Up to so many cells the nearest are searched for exactly. An approximate search found 84 % of them in 10,000 cells of
 * mouse brain, which showed in the clusters. Of 174,000 simulated cells it took 121 s of the processor, the exact one 80 s;
 * only its growth with the number of cells is slower.
 */
const maxExactCells = 200_000;

/** The nearest other cells of each: cell i has [i k, (i + 1) k), nearest first. */
export interface NearestCells {
  readonly cellCount: number;
  readonly k: number;
  readonly indices: Int32Array;
  readonly distances: Float64Array;
}

/** Fewer cells are found sooner than a thread has started. */
const minCellsOfThread = 2_000;

/** The `k` nearest others of each cell, by coordinates that are rounded to float32: the same in any number of threads. */
export async function nearestCells(
  { coordinates, components }: { readonly coordinates: Float64Array; readonly components: number },
  k: number,
  threads: number,
): Promise<NearestCells> {
  const cellCount = coordinates.length / components;
  if (cellCount <= maxExactCells) {
    const points = placePoints(coordinates, components);
    const [own, ...others] = rangesOf(cellCount, threads);
    const begun = others.map((range) =>
      threadResult<SearchJob, FoundCells>(new URL('./search-worker.ts', import.meta.url), {
        points,
        k,
        range,
      }),
    );
    const found = [exactNearest(points, k, own), ...(await Promise.all(begun))];
    const { indices, distances } = joinNearestCells(found, cellCount);
    return { cellCount, k, indices, distances };
  }
  const { buildNeighborSearchIndex, findNearestNeighbors, initialize } = await import('scran.js');
  await initialize({ numberOfThreads: threads });
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

/** As many as there are threads, of whole leaves; at least one. */
function rangesOf(cellCount: number, threads: number): [PlaceRange, ...PlaceRange[]] {
  const parts = Math.max(1, Math.min(threads, Math.floor(cellCount / minCellsOfThread)));
  const size = leafSize * Math.ceil(cellCount / parts / leafSize);
  const ranges = Array.from({ length: parts }, (_, part) => ({
    from: Math.min(cellCount, part * size),
    to: Math.min(cellCount, (part + 1) * size),
  }));
  return ranges as [PlaceRange, ...PlaceRange[]];
}
