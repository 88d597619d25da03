import { expect, test } from 'vitest';
import { categoryUmapWords } from './group-words.ts';

function reading(sizes: readonly number[]): string {
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const numbers = categoryUmapWords.numbers.parse({
    kind: 'category-umap',
    title: 'Cell type',
    datasetName: 'Lung',
    summary: '',
    counts: { datasetCells: all, cells: all, withoutPosition: 0 },
    groups: sizes.map((cells, i) => ({ label: `T${i}`, cells })),
    missing: 0,
  });
  return categoryUmapWords.sentences(numbers).reading[1];
}

test('groups of one size are not distinguished as largest and smallest', () => {
  expect(reading([80, 80, 80])).toBe('All groups have 80 cells (33.3 %).');
  expect(reading([60, 20, 20])).toBe(
    'The largest is T0 (60 cells, 60.0 %), the smallest are 2 groups of 20 cells each.',
  );
});
