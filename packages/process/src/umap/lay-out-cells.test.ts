import { expect, test } from 'vitest';
import type { NeighbourGraph } from '../neighbour-graph.ts';
import { fallOffOf } from './fall-off.ts';
import { layOutCells } from './lay-out-cells.ts';
import reference from './umap-reference.json' with { type: 'json' };

test.each(Object.entries(reference))(
  'the curve of a minimum distance of %s is that of umap-learn',
  (minimum, { a, b }) => {
    const fitted = fallOffOf(Number(minimum));
    expect(Math.abs(fitted.a / a - 1)).toBeLessThan(1e-6);
    expect(Math.abs(fitted.b / b - 1)).toBeLessThan(1e-6);
  },
);

test.each([0, 0.3, 1, 2, 3])('a minimum distance of %s has a curve that falls', (minimum) => {
  const { a, b } = fallOffOf(minimum);
  expect(a).toBeGreaterThan(0);
  expect(b).toBeGreaterThan(0);
});

function rings(count: number, size: number): NeighbourGraph {
  const edges = Array.from({ length: count * size }, (_, cell) => {
    const ring = cell - (cell % size);
    return [1, 2].map((step) => {
      const other = ring + ((cell + step) % size);
      return { from: Math.min(cell, other), to: Math.max(cell, other), weight: step === 1 ? 1 : 0.4 };
    });
  }).flat();
  return {
    from: Int32Array.from(edges, ({ from }) => from),
    to: Int32Array.from(edges, ({ to }) => to),
    weights: Float64Array.from(edges, ({ weight }) => weight),
  };
}

const scattered = (cells: number) =>
  Float32Array.from({ length: 2 * cells }, (_, at) => 10 * Math.sin(1 + at * at));

function plainly(
  graph: NeighbourGraph,
  start: Float32Array,
  minimumDistance: number,
  epochs: number,
): number[] {
  const { a, b } = fallOffOf(minimumDistance);
  const points = Array.from(start);
  const count = points.length / 2;
  const clip = (value: number) => Math.max(-4, Math.min(4, value));
  const edges = Array.from(graph.from, (from, at) => ({ at, ends: [from, graph.to[at]!] }))
    .flatMap(({ at, ends: [one = 0, other = 0] }) => {
      const wait = 1 / graph.weights[at]!;
      return [
        { at, one, other, wait, next: wait },
        { at, one: other, other: one, wait, next: wait },
      ];
    })
    .toSorted((left, right) => left.one - right.one || left.at - right.at);
  let draws = 0n;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const edge of edges) {
      if (edge.next > epoch) continue;
      edge.next += edge.wait;
      const { one, other } = edge;
      const rate = 1 - epoch / epochs;
      const apart = (cell: number) =>
        [0, 1].map((axis) => points[2 * one + axis]! - points[2 * cell + axis]!);
      const pull = apart(other);
      const square = pull[0]! ** 2 + pull[1]! ** 2;
      const pulls = (-2 * a * b * square ** (b - 1)) / (1 + a * square ** b);
      for (const axis of [0, 1]) {
        points[2 * one + axis]! += rate * clip(pulls * pull[axis]!);
        points[2 * other + axis]! -= rate * clip(pulls * pull[axis]!);
      }
      const moves = [0, 0];
      for (let draw = 0; draw < 5; draw++) {
        draws = BigInt.asUintN(64, draws * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
        const push = apart(Number(((draws >> 32n) * BigInt(count)) >> 32n));
        const d = push[0]! ** 2 + push[1]! ** 2;
        const pushes = (2 * b) / ((0.001 + d) * (1 + a * d ** b));
        for (const axis of [0, 1]) moves[axis]! += clip(pushes * push[axis]!);
      }
      for (const axis of [0, 1]) points[2 * one + axis]! += rate * moves[axis]!;
    }
  }
  return points;
}

test.each([0.1, 0.5])(
  'with a minimum distance of %s the first steps are those of the formulas',
  (minimumDistance) => {
    const graph = rings(3, 20);
    const start = scattered(60);
    const epochs = 4;
    const positions = layOutCells(graph, { start, minimumDistance, epochs }, () => undefined);
    const expected = plainly(graph, start, minimumDistance, epochs);
    const moved = expected.map((value, at) => Math.abs(value - start[at]!));
    expect(Math.max(...moved)).toBeGreaterThan(1);
    positions.forEach((value, at) => expect(Math.abs(value - expected[at]!)).toBeLessThan(0.02));
  },
);

test('cells of a ring come to lie nearer each other than those of other rings', () => {
  const [count, size] = [4, 30];
  const cells = count * size;
  const done: number[] = [];
  const points = layOutCells(
    rings(count, size),
    { start: scattered(cells), minimumDistance: 0.3, epochs: 200 },
    (part) => done.push(part),
  );
  expect(done).toHaveLength(200);
  expect(done.at(-1)).toBe(1);
  const distance = (one: number, other: number) =>
    Math.hypot(points[2 * one]! - points[2 * other]!, points[2 * one + 1]! - points[2 * other + 1]!);
  for (let cell = 0; cell < cells; cell++) {
    const others = Array.from({ length: cells }, (_, other) => other).filter((other) => other !== cell);
    others.sort((a, b) => distance(cell, a) - distance(cell, b));
    const ring = others.slice(0, 2).filter((other) => Math.floor(other / size) === Math.floor(cell / size));
    expect(ring.length).toBeGreaterThan(0);
  }
});

test('the same graph gives the same map, whatever was laid out before, and cells without edges stay finite', () => {
  const graph = rings(2, 12);
  const layout = { start: new Float32Array(50).fill(1), minimumDistance: 0.3, epochs: 50 };
  const first = layOutCells(graph, layout, () => undefined);
  layOutCells(rings(3, 20), { ...layout, start: scattered(60) }, () => undefined);
  const again = layOutCells(graph, layout, () => undefined);
  expect(again).toEqual(first);
  expect(first.every(Number.isFinite)).toBe(true);
});
