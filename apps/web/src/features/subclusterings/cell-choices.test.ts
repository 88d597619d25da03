import { expect, test } from 'vitest';
import { draftOfCells, filterPayload } from '@/features/subsets/index.ts';
import { cellChoices } from './cell-choices.ts';

const dataset = { version: 'v1', cell_count: 16 };
const selection = {
  bits: Uint8Array.of(0b111, 0),
  count: 3,
  of: { name: 'CD8 T cell', words: 'Cell Type is CD8 T cell' },
};
const none = { group: null, answer: null };
type Saved = Parameters<typeof cellChoices>[1]['saved'];

test('cells that are selected on the map come before all cells, with their name, number and definition', () => {
  const [first, second] = cellChoices(dataset, { selection, active: none, saved: [] });
  expect(first).toMatchObject({
    group: { name: 'CD8 T cell', filter: { cells: { version: 'v1' } } },
    cells: 3,
    words: 'Cell Type is CD8 T cell',
  });
  expect(second).toEqual({ key: 'all', group: null, cells: 16 });
});

test('a selection that was kept as the active subset is offered once', () => {
  const [selected] = cellChoices(dataset, { selection, active: none, saved: [] });
  const active = { group: selected!.group, answer: { cell_count: 3 } } as never;
  expect(cellChoices(dataset, { selection, active, saved: [] }).map(({ key }) => key)).toEqual([
    'active',
    'all',
  ]);
});

test('without a selection the active cells come first, and their subset is not offered twice', () => {
  const filter = filterPayload('B', draftOfCells('B', { version: 'v1', places: '', count: 2 }).config);
  const saved = ['1', '2'].map((id) => ({ id, name: id, filter })) as unknown as Saved;
  const active = { group: saved[0]!, answer: null };
  expect(cellChoices(dataset, { selection: null, active, saved }).map(({ key }) => key)).toEqual([
    'active',
    'all',
    '2',
  ]);
});
