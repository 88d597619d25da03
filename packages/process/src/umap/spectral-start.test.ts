import { expect, test } from 'vitest';
import { symmetricEigen } from '../components/symmetric-eigen.ts';
import { networkOf } from '../leiden.ts';
import type { NeighbourGraph } from '../neighbour-graph.ts';
import { seededRandom } from '../random.ts';
import { leadingVectors } from './leading-vectors.ts';
import { spectralStart } from './spectral-start.ts';

function graphOf(edges: readonly (readonly [number, number, number])[]): NeighbourGraph {
  return {
    from: Int32Array.from(edges, ([from]) => from),
    to: Int32Array.from(edges, ([, to]) => to),
    weights: Float64Array.from(edges, ([, , weight]) => weight),
  };
}

function row(count: number, first = 0): (readonly [number, number, number])[] {
  const random = seededRandom(count);
  return Array.from({ length: count }, (_, cell) =>
    [1, 2]
      .filter((step) => cell + step < count)
      .map((step) => [first + cell, first + cell + step, 0.2 + 0.8 * random()] as const),
  ).flat();
}

test('the leading vectors are those of the whole matrix, without the trivial one', () => {
  const count = 60;
  const graph = graphOf(row(count));
  const network = networkOf(graph, count);
  const dense = new Float64Array(count * count);
  graph.weights.forEach((weight, edge) => {
    const [one, other] = [graph.from[edge]!, graph.to[edge]!];
    const value = weight / Math.sqrt(network.sizes[one]! * network.sizes[other]!);
    dense[one * count + other] = dense[other * count + one] = value;
  });
  const { values, vectors } = symmetricEigen(dense, count);
  expect(values[0]).toBeCloseTo(1, 12);
  const actual = leadingVectors(network);
  for (const axis of [0, 1]) {
    let product = 0;
    for (let cell = 0; cell < count; cell++)
      product += actual[2 * cell + axis]! * vectors[(axis + 1) * count + cell]!;
    expect(Math.abs(product)).toBeGreaterThan(1 - 1e-6);
  }
});

test('the cells of a row begin in their order, the farthest at the edge', () => {
  const count = 80;
  const start = spectralStart(graphOf(row(count)), new Float32Array(2 * count));
  const means = Array.from({ length: 8 }, (_, tenth) => {
    let sum = 0;
    for (let cell = 10 * tenth; cell < 10 * tenth + 10; cell++) sum += start[2 * cell]!;
    return sum * Math.sign(start[0]!);
  });
  expect(means).toEqual(means.toSorted((a, b) => b - a));
  expect(Math.max(...start.map(Math.abs))).toBeCloseTo(10, 3);
});

test('parts that do not hang together begin about their places, few cells and one alone too', () => {
  const sizes = [150, 80, 3, 1];
  const firsts = [0, 150, 230, 233];
  const graph = graphOf(sizes.flatMap((size, part) => row(size, firsts[part])));
  const corners = [
    [0, 0],
    [40, 0],
    [0, 40],
    [40, 40],
  ] as const;
  const places = Float32Array.from(
    sizes.flatMap((size, part) => Array.from({ length: size }, () => corners[part]!).flat()),
  );
  const start = spectralStart(graph, places);
  expect(spectralStart(graph, places)).toEqual(start);
  const middle = (part: number) =>
    [0, 1].map((axis) => {
      let sum = 0;
      for (let at = 0; at < sizes[part]!; at++) sum += start[2 * (firsts[part]! + at) + axis]!;
      return sum / sizes[part]!;
    });
  const [large, right, above, alone] = [0, 1, 2, 3].map(middle) as [number[], number[], number[], number[]];
  expect(right[0]! - large[0]!).toBeGreaterThan(5);
  expect(above[1]! - large[1]!).toBeGreaterThan(5);
  expect(alone[0]! - above[0]!).toBeGreaterThan(5);
  const spread = (part: number) => {
    const own = start.subarray(2 * firsts[part]!, 2 * (firsts[part]! + sizes[part]!));
    return Math.max(...own) - Math.min(...own);
  };
  expect(spread(0)).toBeGreaterThan(spread(1));
  expect(start.every(Number.isFinite)).toBe(true);
});

test('cells that all lie on each other begin at finite places', () => {
  const edges = Array.from({ length: 20 }, (_, one) =>
    Array.from({ length: one }, (_, other) => [other, one, 1] as const),
  ).flat();
  const start = spectralStart(graphOf(edges), new Float32Array(40));
  expect(start.every(Number.isFinite)).toBe(true);
  expect(new Set(start).size).toBeGreaterThan(20);
});
