import { expect, test } from 'vitest';
import type { CategoricalColumn, CellMask, GeneBlock } from '@cellfolio/model';
import { blockStatistics, type ColumnSums, storedStatistics } from './block-statistics.ts';
import { cellGroups } from './cell-groups.ts';

// Category 1 has no cells; two cells have no category.
const column: CategoricalColumn = {
  kind: 'categorical',
  codes: Int8Array.of(0, 2, -1, 3, 2, 0, -1, 3),
  categories: ['a', 'unused', 'c', 'd'],
  categoryType: 'string',
  ordered: false,
};
const block: GeneBlock = {
  cellCount: 8,
  firstGene: 0,
  starts: Float64Array.of(0, 8, 8, 11),
  cells: Int32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 1, 2, 5),
  values: Float32Array.of(0.5, 1, 2, 3, 4, 5, 6, 0, 0.1, NaN, -2),
};

const whole = blockStatistics(block, cellGroups(column), 't-test');
const stored: ColumnSums = {
  categories: Int32Array.of(0, 2, 3),
  sums: whole.sums,
  squares: whole.squares,
  expressing: whole.expressing,
};

const maskOf = (...cells: number[]): CellMask => {
  const bits = new Uint8Array(8);
  for (const cell of cells) bits[cell] = 1;
  return { bits, count: cells.length };
};

test.each([
  ['all cells', undefined],
  ['all cells, by a mask', maskOf(0, 1, 2, 3, 4, 5, 6, 7)],
  ['two groups', maskOf(0, 1, 4, 5)],
  ['two groups and the cells without one', maskOf(1, 2, 3, 4, 6, 7)],
  ['one group', maskOf(3, 7)],
  ['cells without a group alone', maskOf(2, 6)],
  ['no cells', maskOf()],
])('kept sums are the statistics of %s', (_, mask) => {
  const groups = cellGroups(column, mask);
  expect(storedStatistics(stored, column, groups)).toEqual(blockStatistics(block, groups, 't-test'));
});

test.each([
  ['a group', maskOf(0, 1, 4)],
  ['the cells without a group', maskOf(0, 2, 5)],
])('of cells that cut through %s nothing is known', (_, mask) => {
  expect(storedStatistics(stored, column, cellGroups(column, mask))).toBeUndefined();
});

test('sums that lack a category of the column are not those of the column', () => {
  const other = { ...stored, categories: Int32Array.of(0, 1, 2) };
  expect(storedStatistics(other, column, cellGroups(column))).toBeUndefined();
});

test('groups of several categories have the sums of these', () => {
  // c and d in A, a in B, cells without a category in neither.
  const codes = Uint16Array.of(1, 0, 3, 0, 0, 1, 3, 0);
  const groups = { names: ['A', 'B'], sizes: Float64Array.of(4, 2), codes, cellCount: 6 };
  const statistics = storedStatistics(stored, column, groups)!;
  const read = blockStatistics(block, groups, 't-test');
  expect(statistics).toEqual(read);
  expect(Array.from(statistics.expressing.subarray(0, 3))).toEqual([3, 2, 0]);
  codes[7] = 1;
  expect(storedStatistics(stored, column, groups)).toBeUndefined();
});
