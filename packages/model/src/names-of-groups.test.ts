import { expect, test } from 'vitest';
import { isUnassigned } from './names-of-groups.ts';

test('names that say that a cell has no group are known whole and in whatever case', () => {
  for (const name of [
    'nan',
    'NaN',
    'NA',
    'None',
    'Unknown',
    ' unassigned ',
    'Doublet',
    'Low quality',
    'AMBIGUOUS',
  ]) {
    expect([name, isUnassigned(name)]).toEqual([name, true]);
  }
  for (const name of ['Unknown T cell', 'B cell', 'NA+ cell', '', 'constructor', 'Doublet-like']) {
    expect([name, isUnassigned(name)]).toEqual([name, false]);
  }
});
