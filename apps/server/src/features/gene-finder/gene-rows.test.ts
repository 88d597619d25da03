import { packStrings } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { GeneNames } from './gene-rows.ts';

test('a gene is found in its exact case first, then in whatever case, then by id', () => {
  const names = new GeneNames();
  const human = names.rowsOf({ symbols: ['CD3E', 'Cd3e', 'MS4A1'], ids: [packStrings(['E1', 'E2', 'E3'])] });
  const mouse = names.rowsOf({ symbols: ['Ms4a1', 'Cd3e', '__proto__'], ids: [] });
  expect(names.rowIn(human, 'Cd3e')).toEqual({ row: 1, symbol: 'Cd3e' });
  expect(names.rowIn(human, 'cd3e')).toEqual({ row: 0, symbol: 'CD3E' });
  expect(names.rowIn(human, 'e3')).toEqual({ row: 2, symbol: 'E3' });
  expect(names.rowIn(mouse, 'CD3E')).toEqual({ row: 1, symbol: 'Cd3e' });
  expect(names.rowIn(mouse, '__proto__')).toEqual({ row: 2, symbol: '__proto__' });
  for (const name of ['E1', 'constructor', '', 'NOWHERE']) expect(names.rowIn(mouse, name)).toBeUndefined();
});
