import type { ColumnCategories, DatasetAnalysis, FigureSource } from '@cellfolio/contract';
import { describe, expect, test } from 'vitest';
import { inDisplayOrder, reorderedAnalysis, sameDisplays } from './category-displays.ts';

const category = (name: string, cells: number, place: number) => ({
  name,
  label: name,
  cells,
  place,
  colour: '#000000',
  dataset_colour: '#000000',
});
const moved: ColumnCategories = {
  column: 'type',
  title: 'Type',
  revision: 1,
  own: true,
  categories: [category('c', 3, 2), category('none', 0, 3), category('a', 1, 0), category('__proto__', 2, 1)],
};
const analysis = {
  cell_types: ['a', '__proto__', 'c'],
  cell_type_counts: Object.fromEntries([
    ['a', 1],
    ['__proto__', 2],
    ['c', 3],
  ]) as Record<string, number>,
  leiden_clusters: ['a', '__proto__', 'c'],
  leiden_cluster_counts: { a: 2, c: 2 },
  patient_metadata: { Type: ['a', '__proto__', 'c'], Other: ['a', '__proto__', 'c'] },
  patient_metadata_counts: { Type: [1, 2, 3], Other: [3, 2, 1] },
  columns: {
    cell_types: 'type',
    leiden_clusters: 'leiden',
    patient_metadata: [
      { field: 'Type', column: 'type' },
      { field: 'Other', column: 'other' },
    ],
  },
} as unknown as DatasetAnalysis;

describe('lists of a dataset', () => {
  test('follow the order of their column and no other', () => {
    expect(reorderedAnalysis(analysis, moved)).toMatchObject({
      cell_types: ['c', 'a', '__proto__'],
      leiden_clusters: analysis.leiden_clusters,
      patient_metadata: { Type: ['c', 'a', '__proto__'], Other: ['a', '__proto__', 'c'] },
      patient_metadata_counts: { Type: [3, 1, 2], Other: [3, 2, 1] },
    });
  });
});

test('entries that an order does not name stay behind, in their own order', () => {
  const display = { categories: [{ name: 'z' }, { name: 'b' }] };
  expect(inDisplayOrder(['a', 'b', 'c', 'z'], (name) => name, display)).toEqual(['z', 'b', 'a', 'c']);
  expect(inDisplayOrder(['a', 'b'], (name) => name, undefined)).toEqual(['a', 'b']);
});

test('sources are shown alike where they name the same states, in whatever order', () => {
  const source = (...displays: { column: string; revision: number }[]): FigureSource => ({
    dataset_filename: 'd',
    content: { kind: 'category-umap' },
    ...(displays.length > 0 && { displays }),
  });
  const [a, b] = [
    { column: 'a', revision: 1 },
    { column: 'b', revision: 1 },
  ] as const;
  expect(sameDisplays(source(a, b), source(b, a))).toBe(true);
  expect(sameDisplays(source(a), source({ ...a, revision: 2 }))).toBe(false);
  expect(sameDisplays(source(), source(a))).toBe(false);
});
