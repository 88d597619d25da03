import { describe, expect, test } from 'vitest';
import { isGeneList, readGeneEntry, readPastedGenes } from './gene-entry.ts';
import { indexGenes } from './gene-index.ts';

const index = indexGenes(['CD3D', 'CD3E', 'Ms4a1']);

describe('readGeneEntry', () => {
  test('splits on commas, trims, ignores case and keeps the spelling of the library', () => {
    expect(readGeneEntry(' cd3d ,, CD3E,MS4A1 ', index, [])).toEqual({
      added: ['CD3D', 'CD3E', 'Ms4a1'],
      unknown: [],
    });
  });

  test('adds no gene twice and names those the dataset lacks, in upper case', () => {
    expect(readGeneEntry('cd3d, nope, CD3D, nope, cd3e', index, ['CD3E'])).toEqual({
      added: ['CD3D'],
      unknown: ['NOPE'],
    });
  });

  test('accepts anything, in upper case, where the dataset lists no genes', () => {
    expect(readGeneEntry('abc1, abc1', indexGenes([]), [])).toEqual({ added: ['ABC1'], unknown: [] });
  });
});

test('a pasted column or row of genes is read as a list', () => {
  expect(isGeneList('CD3D\nCD3E')).toBe(true);
  expect(isGeneList(' CD3D ')).toBe(false);
  expect(readPastedGenes('cd3d\r\nCD3E\tms4a1; nope', index, [])).toEqual({
    added: ['CD3D', 'CD3E', 'Ms4a1'],
    unknown: ['NOPE'],
  });
});
