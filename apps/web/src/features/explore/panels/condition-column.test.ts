import { expect, test } from 'vitest';
import { conditionColumn } from './group-figures.ts';

const column = (name: string, categories: number, more: object = {}) => ({
  name,
  title: name,
  kind: 'categories' as const,
  categories,
  ...more,
});

test('a figure is offered to be split by the column that is called like a condition and has the fewest categories', () => {
  const columns = [column('response', 2), column('condition', 4), column('Treatment', 3), column('sex', 2)];
  expect(conditionColumn(columns)?.name).toBe('Treatment');
});

test('a column of one category, of many, of numbers or with a part of its own is not offered', () => {
  expect(
    conditionColumn([
      column('treatment', 1),
      column('condition', 40),
      { ...column('response', 2), kind: 'levels' },
      column('treated_clusters', 2, { role: 'cluster' }),
      column('stage', 3),
    ]),
  ).toBeUndefined();
});
