import { expect, test } from 'vitest';
import { bracketed, readChosenLists } from './list-brackets.ts';

const t = { name: 'T cells', genes: ['CD3D', 'CD3E', 'CD2'] };
const b = { name: 'B cells', genes: ['MS4A1', 'CD79A', 'CD2'] };

test('genes of a list stand together under its name, and those of no list come last', () => {
  expect(bracketed(['LYZ', 'CD3D', 'MS4A1', 'CD79A', 'CD3E', 'CD2'], [t, b])).toEqual({
    genes: ['CD3D', 'CD3E', 'CD2', 'MS4A1', 'CD79A', 'LYZ'],
    brackets: [
      { name: 'T cells', count: 3 },
      { name: 'B cells', count: 2 },
    ],
  });
});

test('a list of which no gene is left has no bracket, and without lists there are none', () => {
  expect(bracketed(['MS4A1'], [t, b])).toEqual({
    genes: ['MS4A1'],
    brackets: [{ name: 'B cells', count: 1 }],
  });
  expect(bracketed(['LYZ'], [t])).toEqual({ genes: ['LYZ'] });
  expect(bracketed(['LYZ', 'CD3D'], [])).toEqual({ genes: ['LYZ', 'CD3D'] });
});

test('stored lists that are none are not read', () => {
  expect(readChosenLists([t, b])).toEqual([t, b]);
  for (const other of [
    null,
    {},
    [null],
    [{ name: 'x' }],
    [{ name: 1, genes: [] }],
    [{ name: 'x', genes: [1] }],
  ]) {
    expect(readChosenLists(other)).toBeUndefined();
  }
});
