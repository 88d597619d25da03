import { describe, expect, test } from 'vitest';
import {
  indexGenes,
  isGeneList,
  matchGene,
  readGeneEntry,
  readPastedGenes,
  suggestGenes,
} from './gene-index.ts';

const index = indexGenes(['TCD3', 'CD3E', 'ACD3', 'cd3d', 'CD300A', 'CST3', 'CD8A']);

describe('suggestGenes', () => {
  test('lists prefix matches first, then the other matches, each alphabetically whatever the case', () => {
    expect(suggestGenes(index, 'cd3').symbols).toEqual(['CD300A', 'cd3d', 'CD3E', 'ACD3', 'TCD3']);
  });

  test('finds nothing for a blank text or one that no symbol holds', () => {
    expect(suggestGenes(index, '  ').symbols).toEqual([]);
    expect(suggestGenes(index, 'ZZZ').symbols).toEqual([]);
  });

  test('does not offer what is chosen already', () => {
    expect(suggestGenes(index, 'CD3', new Set(['cd3d', 'ACD3'])).symbols).toEqual(['CD300A', 'CD3E', 'TCD3']);
  });

  test('offers at most ten, and the same ones that sorting all matches would give', () => {
    const library = Array.from({ length: 3000 }, (_, n) => `${'XGENE'.slice(n % 3)}${(n * 7919) % 3000}`);
    const big = indexGenes(library);
    for (const query of ['g', 'GENE1', 'e2', 'x', '99', 'ene11']) {
      const lower = query.toLowerCase();
      const expected = library
        .filter((symbol) => symbol.toLowerCase().includes(lower))
        .map((symbol) => ({ symbol, rank: symbol.toLowerCase().startsWith(lower) ? 0 : 1 }))
        .sort((a, b) => a.rank - b.rank || (a.symbol.toLowerCase() < b.symbol.toLowerCase() ? -1 : 1))
        .slice(0, 10)
        .map(({ symbol }) => symbol);
      expect(suggestGenes(big, query).symbols).toEqual(expected);
    }
  });

  test('looks at a handful of 40,000 genes when ten begin with the text, and at each gene once at worst', () => {
    const big = indexGenes(Array.from({ length: 40_000 }, (_, n) => `GENE${n}`));
    expect(suggestGenes(big, 'gene12').examined).toBeLessThanOrEqual(10 + 16);
    expect(suggestGenes(big, 'no such gene').examined).toBeLessThanOrEqual(40_000 + 18);
  });
});

describe('matchGene', () => {
  test("answers with the dataset's spelling, whatever the case", () => {
    expect(matchGene(index, 'CD3D')).toBe('cd3d');
    expect(matchGene(index, 'cst3')).toBe('CST3');
  });

  test('knows no gene that is not in the library', () => {
    expect(matchGene(index, 'MS4A1')).toBeUndefined();
  });

  test('accepts any gene, in upper case, where the library is empty', () => {
    expect(matchGene(indexGenes([]), 'ms4a1')).toBe('MS4A1');
  });
});

const genes = indexGenes(['CD3D', 'CD3E', 'Ms4a1']);

describe('readGeneEntry', () => {
  test('splits on commas, trims, ignores case and keeps the spelling of the library', () => {
    expect(readGeneEntry(' cd3d ,, CD3E,MS4A1 ', genes, [])).toEqual({
      added: ['CD3D', 'CD3E', 'Ms4a1'],
      unknown: [],
    });
  });

  test('adds no gene twice and names those the dataset lacks, in upper case', () => {
    expect(readGeneEntry('cd3d, nope, CD3D, nope, cd3e', genes, ['CD3E'])).toEqual({
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
  expect(readPastedGenes('cd3d\r\nCD3E\tms4a1; nope', genes, [])).toEqual({
    added: ['CD3D', 'CD3E', 'Ms4a1'],
    unknown: ['NOPE'],
  });
});
