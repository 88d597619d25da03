import { describe, expect, test } from 'vitest';
import {
  geneEntry,
  type GeneIndex,
  indexGenes,
  isGeneList,
  matchGene,
  pastedNames,
  readGenes,
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

const readTyped = (text: string, index: GeneIndex, chosen: string[]) =>
  geneEntry(readGenes(text.split(','), index), chosen);

const genes = indexGenes(['CD3D', 'CD3E', 'Ms4a1']);

describe('geneEntry', () => {
  test('splits on commas, trims, ignores case and keeps the spelling of the library', () => {
    expect(readTyped(' cd3d ,, CD3E,MS4A1 ', genes, [])).toEqual({
      added: ['CD3D', 'CD3E', 'Ms4a1'],
      renamed: [],
      ambiguous: [],
      unknown: [],
    });
  });

  test('adds no gene twice and names those the dataset lacks, in upper case', () => {
    expect(readTyped('cd3d, nope, CD3D, nope, cd3e', genes, ['CD3E'])).toEqual({
      added: ['CD3D'],
      renamed: [],
      ambiguous: [],
      unknown: ['NOPE'],
    });
  });

  test('accepts anything, in upper case, where the dataset lists no genes', () => {
    expect(readTyped('abc1, abc1', indexGenes([]), [])).toEqual({
      added: ['ABC1'],
      renamed: [],
      ambiguous: [],
      unknown: [],
    });
  });
});

test('a pasted column or row of genes is read as a list', () => {
  expect(isGeneList('CD3D\nCD3E')).toBe(true);
  expect(isGeneList(' CD3D ')).toBe(false);
  expect(geneEntry(readGenes(pastedNames('cd3d\r\nCD3E\tms4a1; nope'), genes), [])).toEqual({
    added: ['CD3D', 'CD3E', 'Ms4a1'],
    renamed: [],
    ambiguous: [],
    unknown: ['NOPE'],
  });
});

test('names in a paste are parted by commas, semicolons, blanks, tabs and lines, and lose their quotes', () => {
  expect(pastedNames(' CD3D, CD3E;MS4A1\tLYZ\r\n"CST3"\n\n,NKG7')).toEqual([
    'CD3D',
    'CD3E',
    'MS4A1',
    'LYZ',
    'CST3',
    'NKG7',
  ]);
  expect(pastedNames(' \n ')).toEqual([]);
});

describe('readGenes', () => {
  const blood = indexGenes([
    'CD3D',
    'MS4A1',
    'PDCD1',
    'TNF',
    'IL2',
    'HLA-DRA',
    'NKX2-1',
    'TMEM173',
    'TBCE',
    'CD8A',
  ]);
  const mendedBy = (names: string[], index = blood) =>
    readGenes(names, index).mended.map(({ given: input, gene }) => `${input} → ${gene}`);

  test('says what was mended: the case, other names of a gene, hyphens, Greek letters and the -1 of repeated symbols', () => {
    expect(
      mendedBy(['cd3d', 'CD20', 'PD-1', 'TNFα', 'TNF-alpha', 'IL-2', 'HLA.DRA', 'TBCE-1', 'CD8', 'NKX2-1']),
    ).toEqual([
      'cd3d → CD3D',
      'CD20 → MS4A1',
      'PD-1 → PDCD1',
      'TNFα → TNF',
      'IL-2 → IL2',
      'HLA.DRA → HLA-DRA',
      'TBCE-1 → TBCE',
      'CD8 → CD8A',
    ]);
  });

  test('finds a gene by its former symbol where the dataset is older than the name', () => {
    expect(mendedBy(['STING1'])).toEqual(['STING1 → TMEM173']);
    expect(mendedBy(['TMEM173'], indexGenes(['STING1']))).toEqual(['TMEM173 → STING1']);
    expect(mendedBy(['p53', 'CD45'], indexGenes(['Trp53', 'Ptprc']))).toEqual([
      'p53 → Trp53',
      'CD45 → Ptprc',
    ]);
  });

  test('a name that the dataset has means that gene, whatever else is called so', () => {
    expect(readGenes(['CD20', 'NOV'], indexGenes(['MS4A1', 'CD20', 'NOV', 'CCN3']))).toEqual({
      genes: ['CD20', 'NOV'],
      mended: [],
      missing: [],
      repeated: [],
      ambiguous: [],
    });
  });

  test('symbols that differ by case alone stay apart', () => {
    expect(readGenes(['Cd3d', 'CD3D'], indexGenes(['CD3D', 'Cd3d'])).genes).toEqual(['Cd3d', 'CD3D']);
  });

  test('distinguishes missing genes from duplicates under the same or another name', () => {
    expect(readGenes(['CD20', 'nope', 'MS4A1', 'CD3', 'nope', 'LFA-1'], blood)).toEqual({
      genes: ['MS4A1'],
      mended: [{ given: 'CD20', gene: 'MS4A1' }],
      missing: ['nope', 'CD3', 'LFA-1'],
      repeated: ['MS4A1', 'nope'],
      ambiguous: [],
    });
  });

  test('takes names that only the server knows from its answer', () => {
    const others = {
      symbols: new Map([['ENSG00000167286', 'CD3D']]),
      ambiguous: new Map([['T3', ['CD3D', 'TBCE']]]),
    };
    expect(readGenes(['ENSG00000167286', 'ENSG00000000000', 'T3'], blood, others)).toMatchObject({
      genes: ['CD3D'],
      mended: [{ given: 'ENSG00000167286', gene: 'CD3D' }],
      missing: ['ENSG00000000000', 'T3'],
      ambiguous: [{ input: 'T3', genes: ['CD3D', 'TBCE'] }],
    });
  });

  test('names that every object has are names of genes like others', () => {
    expect(readGenes(['constructor', '__proto__', 'toString'], blood).missing).toHaveLength(3);
    expect(readGenes(['__proto__'], indexGenes(['__proto__'])).genes).toEqual(['__proto__']);
  });
});

test('typed names say which gene they were taken for, but not that letters are capital', () => {
  expect(readTyped('cd3d, Cd20', indexGenes(['CD3D', 'MS4A1']), [])).toEqual({
    added: ['CD3D', 'MS4A1'],
    renamed: [{ given: 'Cd20', gene: 'MS4A1' }],
    ambiguous: [],
    unknown: [],
  });
});
