import type { CellGraph } from './cell-graph.ts';
import {
  beginEigenpairs,
  type Eigenpairs,
  type EigenState,
  largestEigenpairs,
  type Multiply,
  nextEigenStep,
} from './largest-eigenpairs.ts';

/** Number of components in scanpy's `tl.diffmap`. */
const diffusionComponents = 15;

/**
 * Diffusion map of a connected graph of cells, as scanpy's `tl.diffmap`: eigenvalues largest in absolute value of the
 * symmetric transition matrix, weights divided by the degrees of both cells (Coifman and Lafon 2006,
 * doi:10.1016/j.acha.2006.04.006). The first eigenvalue is 1: it describes where a random walk ends, not the order of
 * the cells. scanpy rounds values and vectors to float32, and its signs are arbitrary.
 */
export function diffusionMap(graph: CellGraph, components = diffusionComponents): Eigenpairs {
  const { cellCount } = graph;
  return largestEigenpairs(productOf(transitions(graph)), cellCount, Math.min(components, cellCount - 1));
}

/** Starts the diffusion map of a graph of transitions, for `continueDiffusionMap`. */
export function beginDiffusionMap({ cellCount }: CellGraph): EigenState {
  return beginEigenpairs(cellCount, Math.min(diffusionComponents, cellCount - 1));
}

/** Continues a diffusion map for some milliseconds, or to its end. Throws NotConverged. */
export function continueDiffusionMap(graph: CellGraph, begun: EigenState, milliseconds: number): EigenState {
  const multiply = productOf(graph);
  const end = performance.now() + milliseconds;
  let state = begun;
  while (!state.pairs && performance.now() < end) state = nextEigenStep(multiply, state);
  return state;
}

function productOf({ cellCount, starts, neighbours, weights }: CellGraph): Multiply {
  return (vector, product) => {
    for (let cell = 0; cell < cellCount; cell++) {
      let sum = 0;
      for (let at = starts[cell]!; at < starts[cell + 1]!; at++)
        sum += weights[at]! * vector[neighbours[at]!]!;
      product[cell] = sum;
    }
  };
}

/** The same graph with the symmetric transition matrix as weights, possibly in shared memory. */
export function transitions(graph: CellGraph): CellGraph {
  const density = scaled(
    graph,
    rowSums(graph).map((sum) => 1 / sum),
  );
  return scaled(
    density,
    rowSums(density).map((sum) => 1 / Math.sqrt(sum)),
  );
}

function scaled(graph: CellGraph, factors: Float64Array): CellGraph {
  const { cellCount, starts, neighbours, weights } = graph;
  const result = new Float64Array(weights.length);
  for (let cell = 0; cell < cellCount; cell++) {
    const own = factors[cell]!;
    for (let at = starts[cell]!; at < starts[cell + 1]!; at++) {
      result[at] = weights[at]! * own * factors[neighbours[at]!]!;
    }
  }
  return { ...graph, weights: result };
}

function rowSums({ cellCount, starts, weights }: CellGraph): Float64Array {
  const sums = new Float64Array(cellCount);
  for (let cell = 0; cell < cellCount; cell++) {
    let sum = 0;
    for (let at = starts[cell]!; at < starts[cell + 1]!; at++) sum += weights[at]!;
    sums[cell] = sum;
  }
  return sums;
}
