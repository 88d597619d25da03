import { expect, test } from 'vitest';
import { joinNearestCells, nearestCells } from './nearest-cells.ts';
import { placePoints } from './placed-points.ts';

function random(): () => number {
  let state = 12_345;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** All distances, sorted; ties by cell number. */
function bruteForce(
  values: Float32Array,
  dimensions: number,
  k: number,
): { indices: number[]; squares: number[] } {
  const count = values.length / dimensions;
  const [indices, squares]: [number[], number[]] = [[], []];
  for (let cell = 0; cell < count; cell++) {
    const all = Array.from({ length: count }, (_, other) => {
      let square = 0;
      for (let at = 0; at < dimensions; at++)
        square += (values[cell * dimensions + at]! - values[other * dimensions + at]!) ** 2;
      return { other, square };
    }).filter(({ other }) => other !== cell);
    all.sort((a, b) => a.square - b.square || a.other - b.other);
    for (const { other, square } of all.slice(0, k)) {
      indices.push(other);
      squares.push(square);
    }
  }
  return { indices, squares };
}

const next = random();
const clouds = [
  ['a cloud', 500, 7, () => next() - 0.5],
  ['a cloud of a single dimension', 200, 1, () => next()],
  ['whole numbers, of which many are equally far', 400, 3, () => Math.floor(4 * next())],
  ['points on one spot', 150, 5, () => 2],
  ['fewer points than a leaf holds', 20, 4, () => next()],
  ['points far from zero, which float32 hardly tells apart', 300, 6, () => 1000 + next() / 50],
  ['squares too large for float32', 100, 3, () => 1e20 * (next() - 0.5)],
  ['squares too small for float32', 100, 3, () => 1e-21 * (next() - 0.5)],
  ['zeros of both signs', 120, 2, () => (next() < 0.5 ? -0 : 0) + Math.floor(1.5 * next())],
] as const;

test.each(clouds)('%s has exactly the neighbours of a search of all pairs', (_, count, dimensions, draw) => {
  const values = Float32Array.from({ length: count * dimensions }, draw);
  const points = placePoints(values, dimensions);
  const k = 9;
  // In the midst of leaves.
  const cuts = [0, 1, Math.floor(count / 3), count - 2, count];
  const pieces = cuts.slice(1).map((to, at) => nearestCells(points, k, { from: cuts[at]!, to }));
  const { indices, distances } = joinNearestCells(pieces, count);
  const expected = bruteForce(values, dimensions, k);
  expect([...indices]).toEqual(expected.indices);
  distances.forEach((distance, at) => {
    const square = expected.squares[at]!;
    expect(Math.abs(distance ** 2 - square)).toBeLessThanOrEqual(1e-12 * square);
  });
});

test('as many neighbours as there are cells are refused', () => {
  const points = placePoints(Float32Array.of(1, 2, 3), 1);
  expect(() => nearestCells(points, 3, { from: 0, to: 3 })).toThrow('3 cells do not have 3 other cells');
});

test('among other points the nearest of these are found, those on the same spot with them', () => {
  const [dimensions, k] = [6, 4];
  const randomPoints = (count: number) =>
    Float32Array.from({ length: count * dimensions }, () => next() - 0.5);
  const own = randomPoints(100);
  const others = Float32Array.from([...randomPoints(70), ...own.subarray(0, 3 * dimensions)]);
  const [points, among] = [placePoints(own, dimensions), placePoints(others, dimensions)];
  const { indices, distances } = joinNearestCells(
    [
      nearestCells(points, k, { from: 0, to: 45 }, among),
      nearestCells(points, k, { from: 45, to: 100 }, among),
    ],
    100,
  );
  // The pairs within a set are left out of those of all points.
  const all = bruteForce(Float32Array.from([...own, ...others]), dimensions, 172);
  for (let cell = 0; cell < 100; cell++) {
    const expected = all.indices.slice(cell * 172, (cell + 1) * 172).filter((other) => other >= 100);
    expect([...indices.subarray(cell * k, (cell + 1) * k)]).toEqual(
      expected.slice(0, k).map((other) => other - 100),
    );
  }
  expect([...indices.subarray(0, 1), distances[0]]).toEqual([70, 0]);
  expect(() => nearestCells(points, 74, { from: 0, to: 1 }, among)).toThrow('73 cells do not have 74 cells');
});
