import { expect, test } from 'vitest';
import { leidenClusters, adjustedRandIndex } from './leiden-clusters.ts';
import { seededRandom } from './random.ts';
import { leiden, networkOf } from './leiden.ts';
import type { NeighbourGraph } from './neighbour-graph.ts';

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

test('each try is reported, and no more are made where the first few agree', () => {
  const reported: number[] = [];
  leidenClusters(groupsOf([5, 7]), 12, 1, (done) => reported.push(done));
  expect(reported).toEqual([1 / 7, 2 / 7, 3 / 7]);
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

function noisyGraph(cells: number, groups: number): NeighbourGraph {
  const random = seededRandom(5);
  const edges = new Map<number, number>();
  for (let from = 0; from < cells; from++) {
    for (let edge = 0; edge < 8; edge++) {
      const near = random() < 0.6;
      const target = Math.floor(random() * cells);
      const to = near ? target - (target % groups) + (from % groups) : target;
      if (to !== from && to < cells)
        edges.set(Math.min(from, to) * cells + Math.max(from, to), 0.2 + random());
    }
  }
  return {
    from: Int32Array.from(edges.keys(), (key) => Math.floor(key / cells)),
    to: Int32Array.from(edges.keys(), (key) => key % cells),
    weights: Float64Array.from(edges.values()),
  };
}

function modularity(graph: NeighbourGraph, clusters: ArrayLike<number>, resolution: number): number {
  const totals = new Map<number, number>();
  let [inside, all] = [0, 0];
  graph.weights.forEach((weight, edge) => {
    const [one, other] = [clusters[graph.from[edge]!]!, clusters[graph.to[edge]!]!];
    all += 2 * weight;
    if (one === other) inside += 2 * weight;
    for (const cluster of [one, other]) totals.set(cluster, (totals.get(cluster) ?? 0) + weight);
  });
  let expected = 0;
  for (const total of totals.values()) expected += (total / all) ** 2;
  return inside / all - resolution * expected;
}

test('clusters of noisy groups hang together, cannot be bettered by moving a cell, and find the groups', () => {
  const [cells, groups, resolution] = [600, 6, 1];
  const graph = noisyGraph(cells, groups);
  const network = networkOf(graph, cells);
  const assignment = leiden(network, { resolution, iterations: 10, seed: 1 });
  const reached = modularity(graph, assignment, resolution);
  const trueClusters = Int32Array.from({ length: cells }, (_, cell) => cell % groups);
  expect(adjustedRandIndex(assignment, trueClusters)).toBeGreaterThan(0.9);
  expect(reached).toBeGreaterThanOrEqual(modularity(graph, trueClusters, resolution) - 1e-9);
  const clusters = new Set(assignment);
  for (let cell = 0; cell < cells; cell += 7) {
    for (const cluster of clusters) {
      const moved = Int32Array.from(assignment);
      moved[cell] = cluster;
      expect(modularity(graph, moved, resolution)).toBeLessThanOrEqual(reached + 1e-9);
    }
  }
  for (const cluster of clusters) {
    const members = new Set(Array.from(assignment.keys()).filter((cell) => assignment[cell] === cluster));
    const reachedCells = new Set<number>();
    const stack = [[...members][0]!];
    while (stack.length > 0) {
      const cell = stack.pop()!;
      if (!members.has(cell) || reachedCells.has(cell)) continue;
      reachedCells.add(cell);
      stack.push(...network.others.subarray(network.starts[cell]!, network.starts[cell + 1]!));
    }
    expect(reachedCells.size).toBe(members.size);
  }
});

test('the same seed gives the same clusters, whatever was clustered before, and cells without edges are alone', () => {
  const graph = noisyGraph(100, 4);
  const once = () => leiden(networkOf(graph, 102), { resolution: 1, iterations: 3, seed: 3 });
  const first = once();
  leiden(networkOf(noisyGraph(600, 6), 600), { resolution: 1, iterations: 1, seed: 0 });
  expect(once()).toEqual(first);
  expect(first.filter((cluster) => cluster === first[100] || cluster === first[101])).toHaveLength(2);
});
