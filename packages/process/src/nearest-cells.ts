import {
  joinNearestCells,
  sampledNeighbours,
  leafSize,
  listPoints,
  type NearestCells as FoundCells,
  placePoints,
  placesOfChunk,
  recallOf,
  requiredMatches,
} from '@cellfolio/kernels';
import type { NeighbourRecall } from '@cellfolio/model';
import { seededRandom, seeds, shuffled } from './random.ts';
import { type SearchJob, searchRange } from './search-range.ts';
import { threadResult } from './thread-result.ts';

/** Up to this number of cells the search is exact, which is faster than scanpy's approximate search. */
export const maxExactCells = 12_000;
/**
 * Number of cells whose exact neighbours determine how many cells to search; and of other cells that measure the
 * resulting recall.
 */
const sampleSize = 500;
/** The reported recall is then at least 0.98 on all data tried. */
const wantedShare = 0.985;

/** Nearest other cells of each: cell i has [i k, (i + 1) k), nearest first. */
export interface NearestCells {
  cellCount: number;
  k: number;
  indices: Int32Array;
  distances: Float64Array;
  /** Present for an approximate search. */
  recall?: NeighbourRecall;
}

/** Fewer cells are searched sooner than a thread starts. */
const minCellsOfThread = 2_000;

export interface Space {
  coordinates: Float64Array;
  components: number;
}

/** The `k` nearest others of each cell, by coordinates rounded to float32: the same with any number of threads. */
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
 * The exact `k` nearest of each cell: among all others, or among the cells of another space, to which `indices` then
 * refer. Throws RangeError if there are fewer than k.
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

async function nearestOfLists(
  { coordinates, components }: Space,
  k: number,
  threads: number,
): Promise<NearestCells> {
  const random = seededRandom(seeds.neighbours);
  const listed = listPoints(coordinates, components, random);
  const shuffledCells = shuffled(listed.count, random);
  const wanted = requiredMatches(
    sampledNeighbours(listed, k, shuffledCells.slice(0, sampleSize)),
    wantedShare,
  );
  const others = sampledNeighbours(listed, k, shuffledCells.slice(sampleSize, 2 * sampleSize));
  const ranges = rangesOf(listed.places.length, placesOfChunk, threads);
  const nearest = await searched(
    ranges.map(({ from, to }) => ({ listed, wanted, k, from, to })),
    listed.count,
  );
  return { ...nearest, recall: { cells: others.cells.length, share: recallOf(others, nearest.distances) } };
}

async function searched(jobs: readonly SearchJob[], cellCount: number): Promise<NearestCells> {
  const [own, ...others] = jobs;
  const begun = others.map((job) =>
    threadResult<SearchJob, FoundCells>(new URL('./search-worker.ts', import.meta.url), job),
  );
  const pieces = [searchRange(own!), ...(await Promise.all(begun))];
  return { cellCount, ...joinNearestCells(pieces, cellCount) };
}

function rangesOf(places: number, unit: number, threads: number) {
  const parts = Math.max(1, Math.min(threads, Math.floor(places / minCellsOfThread)));
  const size = unit * Math.ceil(places / parts / unit);
  return Array.from({ length: parts }, (_, part) => ({
    from: Math.min(places, part * size),
    to: Math.min(places, (part + 1) * size),
  }));
}
