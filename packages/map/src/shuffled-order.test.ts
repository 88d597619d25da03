import { expect, test } from 'vitest';
import { drawnCells, placeStepOf, strideOf } from './shuffled-order.ts';

test.each([1, 2, 3, 4, 6, 10, 97, 1000, 2310, 30_030, 99_999])(
  'the stride visits each of %i cells once, and the place of each cell in that order is known',
  (cells) => {
    const stride = strideOf(cells);
    const visited = new Uint8Array(cells);
    for (let k = 0; k < cells; k++) visited[(k * stride) % cells] = 1;
    expect(visited.every((one) => one === 1)).toBe(true);
    const step = placeStepOf(cells);
    for (let cell = 0, place = 0; cell < cells; cell++, place = (place + step) % cells)
      expect((place * stride) % cells).toBe(cell);
  },
);

test('each prefix is spread over all cells', () => {
  const cells = 100_000;
  const stride = strideOf(cells);
  for (const prefix of [1000, 5000, 33_333]) {
    const tenths = new Array<number>(10).fill(0);
    for (let k = 0; k < prefix; k++) tenths[Math.floor((((k * stride) % cells) / cells) * 10)]!++;
    for (const count of tenths) expect(Math.abs(count / prefix - 0.1)).toBeLessThan(0.01);
  }
});

test('a sample is never more than the cells that have a position', () => {
  expect([drawnCells(10, undefined), drawnCells(10, 3.7), drawnCells(10, 99), drawnCells(10, -1)]).toEqual([
    10, 3, 10, 0,
  ]);
});
