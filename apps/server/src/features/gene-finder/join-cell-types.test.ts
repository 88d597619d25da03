import { expect, test } from 'vitest';
import { cellTypeKey, joinCellTypes } from './join-cell-types.ts';

test.each([
  ['T cell', 'T cells', 't_cell', 'T-cell', 'T  Cells ', 'Tcell', 'T\u00a0cells'],
  ['NK cell', 'NK-cells', 'NKcell', 'nk_cells'],
  ['Monocyte', 'monocytes', 'MONOCYTES'],
  ['CD4 T cell', 'CD4 T cells', 'CD4_T-cells'],
  ['DC', 'DCs'],
  ['ILC2', 'ILC2s'],
  ['Plasma cell', 'plasma_cells', 'Plasma-cell'],
  ['Endothelial', 'endothelial'],
  ['Thymus', 'THYMUS'],
])('%s is the same in other writing', (...names) => {
  expect(new Set(names.map(cellTypeKey)).size).toBe(1);
});

test('what differs in meaning differs', () => {
  const names = [
    'CD4 T',
    'CD8 T',
    'CD4+ T',
    'CD4- T',
    'CD4 T cell',
    'CD8 T cell',
    'T cell',
    'T',
    'CD8-cell',
    'CD8 cell',
    'T cell 1',
    'T cell 2',
    'Th1',
    'Th17',
    'DC',
    'pDC',
    'cDC1',
    'NK cell',
    'NKT cell',
    'B cell',
    'Non-B cell',
    'Class',
    'Clas',
    'Mast',
    'CD16',
    'CD16+',
    'γδ T',
    'αβ T',
    '__proto__',
    'constructor',
    '',
  ];
  expect(new Set(names.map(cellTypeKey)).size).toBe(names.length);
});

test('spellings of one type are joined under the commonest, those of most datasets first', () => {
  const { types, placeOf } = joinCellTypes([
    ['T cells', 'B cell'],
    ['T cells'],
    ['t_cell', 'Mast cell'],
    ['b cell'],
  ]);
  expect(types).toEqual([
    {
      name: 'T cells',
      spellings: [
        { name: 'T cells', datasets: 2 },
        { name: 't_cell', datasets: 1 },
      ],
    },
    {
      name: 'B cell',
      spellings: [
        { name: 'B cell', datasets: 1 },
        { name: 'b cell', datasets: 1 },
      ],
    },
    { name: 'Mast cell', spellings: [{ name: 'Mast cell', datasets: 1 }] },
  ]);
  expect([placeOf('t_cell'), placeOf('T cells'), placeOf('b cell')]).toEqual([0, 0, 1]);
});

test('spellings that one dataset distinguishes stay apart in all', () => {
  const { types, placeOf } = joinCellTypes([['T cell', 'T cells'], ['T cell'], ['t cell']]);
  expect(types.map(({ name }) => name)).toEqual(['T cell', 'T cells', 't cell']);
  expect(new Set(['T cell', 'T cells', 't cell'].map(placeOf)).size).toBe(3);
});
