import { expect, test } from 'vitest';
import { mapOrder } from './map-order.ts';

const orderOf = (points: readonly (readonly number[])[]) =>
  Array.from(mapOrder({ values: Float32Array.from(points.flat()), dimensions: points[0]?.length ?? 2 }));

test('cells come in the order of their Morton codes, x in the even bits', () => {
  // The corners of a square: (0, 0), (1, 0), (0, 1), (1, 1).
  expect(
    orderOf([
      [1, 1],
      [0, 1],
      [1, 0],
      [0, 0],
    ]),
  ).toEqual([3, 2, 1, 0]);
});

test('positions are on one grid for both axes, of the longer one', () => {
  // y goes to a tenth of the grid, so that x decides between its halves.
  expect(
    orderOf([
      [10, 0],
      [0, 1],
      [4, 0],
      [4, 1],
    ]),
  ).toEqual([1, 2, 3, 0]);
});

test('cells at one place are in the order of the file, and those without a position last', () => {
  expect(
    orderOf([
      [NaN, 0],
      [2, 2],
      [0, 0],
      [2, 2],
      [0, Infinity],
      [0, 0],
    ]),
  ).toEqual([2, 5, 1, 3, 0, 4]);
});

test('one cell, none, and cells at one point or at none have an order', () => {
  expect(orderOf([[5, 5]])).toEqual([0]);
  expect(orderOf([])).toEqual([]);
  expect(
    orderOf([
      [5, 5],
      [5, 5],
      [5, 5],
    ]),
  ).toEqual([0, 1, 2]);
  expect(
    orderOf([
      [NaN, NaN],
      [NaN, NaN],
    ]),
  ).toEqual([0, 1]);
});

test('of more dimensions the first two count, and one is enough', () => {
  expect(
    orderOf([
      [1, 1, 0],
      [0, 0, 9],
    ]),
  ).toEqual([1, 0]);
  expect(orderOf([[3], [1], [2]])).toEqual([1, 2, 0]);
});

test('two million cells in no order are each there once, neighbours of the grid beside each other', () => {
  const cells = 2_000_000;
  let state = 99;
  const values = Float32Array.from(
    { length: 2 * cells },
    () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647,
  );
  const order = mapOrder({ values, dimensions: 2 });
  expect(new Set(order).size).toBe(cells);
  let path = 0;
  for (let i = 1; i < cells; i++) {
    const [a, b] = [2 * order[i - 1]!, 2 * order[i]!];
    path += Math.hypot(values[a]! - values[b]!, values[a + 1]! - values[b + 1]!);
  }
  // In no order two cells are 0.52 apart.
  expect(path / cells).toBeLessThan(0.002);
});
