import type { CellGraph } from './cell-graph.ts';
import { type Eigenpairs, largestEigenpairs } from './largest-eigenpairs.ts';

/** Components that scanpy's `tl.diffmap` computes. */
export const diffusionComponents = 15;

/**
 * The diffusion map of a connected graph of cells as scanpy's `tl.diffmap`: the transition matrix in its symmetric form,
 * weights divided by the degrees of both cells (Coifman and Lafon 2006, doi:10.1016/j.acha.2006.04.006), and its eigenvalues
 * largest in size. The first is 1: it says where a random walk ends, and nothing of the order of the cells.
 *
 * scanpy rounds values and vectors to float32; signs are arbitrary there.
 */
export function diffusionMap(graph: CellGraph, components = diffusionComponents): Eigenpairs {
  const { cellCount, starts, neighbours } = graph;
  const transitions = symmetricTransitions(graph);
  const multiply = (vector: Float64Array, product: Float64Array): void => {
    for (let cell = 0; cell < cellCount; cell++) {
      let sum = 0;
      for (let at = starts[cell]!; at < starts[cell + 1]!; at++) {
        sum += transitions[at]! * vector[neighbours[at]!]!;
      }
      product[cell] = sum;
    }
  };
  return largestEigenpairs(multiply, cellCount, Math.min(components, cellCount - 1));
}

function symmetricTransitions({ cellCount, starts, neighbours, weights }: CellGraph): Float64Array {
  const scaled = (values: Float64Array, factors: Float64Array): Float64Array => {
    const result = new Float64Array(values.length);
    for (let cell = 0; cell < cellCount; cell++) {
      for (let at = starts[cell]!; at < starts[cell + 1]!; at++) {
        result[at] = values[at]! * factors[cell]! * factors[neighbours[at]!]!;
      }
    }
    return result;
  };
  const rowSums = (values: Float64Array): Float64Array => {
    const sums = new Float64Array(cellCount);
    for (let cell = 0; cell < cellCount; cell++) {
      for (let at = starts[cell]!; at < starts[cell + 1]!; at++) sums[cell]! += values[at]!;
    }
    return sums;
  };
  const density = scaled(
    weights,
    rowSums(weights).map((sum) => 1 / sum),
  );
  return scaled(
    density,
    rowSums(density).map((sum) => 1 / Math.sqrt(sum)),
  );
}
