import { expect, test } from 'vitest';
import { leidenClusters, adjustedRandIndex } from './leiden-clusters.ts';
import type { NeighbourGraph } from './neighbour-graph.ts';

/** Every cell tied to every other: firmly within its group, loosely outside. */
function groupsOf(sizes: readonly number[]): NeighbourGraph {
  const groups = sizes.flatMap((size, group) => new Array<number>(size).fill(group));
  const edges: [number, number, number][] = [];
  for (let a = 0; a < groups.length; a++) {
    for (let b = a + 1; b < groups.length; b++) {
      edges.push([a, b, groups[a] === groups[b] ? 1 : 0.02]);
    }
  }
  return {
    from: Int32Array.from(edges, ([a]) => a),
    to: Int32Array.from(edges, ([, b]) => b),
    weights: Float64Array.from(edges, ([, , weight]) => weight),
  };
}

test('groups that are tied within and loosely between are communities, the largest first', () => {
  expect(Array.from(leidenClusters(groupsOf([5, 7]), 12, 1))).toEqual([
    ...new Array<number>(5).fill(1),
    ...new Array<number>(7).fill(0),
  ]);
});

test('a larger resolution gives more clusters', () => {
  const count = (resolution: number) => new Set(leidenClusters(groupsOf([6, 6, 6]), 18, resolution)).size;
  expect([count(0.01), count(1), count(20)]).toEqual([1, 3, 18]);
});

// Expected values from sklearn.metrics.adjusted_rand_score.
test.each([
  ['the same under other numbers', [0, 0, 1, 1], [1, 1, 0, 0], 1],
  ['one cluster each', [0, 0, 0], [0, 0, 0], 1],
  ['a cluster cut in two', [0, 0, 1, 2], [0, 0, 1, 1], 0.571_428_571_428_571_4],
  ['every pair parted', [0, 0, 1, 1], [0, 1, 0, 1], -0.5],
])('%s', (_, a, b, expected) => {
  expect(adjustedRandIndex(a, b)).toBeCloseTo(expected, 12);
  expect(adjustedRandIndex(b, a)).toBeCloseTo(expected, 12);
});
