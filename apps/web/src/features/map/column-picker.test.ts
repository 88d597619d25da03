import { expect, test } from 'vitest';
import { matchingColumns, noColours, noGroups, noSplit } from './column-picker.tsx';

const column = (kind: 'categories' | 'levels' | 'none', categories?: number) => ({
  name: 'c',
  title: 'C',
  kind,
  ...(categories !== undefined && { categories }),
});

test('a column that is missing in every cell says so, wherever a column is chosen', () => {
  const empty = column('categories', 0);
  expect([noColours, noGroups, noSplit].map((problemOf) => problemOf(empty))).toEqual(
    Array(3).fill('no cell has a value'),
  );
});

test('a column says why it cannot be taken', () => {
  expect(noColours(column('categories', 1))).toBeUndefined();
  expect(noColours(column('levels'))).toBeUndefined();
  expect(noColours(column('none'))).toBe('a text for each cell');
  expect(noSplit(column('categories', 1))).toBe('one category');
  expect(noSplit(column('categories', 13))).toBe('13 of at most 12');
  expect(noGroups(column('categories', 10_000))).toMatch(/^10,000 of at most /);
});

test('numbers and proteins are found where they can be chosen, and are not listed where groups are needed', () => {
  const protein = {
    name: 'CD3 (protein)',
    title: 'CD3 (protein)',
    kind: 'levels',
    modality: 'protein',
  } as const;
  const all = [column('categories', 3), column('levels'), protein];
  expect(matchingColumns(all, '', noColours)).toEqual(all);
  expect(matchingColumns(all, 'cd3 (p', noColours)).toEqual([protein]);
  expect(matchingColumns(all, '', noGroups)).toEqual(all.slice(0, 1));
});

test('cell types, clusters and own annotations come before other columns', () => {
  const named = (name: string, role?: 'cluster') => ({
    ...column('categories', 3),
    name,
    ...(role && { role }),
  });
  const own = { ...named('my_leiden'), own: true as const };
  const all = [named('parent_leiden'), named('leiden', 'cluster'), named('leiden_2'), own];
  expect(matchingColumns(all, 'leiden', noColours).map(({ name }) => name)).toEqual([
    'leiden',
    'my_leiden',
    'parent_leiden',
    'leiden_2',
  ]);
});
