import { expect, test } from 'vitest';
import { groupsOfSpec } from './figure-groups.ts';

test('violins are compared by their mean, and the parts of a group are one', () => {
  const groups = [
    { label: 'a', part: 'x', cells: 10, mean: 1 },
    { label: 'a', part: 'y', cells: 30, mean: 2 },
    { label: 'b', part: 'x', cells: 5, mean: 3 },
    { label: 'b', part: 'y', cells: 0, mean: null },
  ];
  expect(groupsOfSpec({ groups })).toEqual([
    { label: 'a', value: 1.75 },
    { label: 'b', value: 3 },
  ]);
});

test('bars are compared by the share of the largest part, whichever column it is in', () => {
  const parts = [{ cells: 3 }, { cells: 17 }];
  const groups = [
    { label: 'a', cells: 10, counts: [3, 7] },
    { label: '__proto__', cells: 10, counts: [0, 10] },
  ];
  expect(groupsOfSpec({ groups, parts })).toEqual([
    { label: 'a', value: 0.7 },
    { label: '__proto__', value: 1 },
  ]);
});

test('rows of a matrix are compared by the mean of their genes, quality by the median of its first measure', () => {
  const rows = [
    { label: 'a', cells: 2 },
    { label: 'b', cells: 4 },
  ];
  expect(groupsOfSpec({ groups: rows, mean: [1, 2, 3, null] })).toEqual([
    { label: 'a', value: 1.5 },
    { label: 'b', value: 1.5 },
  ]);
  const measured = rows.map((row, i) =>
    Object.assign(row, { distributions: [{ quartiles: [0, i, 9] }, null] }),
  );
  expect(groupsOfSpec({ groups: measured }).map(({ value }) => value)).toEqual([0, 1]);
});

test('a figure without groups is refused', () => {
  expect(() => groupsOfSpec({ kind: 'gene-scatter' })).toThrow('with groups');
});
