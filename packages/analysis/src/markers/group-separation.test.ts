import { expect, test } from 'vitest';
import { cellGroups } from './cell-groups.ts';
import { groupSeparation } from './group-separation.ts';

const groupsOf = (codes: readonly number[], categories: string[]) =>
  cellGroups({
    kind: 'categorical',
    codes: Int8Array.from(codes),
    categories,
    categoryType: 'string',
    ordered: false,
  });

test('groups far apart have a separation near 1, groups on one place one of at most 0', () => {
  const cells = Array.from({ length: 40 }, (_, cell) => cell);
  const groups = groupsOf(
    cells.map((cell) => cell % 2),
    ['a', 'b'],
  );
  const apart = Float32Array.from(cells.flatMap((cell) => [(cell % 2) * 100, (cell >> 1) % 2]));
  expect(groupSeparation(apart, 2, groups)!.mean).toBeGreaterThan(0.98);
  const mixed = Float32Array.from(cells.flatMap((cell) => [(cell >> 1) % 2, (cell >> 2) % 2]));
  expect(groupSeparation(mixed, 2, groups)!.mean).toBeLessThanOrEqual(0);
});

test('the silhouette of a cell leaves it out of the centroid of its own group', () => {
  // Group a lies at 0 and 2, group b at 9 and 11: of the cell at 0, 2 to its own and 10 to the other.
  const separation = groupSeparation(Float64Array.of(0, 2, 9, 11), 1, groupsOf([0, 0, 1, 1], ['a', 'b']))!;
  expect(separation.groups[0]).toBeCloseTo((0.8 + 0.75) / 2, 12);
  expect(separation.groups[1]).toBeCloseTo((0.75 + 0.8) / 2, 12);
  expect(separation.cellCount).toBe(4);
});

test('cells without a position or a group do not count, nor do groups of one cell', () => {
  const values = Float64Array.of(0, 2, 9, 11, NaN, 500, 700);
  const separation = groupSeparation(values, 1, groupsOf([0, 0, 1, 1, 0, -1, 2], ['a', 'b', 'one']))!;
  expect(separation.cellCount).toBe(4);
  expect(Array.from(separation.groups, Number.isNaN)).toEqual([false, false, true]);
  expect(groupSeparation(values, 1, groupsOf([0, 0, 0, 0, 0, -1, 1], ['a', 'one']))).toBeUndefined();
});
