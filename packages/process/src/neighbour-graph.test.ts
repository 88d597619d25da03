import { expect, test } from 'vitest';
import { neighbourGraph } from './neighbour-graph.ts';
import reference from './process-reference.json' with { type: 'json' };

test('edges weigh what umap-learn gives them', () => {
  const { cellCount, k, indices, distances, edges } = reference.graph;
  const graph = neighbourGraph({
    cellCount,
    k,
    indices: Int32Array.from(indices),
    distances: Float64Array.from(distances),
  });
  const order = Array.from(graph.weights.keys()).toSorted(
    (a, b) => graph.from[a]! - graph.from[b]! || graph.to[a]! - graph.to[b]!,
  );
  expect(order.map((at) => [graph.from[at], graph.to[at]])).toEqual(edges.map(([from, to]) => [from, to]));
  // umap-learn carries weights in single precision, and stops its bisection at 1e-5.
  for (const [position, at] of order.entries())
    expect(graph.weights[at], `edge ${position}`).toBeCloseTo(edges[position]![2]!, 4);
});
