import { expect, test } from 'vitest';
import { categoryCounts } from './obs-summary.ts';

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
