import type { Neighbours } from '@cellfolio/kernels';

/**
 * Cells and their nearest neighbours, each pair once: cell i has the neighbours [starts[i], starts[i + 1]), all of them
 * later cells. Its arrays may be in shared memory.
 */
export interface LocalGraph {
  readonly cellCount: number;
  readonly starts: Int32Array;
  readonly neighbours: Int32Array;
  /** Positive: the sum of the weights in both directions. */
  readonly weights: Float64Array;
  /** Sum of the weights of each cell, including those of earlier neighbours. */
  readonly degrees: Float64Array;
  readonly moments: GraphMoments;
}

/** Sums over the pairs of a graph, which the null distribution of local sums follows from. */
export interface GraphMoments {
  weights: number;
  squares: number;
  cubes: number;
  /** Over three cells that are joined with each other, the product of the three weights. */
  triangles: number;
}

/** The kernel width is the distance to the neighbour at this fraction (1/3) of the neighbourhood, as in Hotspot. */
const partOfWidth = 3;

/**
 * Gaussian kernel weights exp(−d² / σ²), σ being the distance to the neighbour a third of the way out, normalised to
 * sum to 1 per cell (DeTomaso and Yosef 2021). A pair that is near in both directions has the sum of both weights.
 */
export function localGraph(neighbours: Neighbours): LocalGraph {
  const { starts: rows, indices } = neighbours;
  const cellCount = rows.length - 1;
  const directedWeights = kernelWeights(neighbours);
  const starts = new Int32Array(cellCount + 1);
  // For the maximum number of pairs: memory outside of the heap, which growing arrays would fill.
  const pairs = {
    from: new Int32Array(indices.length),
    to: new Int32Array(indices.length),
    weights: new Float64Array(indices.length),
  };
  let count = 0;
  const degrees = new Float64Array(cellCount);
  for (let cell = 0; cell < cellCount; cell++) {
    for (let at = rows[cell]!; at < rows[cell + 1]!; at++) {
      const other = indices[at]!;
      const back = placeOf(indices, cell, rows[other]!, rows[other + 1]!);
      // The earlier cell has the pair; the later one has it where the earlier one does not name it.
      if (other < cell && back >= 0) continue;
      const weight = directedWeights[at]! + (back < 0 ? 0 : directedWeights[back]!);
      if (weight === 0) continue;
      const first = Math.min(cell, other);
      pairs.from[count] = first;
      pairs.to[count] = Math.max(cell, other);
      pairs.weights[count++] = weight;
      starts[first + 1]!++;
      degrees[cell]! += weight;
      degrees[other]! += weight;
    }
  }
  for (let cell = 0; cell < cellCount; cell++) starts[cell + 1]! += starts[cell]!;
  const next = starts.slice(0, cellCount);
  const others = new Int32Array(count);
  const weights = new Float64Array(count);
  for (let pair = 0; pair < count; pair++) {
    const at = next[pairs.from[pair]!]!++;
    others[at] = pairs.to[pair]!;
    weights[at] = pairs.weights[pair]!;
  }
  const graph = { cellCount, starts, neighbours: others, weights };
  return { ...graph, degrees, moments: momentsOf(graph) };
}

function momentsOf({
  cellCount,
  starts,
  neighbours,
  weights,
}: Omit<LocalGraph, 'degrees' | 'moments'>): GraphMoments {
  const moments = { weights: 0, squares: 0, cubes: 0, triangles: 0 };
  for (const weight of weights) {
    moments.weights += weight;
    moments.squares += weight ** 2;
    moments.cubes += weight ** 3;
  }
  // Later neighbours of one cell only: a triangle is met at the first of its cells.
  const ofCell = new Float64Array(cellCount);
  for (let cell = 0; cell < cellCount; cell++) {
    const [start, end] = [starts[cell]!, starts[cell + 1]!];
    for (let at = start; at < end; at++) ofCell[neighbours[at]!] = weights[at]!;
    for (let at = start; at < end; at++) {
      const other = neighbours[at]!;
      let sum = 0;
      for (let next = starts[other]!; next < starts[other + 1]!; next++)
        sum += weights[next]! * ofCell[neighbours[next]!]!;
      moments.triangles += weights[at]! * sum;
    }
    for (let at = start; at < end; at++) ofCell[neighbours[at]!] = 0;
  }
  return moments;
}

function placeOf(indices: Int32Array, cell: number, from: number, to: number): number {
  for (let at = from; at < to; at++) if (indices[at] === cell) return at;
  return -1;
}

function kernelWeights({ starts, distances }: Pick<Neighbours, 'starts' | 'distances'>): Float64Array {
  const weights = new Float64Array(distances.length);
  for (let cell = 0; cell + 1 < starts.length; cell++) {
    const [start, end] = [starts[cell]!, starts[cell + 1]!];
    // Cells that are all at one place have no width.
    const width = distances[start + Math.ceil((end - start) / partOfWidth) - 1]! || 1;
    let sum = 0;
    for (let at = start; at < end; at++) {
      const weight = Math.exp(-(distances[at]! ** 2) / width ** 2);
      weights[at] = weight;
      sum += weight;
    }
    if (sum > 0) for (let at = start; at < end; at++) weights[at]! /= sum;
  }
  return weights;
}
