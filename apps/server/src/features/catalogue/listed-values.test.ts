import { expect, test } from 'vitest';
import {
  categoryCounts,
  leftOutCautions,
  listedCategories,
  listedFields,
  listedGenes,
  previewed,
} from './listed-values.ts';
import { namesWithin } from '../uploads/work/failures.ts';

test('cells are counted by category; missing values and unused categories are left out', () => {
  const column = {
    kind: 'categorical',
    codes: Int8Array.of(0, 2, -1, 2),
    categories: ['B cell', 'unused', 'T cell'],
    categoryType: 'string',
    ordered: false,
  } as const;
  expect([...categoryCounts(column)]).toEqual([
    ['B cell', 1],
    ['T cell', 2],
  ]);
});

test('of too many categories those of most cells are listed, in the order of the column', () => {
  const counts = new Map(Array.from({ length: 6000 }, (_, i) => [`clone ${i}`, i] as const));
  const { counts: listed, leftOut } = listedCategories(counts);
  expect(leftOut).toBe(1000);
  expect([...listed.keys()][0]).toBe('clone 1000');
  expect([...listed.keys()].at(-1)).toBe('clone 5999');
  const all = new Map([['a', 1]]);
  expect(listedCategories(all)).toEqual({ counts: all, leftOut: 0 });
});

test('of categories whose names are together too long as many are listed as fit', () => {
  const counts = new Map(
    Array.from({ length: 4000 }, (_, i) => [`${'x'.repeat(494)}${100_000 + i}`, 4000 - i] as const),
  );
  const { counts: listed, leftOut } = listedCategories(counts);
  expect(listed.size).toBe(1000);
  expect(leftOut).toBe(3000);
});

test('fields are listed whole or not at all, two hundred at most', () => {
  const values = new Map([
    ['b', 7],
    ['2', 3],
  ]);
  const fields = new Map(Array.from({ length: 250 }, (_, i) => [`field ${i}`, values] as const));
  const { fields: listed, counts, leftOut } = listedFields(fields);
  expect(Object.keys(listed)).toHaveLength(200);
  expect(Object.keys(counts)).toEqual(Object.keys(listed));
  expect([listed['field 0'], counts['field 0']]).toEqual([
    ['b', '2'],
    [7, 3],
  ]);
  expect(leftOut).toHaveLength(50);
  const long = new Map(Array.from({ length: 5001 }, (_, i) => [`${i}`, 1]));
  expect(listedFields(new Map([['many', long]])).leftOut).toEqual(['many']);
});

test('genes beyond sixteen million characters are counted and not listed', () => {
  const genes = Array.from({ length: 40_000 }, (_, i) => `${'g'.repeat(495)}${i}`);
  const listed = listedGenes(genes);
  expect(listed.join('').length).toBeLessThanOrEqual(16_000_000);
  expect(listed.length).toBeGreaterThan(30_000);
  const [caution] = leftOutCautions({ cellTypes: 0, clusters: 0, fields: 0, genes: 40_000 - listed.length });
  expect(caution).toMatchObject({ code: 'genes-left-out', numbers: { leftOut: 40_000 - listed.length } });
});

test('a preview ends in the number of names that it leaves out', () => {
  const limits = { names: 2, characters: 10 };
  expect(previewed(['a', 'b'], limits)).toEqual(['a', 'b']);
  expect(previewed(['a', 'b', 'c', 'd'], limits)).toEqual(['a', 'b', '… and 2 more']);
  expect(previewed(['a', 'x'.repeat(20)], limits)).toEqual(['a', '… and 1 more']);
});

test('names to choose from end where they are together too long', () => {
  expect(namesWithin(['aa', 'bb', 'cc'], 4)).toEqual(['aa', 'bb']);
  expect(namesWithin(['aa', 'bb'], 4)).toEqual(['aa', 'bb']);
});
