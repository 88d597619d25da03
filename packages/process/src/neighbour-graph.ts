import type { NeighbourMixing } from '@cellfolio/model';

/** The k nearest other cells of each of n cells, nearest first: cell i has [i k, (i + 1) k). */
interface NearestNeighbours {
  cellCount: number;
  k: number;
  indices: Int32Array;
  distances: Float64Array;
}

/** Undirected edges with weights in (0, 1]. */
export interface NeighbourGraph {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly weights: Float64Array;
}

const iterations = 64;
/** For sums that umap-learn computes to 1e-5. */
const tolerance = 1e-7;
const minScale = 1e-3;

/**
 * The graph that UMAP and scanpy's `neighbors` build from nearest neighbours: each cell's distances become memberships
 * that sum to log2(k + 1), and the two directions of an edge are joined as a fuzzy union (McInnes et al. 2018,
 * arXiv:1802.03426).
 */
export function neighbourGraph(neighbours: NearestNeighbours): NeighbourGraph {
  const { cellCount, k, indices } = neighbours;
  const memberships = membershipsOf(neighbours);
  // For the maximum number of edges: memory outside of the heap, which growing arrays would fill.
  const graph: NeighbourGraph = {
    from: new Int32Array(indices.length),
    to: new Int32Array(indices.length),
    weights: new Float64Array(indices.length),
  };
  let edges = 0;
  for (let cell = 0; cell < cellCount; cell++) {
    for (let at = cell * k; at < (cell + 1) * k; at++) {
      const other = indices[at]!;
      const back = positionOf(indices, other * k, (other + 1) * k, cell);
      // An edge that both ends know of is taken once.
      if (back >= 0 && other < cell) continue;
      const there = memberships[at]!;
      const here = back < 0 ? 0 : memberships[back]!;
      const weight = there + here - there * here;
      if (weight === 0) continue;
      graph.from[edges] = Math.min(cell, other);
      graph.to[edges] = Math.max(cell, other);
      graph.weights[edges++] = weight;
    }
  }
  return {
    from: graph.from.subarray(0, edges),
    to: graph.to.subarray(0, edges),
    weights: graph.weights.subarray(0, edges),
  };
}

function positionOf(indices: Int32Array, start: number, end: number, cell: number): number {
  for (let at = start; at < end; at++) if (indices[at] === cell) return at;
  return -1;
}

function membershipsOf({ cellCount, k, distances }: NearestNeighbours): Float64Array {
  const memberships = new Float64Array(cellCount * k);
  const target = Math.log2(k + 1);
  // As in UMAP, the cell itself counts among its neighbours where means are taken, at no distance.
  const overall = sumOf(distances) / (cellCount * (k + 1));
  for (let cell = 0; cell < cellCount; cell++) {
    const own = distances.subarray(cell * k, (cell + 1) * k);
    const nearest = own.find((distance) => distance > 0) ?? 0;
    const floor = minScale * (nearest > 0 ? sumOf(own) / (k + 1) : overall);
    const scale = Math.max(floor, scaleOf(own, nearest, target));
    for (let at = 0; at < k; at++) memberships[cell * k + at] = membership(own[at]! - nearest, scale);
  }
  return memberships;
}

/**
 * Scale at which the memberships of a cell sum to the target; 0 if those at the nearest distance alone reach it. The
 * sum is convex and decreasing in the inverse of the scale, so that Newton's method approaches it from one side, faster
 * than the bisection of umap-learn.
 */
function scaleOf(distances: Float64Array, nearest: number, target: number): number {
  let atNearest = 0;
  let beyond = 0;
  for (const distance of distances) {
    if (distance <= nearest) atNearest++;
    else beyond += distance - nearest;
  }
  if (atNearest >= target) return 0;
  // The sum is at least as large as if all were at their mean.
  let inverse = (distances.length * Math.log(distances.length / target)) / beyond;
  for (let iteration = 0; iteration < iterations; iteration++) {
    let sum = atNearest - target;
    let slope = 0;
    for (const distance of distances) {
      const apart = distance - nearest;
      if (apart <= 0) continue;
      const share = Math.exp(-apart * inverse);
      sum += share;
      slope += apart * share;
    }
    if (sum < tolerance) break;
    inverse += sum / slope;
  }
  return 1 / inverse;
}

function membership(beyondNearest: number, scale: number): number {
  return beyondNearest <= 0 || scale === 0 ? 1 : Math.exp(-beyondNearest / scale);
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/**
 * Effective number of samples among the nearest neighbours of a cell: the inverse of the mean chance, over all cells,
 * that two of them are of one sample, like the inverse Simpson index of LISI (Korsunsky et al. 2019,
 * doi:10.1038/s41592-019-0619-0) without weights. `indices` has k neighbours per cell, `codes` its sample or -1.
 * Undefined if fewer than two samples are among the cells.
 */
export function neighbourMixing(
  { indices, k }: { indices: Int32Array; k: number },
  codes: ArrayLike<number>,
): NeighbourMixing | undefined {
  const sizes = new Map<number, number>();
  for (let cell = 0; cell < codes.length; cell++) {
    const code = codes[cell]!;
    if (code >= 0) sizes.set(code, (sizes.get(code) ?? 0) + 1);
  }
  if (sizes.size < 2 || k < 2) return undefined;
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const alike = [...sizes.values()].reduce((sum, size) => sum + size * (size - 1), 0);
  const sampleCounts = new Int32Array(1 + Math.max(...sizes.keys()));
  let chances = 0;
  let cells = 0;
  for (let cell = 0; cell < codes.length; cell++) {
    let labelled = 0;
    let pairs = 0;
    for (let at = cell * k; at < (cell + 1) * k; at++) {
      const code = codes[indices[at]!]!;
      if (code < 0) continue;
      labelled++;
      pairs += 2 * sampleCounts[code]!++;
    }
    for (let at = cell * k; at < (cell + 1) * k; at++) {
      const code = codes[indices[at]!]!;
      if (code >= 0) sampleCounts[code] = 0;
    }
    if (codes[cell]! < 0 || labelled < 2) continue;
    cells++;
    chances += pairs / (labelled * (labelled - 1));
  }
  if (cells === 0 || alike === 0) return undefined;
  return {
    neighbours: k,
    effectiveSamples: chances === 0 ? sizes.size : Math.min(sizes.size, cells / chances),
    expectedSamples: Math.min(sizes.size, (all * (all - 1)) / alike),
  };
}
