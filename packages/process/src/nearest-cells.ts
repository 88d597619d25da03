import {
  joinNearestCells,
  knownNearest,
  leafSize,
  listPoints,
  type NearestCells as FoundCells,
  placePoints,
  placesOfChunk,
  recallOf,
  wantedFor,
} from '@cellfolio/kernels';
import type { NeighbourRecall } from '@cellfolio/model';
import { seededRandom, seeds, shuffled } from './random.ts';
import { type SearchJob, searchRange } from './search-range.ts';
import { threadResult } from './thread-result.ts';

/** Up to so many cells the nearest are searched for exactly, which takes less than scanpy's approximate search does. */
export const maxExactCells = 12_000;
/** Of so many cells the neighbours are searched for in all cells, to tell in how many they are found; and of as many others how many were. */
const sampleSize = 500;
/** What is told is at least 0.98 of all data that was tried. */
const wantedShare = 0.985;

/** The nearest other cells of each: cell i has [i k, (i + 1) k), nearest first. */
export interface NearestCells {
  readonly cellCount: number;
  readonly k: number;
  readonly indices: Int32Array;
  readonly distances: Float64Array;
  /** Of an approximate search. */
  readonly recall?: NeighbourRecall;
}

/** Fewer cells are found sooner than a thread has started. */
const minCellsOfThread = 2_000;

export interface Space {
  readonly coordinates: Float64Array;
  readonly components: number;
}

/** The `k` nearest others of each cell, by coordinates that are rounded to float32: the same in any number of threads. */
export async function nearestCells(
  space: Space,
  k: number,
  threads: number,
  exactUpTo = maxExactCells,
): Promise<NearestCells> {
  const cellCount = space.coordinates.length / space.components;
  return cellCount <= exactUpTo ? allNearest(space, k, threads) : nearestOfLists(space, k, threads);
}

/**
 * The `k` nearest of each cell, exactly: among all others, or among the cells of another space, whose positions `indices` then
 * are. Throws RangeError where there are no k of them.
 */
export async function allNearest(
  { coordinates, components }: Space,
  k: number,
  threads: number,
  others?: Space,
): Promise<NearestCells> {
  const placed = placePoints(coordinates, components);
  const among = others && placePoints(others.coordinates, components);
  const cellCount = placed.order.length;
  const ranges = rangesOf(cellCount, leafSize, threads);
  return searched(
    ranges.map(({ from, to }) => ({ placed, among, k, from, to })),
    cellCount,
  );
}

/** In the lists around the centroids that are nearest to a cell, as many as a sample of the cells needs. */
async function nearestOfLists(
  { coordinates, components }: Space,
  k: number,
  threads: number,
): Promise<NearestCells> {
  const random = seededRandom(seeds.neighbours);
  const listed = listPoints(coordinates, components, random);
  const drawn = shuffled(listed.count, random);
  const wanted = wantedFor(knownNearest(listed, k, drawn.slice(0, sampleSize)), wantedShare);
  const others = knownNearest(listed, k, drawn.slice(sampleSize, 2 * sampleSize));
  const ranges = rangesOf(listed.places.length, placesOfChunk, threads);
  const found = await searched(
    ranges.map(({ from, to }) => ({ listed, wanted, k, from, to })),
    listed.count,
  );
  return { ...found, recall: { cells: others.cells.length, share: recallOf(others, found.distances) } };
}

/** The first range is searched in this thread, the others in threads of their own. */
async function searched(jobs: readonly SearchJob[], cellCount: number): Promise<NearestCells> {
  const [own, ...others] = jobs;
  const begun = others.map((job) =>
    threadResult<SearchJob, FoundCells>(new URL('./search-worker.ts', import.meta.url), job),
  );
  const found = [searchRange(own!), ...(await Promise.all(begun))];
  return { cellCount, ...joinNearestCells(found, cellCount) };
}

/** As many as there are threads, of whole units of places; at least one. */
function rangesOf(places: number, unit: number, threads: number) {
  const parts = Math.max(1, Math.min(threads, Math.floor(places / minCellsOfThread)));
  const size = unit * Math.ceil(places / parts / unit);
  return Array.from({ length: parts }, (_, part) => ({
    from: Math.min(places, part * size),
    to: Math.min(places, (part + 1) * size),
  }));
}
