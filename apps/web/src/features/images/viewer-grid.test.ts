import { expect, test } from 'vitest';
import { viewerGrid } from './viewer-grid.ts';

const wide = { width: 1040, height: 560 };
const rowsOf = (cards: number, area = wide) => viewerGrid(cards, area).rows;

test('no grid of one to twelve cards has an empty cell, in any area', () => {
  for (const area of [
    wide,
    { width: 700, height: 420 },
    { width: 1500, height: 700 },
    { width: 360, height: 900 },
  ])
    for (let cards = 1; cards <= 12; cards++)
      expect(viewerGrid(cards, area).rows.reduce((sum, count) => sum + count, 0)).toBe(cards);
});

test('rows of a wide area are as even as possible, the last one stretched', () => {
  expect([1, 2, 3, 4].map((cards) => rowsOf(cards))).toEqual([[1], [2], [3], [2, 2]]);
  expect([5, 6, 7, 8].map((cards) => rowsOf(cards))).toEqual([
    [3, 2],
    [3, 3],
    [4, 3],
    [4, 4],
  ]);
  expect([9, 10, 11, 12].map((cards) => rowsOf(cards))).toEqual([
    [3, 3, 3],
    [4, 3, 3],
    [4, 4, 3],
    [4, 4, 4],
  ]);
});

test('a narrow area stacks cards, which scroll', () => {
  expect(viewerGrid(3, { width: 400, height: 600 })).toEqual({
    rows: [1, 1, 1],
    minRowHeight: 256,
    isCompact: false,
  });
});

test('up to four cards keep their legends; more are compact where they are small, and never lower than a map needs', () => {
  expect([1, 2, 3, 4].map((cards) => viewerGrid(cards, wide).isCompact)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(viewerGrid(6, wide)).toMatchObject({ isCompact: true, minRowHeight: 152 });
  expect(viewerGrid(6, { width: 1900, height: 1000 }).isCompact).toBe(false);
});

test('a low area has its cards in one row', () => {
  expect(rowsOf(4, { width: 1040, height: 220 })).toEqual([4]);
});
