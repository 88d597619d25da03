import { chunkSize, farthest, groupSize, groupWords, ListKernel } from './list-kernel.ts';
import type { ListedPoints } from './listed-points.ts';
import { insertNearest, type NearestCells } from './nearest-cells.ts';

/** Number of places searched together: a thread's range consists of whole chunks. */
export const placesOfChunk = chunkSize;
/** Number of extra candidates kept by the integer search, from which float64 distances select the nearest. */
const spare = 8;

/**
 * Finds the k nearest others, by Euclidean distance, of the cells at places [from, to): among the lists with the
 * nearest centroids that hold at least `wanted` cells, more than k. `from` and `to` are multiples of a chunk, or the
 * end. Distances are float64.
 */
export function nearestInLists(
  points: ListedPoints,
  k: number,
  { wanted, from, to }: { readonly wanted: number; readonly from: number; readonly to: number },
): NearestCells {
  const { places, words, width, starts, sizes, centres } = points;
  const kernel = new ListKernel(width, k, sizes.length);
  kernel.setLists(centres, sizes);
  const cells = places.slice(from, to).filter((cell) => cell >= 0);
  const indices = new Int32Array(cells.length * k);
  const distances = new Float64Array(cells.length * k);
  const size = groupWords(width);
  const ranked = new RankedCells(points, k);
  let row = 0;
  for (let first = from; first < to; first += chunkSize) {
    const count = Math.min(chunkSize, to - first);
    for (let place = 0; place < count; place++) copyRow(points, first + place, kernel.rows, place);
    kernel.clear();
    kernel.choose(count, wanted);
    for (const [list, asking] of kernel.counts.entries()) {
      if (asking === 0) continue;
      const own = words.subarray(starts[list]! * size, starts[list + 1]! * size);
      kernel.lookInList(list, own, { first: starts[list]! * groupSize, self: first });
    }
    for (let place = 0; place < count; place++) {
      if (places[first + place]! < 0) continue;
      ranked.rank(first + place, kernel.nearestOf(place));
      indices.set(ranked.cells, row * k);
      distances.set(ranked.distances, row * k);
      row++;
    }
  }
  return { cells, k, indices, distances };
}

function copyRow({ words, width }: ListedPoints, place: number, rows: Int32Array, row: number): void {
  let from = Math.floor(place / groupSize) * groupWords(width) + (place % groupSize);
  for (let to = (row * width) / 2; to < ((row + 1) * width) / 2; to++) rows[to] = words[(from += groupSize)]!;
}

class RankedCells {
  readonly cells: Int32Array;
  readonly distances: Float64Array;
  readonly #points: ListedPoints;

  constructor(points: ListedPoints, k: number) {
    this.#points = points;
    this.cells = new Int32Array(k);
    this.distances = new Float64Array(k);
  }

  /** `candidates`: at least k places. */
  rank(place: number, candidates: Int32Array): void {
    const { coordinates, dimensions, places } = this.#points;
    const { cells, distances } = this;
    const nearest = { squares: distances, cells };
    const own = place * dimensions;
    distances.fill(Infinity);
    for (let at = 0; at < candidates.length && candidates[at] !== farthest; at++) {
      const other = candidates[at]! * dimensions;
      let square = 0;
      for (let dimension = 0; dimension < dimensions; dimension++) {
        const apart = coordinates[own + dimension]! - coordinates[other + dimension]!;
        square += apart * apart;
      }
      insertNearest(nearest, 0, cells.length - 1, square, places[candidates[at]!]!);
    }
    for (let at = 0; at < distances.length; at++) distances[at] = Math.sqrt(distances[at]!);
  }
}

export interface SampledNeighbours {
  readonly k: number;
  readonly cells: Int32Array;
  readonly distances: Float64Array;
  /**
   * For each neighbour, the number of cells in the lists up to its own, starting from the list with the nearest
   * centroid.
   */
  readonly wanted: Int32Array;
}

/** Computes the neighbours of some cells from all distances. `sample`: distinct cells, fewer than there are. */
export function sampledNeighbours(points: ListedPoints, k: number, sample: Int32Array): SampledNeighbours {
  const { words, width, sizes, centres } = points;
  const kernel = new ListKernel(width, k + spare, sizes.length);
  kernel.setLists(centres, sizes);
  const distances = new Float64Array(sample.length);
  const wanted = new Int32Array(sample.length * k);
  const ranked = new RankedCells(points, k);
  const [placeOf, listOf] = positions(points);
  for (let from = 0; from < sample.length; from += chunkSize) {
    const count = Math.min(chunkSize, sample.length - from);
    for (let row = 0; row < count; row++) copyRow(points, placeOf[sample[from + row]!]!, kernel.rows, row);
    kernel.clear();
    // A cell finds itself as well, and is left out below.
    kernel.look(count, words, { first: 0, self: -chunkSize });
    for (let row = 0; row < count; row++) {
      const place = placeOf[sample[from + row]!]!;
      ranked.rank(
        place,
        kernel.nearestOf(row).filter((candidate) => candidate !== place),
      );
      distances[from + row] = ranked.distances[k - 1]!;
      const upTo = cellsUpTo(kernel.centreScores(row), sizes);
      for (let at = 0; at < k; at++) wanted[(from + row) * k + at] = upTo[listOf[ranked.cells[at]!]!]!;
    }
  }
  return { k, cells: sample, distances, wanted };
}

function positions({ places, starts, count }: ListedPoints): [Int32Array, Int32Array] {
  const [placeOf, listOf] = [new Int32Array(count), new Int32Array(count)];
  let list = 0;
  for (const [place, cell] of places.entries()) {
    while (place >= groupSize * starts[list + 1]!) list++;
    if (cell < 0) continue;
    placeOf[cell] = place;
    listOf[cell] = list;
  }
  return [placeOf, listOf];
}

/** For each list, the number of cells in it and in the lists with lower scores. */
function cellsUpTo(scores: Int32Array, sizes: Int32Array): Int32Array {
  const result = new Int32Array(sizes.length);
  let sum = 0;
  // Numbers sort many times faster without a comparison in JavaScript.
  const keys = Float64Array.from(scores, (score, list) => (score + 2 ** 31) * scores.length + list);
  for (const key of keys.sort()) {
    const list = key % scores.length;
    sum += sizes[list]!;
    result[list] = sum;
  }
  return result;
}

/** Minimum number of cells to search to find this share of the neighbours. */
export function requiredMatches({ wanted, k }: SampledNeighbours, share: number): number {
  const sorted = wanted.slice().sort();
  return Math.max(k + 1, sorted[Math.ceil(share * sorted.length) - 1]!);
}

/**
 * Share of the exact neighbours found: those no farther than the k-th. `distances`: those of the k neighbours of each
 * cell.
 */
export function recallOf(
  { cells, distances: kthDistances, k }: SampledNeighbours,
  distances: Float64Array,
): number {
  let hits = 0;
  for (const [at, cell] of cells.entries())
    for (let one = cell * k; one < (cell + 1) * k; one++) if (distances[one]! <= kthDistances[at]!) hits++;
  return hits / (cells.length * k);
}
