import { expect, test } from 'vitest';
import type { CategoricalColumn } from '@cellfolio/model';
import { cellGroups, TooManyGroups } from './cell-groups.ts';
import { splitGroups } from './split-groups.ts';
import { maxGroups, maxMarkerGroups } from './test-limits.ts';
import { NotEnoughGroups, testedGroups } from './tested-groups.ts';

function column(codes: number[], categories: string[]): CategoricalColumn {
  return {
    kind: 'categorical',
    codes: Int16Array.from(codes),
    categories,
    categoryType: 'string',
    ordered: false,
  };
}

const mask = (bits: number[]) => ({ bits: Uint8Array.from(bits), count: bits.filter(Boolean).length });

test('categories without cells are dropped, and the others keep their order', () => {
  const groups = cellGroups(column([2, 0, 2, -1, 0, 0], ['b', 'unused', 'a']));
  expect(groups).toEqual({
    names: ['b', 'a'],
    sizes: Float64Array.of(3, 2),
    codes: Uint16Array.of(1, 0, 1, 2, 0, 0),
    cellCount: 6,
  });
});

test('cells outside the subset count nowhere, and a category outside it is dropped', () => {
  const groups = cellGroups(column([0, 1, 0, -1, 2, -1], ['a', 'b', 'c']), mask([1, 0, 1, 1, 1, 0]));
  expect(groups).toEqual({
    names: ['a', 'c'],
    sizes: Float64Array.of(2, 1),
    codes: Uint16Array.of(0, 3, 0, 2, 1, 3),
    cellCount: 4,
  });
});

test('a mask of other cells is refused', () => {
  expect(() => cellGroups(column([0, 1], ['a', 'b']), mask([1]))).toThrow(RangeError);
});

test('more groups than can be compared are refused with their number', () => {
  const names = Array.from({ length: maxGroups + 1 }, (_, i) => `g${i}`);
  expect(cellGroups(column([...names.keys()].slice(1), names)).names).toHaveLength(maxGroups);
  const crowded = () => cellGroups(column([...names.keys()], names));
  expect(crowded).toThrow(TooManyGroups);
  expect(crowded).toThrow(`the column has ${maxGroups + 1} groups`);
});

test('of tested genes, groups are limited by tests: 17 million, at most 10,000 groups, and 500 always', () => {
  expect([1000, 2000, 20_000, 36_000, 60_000].map(maxMarkerGroups)).toEqual([10_000, 8500, 850, 500, 500]);
  const names = Array.from({ length: 851 }, (_, i) => `g${i}`);
  const many = column([...names.keys()], names);
  expect(cellGroups(many, undefined, 19_900).names).toHaveLength(851);
  expect(() => cellGroups(many, undefined, 20_000)).toThrow(
    'the column has 851 groups × 20,000 genes, 17,020,000 tests, and at most 850 groups of so many genes can be compared: choose a column with fewer, or a subset of the cells',
  );
  expect(() =>
    splitGroups(
      many,
      column(
        Array.from(names, (_, at) => at % 2),
        ['a', 'b'],
      ),
      undefined,
      20_000,
    ),
  ).toThrow('the two columns together form 851 groups × 20,000 genes');
});

test('groups of one cell are named in a warning and not tested', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const { tested, warnings } = testedGroups(cellGroups(column([0, 0, 1, 2, 3, 4, 5, 6, 7, 7], names)));
  expect(tested).toEqual([
    { name: 'a', cells: 2, group: 0 },
    { name: 'h', cells: 2, group: 7 },
  ]);
  expect(warnings).toEqual([
    {
      code: 'groups-left-out',
      message:
        'Not compared, as fewer than 2 cells are in the group or in its reference: b (1), c (1), d (1), e (1), f (1) and 1 more. Their cells stay in the reference of the others: lower the minimum to compare them.',
      numbers: {
        minimumCells: 2,
        groups: ['b', 'c', 'd', 'e', 'f'],
        cells: [1, 1, 1, 1, 1],
        groupCount: 6,
      },
    },
  ]);
});

test.each([
  ['no cell has a category', [-1, -1], 'none of the active cells has a value'],
  ['all cells are in one group', [0, 0, 0], 'all active cells are in one group'],
  ['no group has two cells', [0, 1, -1], 'no group has 2 cells'],
  ['there are no cells', [], 'none of the active cells has a value'],
])('where %s there is nothing to compare, and the text says what to do', (_, codes, message) => {
  const groups = cellGroups(column(codes, ['a', 'b']));
  expect(() => testedGroups(groups)).toThrow(NotEnoughGroups);
  expect(() => testedGroups(groups)).toThrow(message);
  expect(() => testedGroups(groups)).toThrow('choose another column, or a larger subset');
});

test('the fewest cells of a group hold for the cells that it is compared with, too', () => {
  const groups = cellGroups(column([0, 0, 0, 0, 0, 1, 1], ['most', 'two']));
  expect(testedGroups(groups).tested).toHaveLength(2);
  expect(() => testedGroups(groups, 3)).toThrow(NotEnoughGroups);
});

test('one group beside cells without a category can be tested', () => {
  expect(testedGroups(cellGroups(column([0, 0, -1, -1], ['a']))).tested).toHaveLength(1);
});
