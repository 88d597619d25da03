import { expect, test } from 'vitest';
import { emptyColumn } from './use-group-figure.ts';

const list = {
  version: '1',
  cell_count: 700,
  embeddings: [],
  obs: [
    { name: 'missnum', title: 'Missnum', kind: 'levels' as const, missing: 700 },
    { name: 'leiden', title: 'Leiden', kind: 'categories' as const, categories: 3, missing: 699 },
  ],
};

test('a chosen column that is missing in every cell is found before anything is drawn', () => {
  expect(emptyColumn(list, ['leiden', 'missnum'])?.title).toBe('Missnum');
  expect(emptyColumn(list, ['leiden', ''])).toBeUndefined();
  expect(emptyColumn(undefined, ['missnum'])).toBeUndefined();
});
