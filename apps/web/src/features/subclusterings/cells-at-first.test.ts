import { expect, test } from 'vitest';
import { datasetNames } from '@/features/category-displays/index.ts';
import { draftOfCells, filterPayload } from '@/features/subsets/index.ts';
import { cellsAtFirst } from './cells-at-first.ts';

const dataset = { version: 'v1', cell_count: 16 };
const selection = {
  bits: Uint8Array.of(0b111, 0),
  count: 3,
  of: { name: 'CD8 T cell', words: 'Cell Type is CD8 T cell' },
};
const group = (version: string, places: string) => ({
  id: '1',
  name: 'B',
  filter: filterPayload('B', draftOfCells('B', { version, places, count: 2 }).config),
});

test('cells that are selected on the map come first, with their name and definition', () => {
  expect(cellsAtFirst(dataset, selection, group('v1', ''), datasetNames)).toMatchObject({
    name: 'CD8 T cell',
    filter: { cells: { version: 'v1' } },
    words: 'Cell Type is CD8 T cell',
  });
});

test('a selection that was kept as the active subset has the name of that', () => {
  const { filter } = cellsAtFirst(dataset, selection, null, datasetNames)!;
  expect(cellsAtFirst(dataset, selection, { id: '1', name: 'Kept', filter }, datasetNames)?.name).toBe(
    'Kept',
  );
});

test('without a selection it is the active cells, and all of them without a subset', () => {
  expect(cellsAtFirst(dataset, null, group('v1', ''), datasetNames)?.name).toBe('B');
  expect(cellsAtFirst(dataset, null, null, datasetNames)).toBeUndefined();
});
