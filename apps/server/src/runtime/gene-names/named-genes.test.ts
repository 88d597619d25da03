import type { GeneIndex } from '@cellfolio/store';
import { describe, expect, test } from 'vitest';
import { ambiguousGenes, NamedGenes, otherNameCautions, otherNamesAmong } from './named-genes.ts';
import { Nomenclature, nomenclatureOf, otherNamesOf } from './nomenclature.ts';

/** As the store finds genes: by symbol, in their exact case first. */
function namedGenes(symbols: readonly string[]): NamedGenes {
  const place = (form: (name: string) => string, name: string) => {
    const row = symbols.findIndex((symbol) => form(symbol) === form(name));
    return row < 0 ? undefined : row;
  };
  const find: GeneIndex['find'] = (name) =>
    place((one) => one, name) ?? place((one) => one.toLowerCase(), name);
  return new NamedGenes({ symbols, ids: [], find });
}
/** More genes in the letters of the species, which is told by most of them. */
const human = (...symbols: string[]) => namedGenes([...symbols, 'ACTB', 'GAPDH', 'TUBB', 'VIM', 'LMNA']);
const mouse = (...symbols: string[]) => namedGenes([...symbols, 'Actb', 'Gapdh', 'Tubb5', 'Vim', 'Lmna']);
const symbolOf = (genes: NamedGenes, name: string) => genes.symbols[genes.find(name) ?? -1];

describe('the genes of a dataset', () => {
  test.each([
    ['MARCH1', 'MARCHF1'],
    ['SEPT7', 'SEPTIN7'],
    ['CD45', 'PTPRC'],
    ['HER2', 'ERBB2'],
    ['PD-L1', 'CD274'],
    ['WISP3', 'CCN6'],
    ['QARS', 'QARS1'],
    ['march1', 'MARCHF1'],
  ])('have %s where they have %s', (name, symbol) => {
    expect(symbolOf(human('CD3E', symbol), name)).toBe(symbol);
  });

  test.each([
    ['MARCHF1', 'MARCH1'],
    ['SEPTIN7', 'SEPT7'],
    ['CCN6', 'WISP3'],
    ['QARS1', 'QARS'],
  ])('have %s where they are older and have %s', (name, symbol) => {
    expect(symbolOf(human('CD3E', symbol), name)).toBe(symbol);
  });

  test('are found by the names of their own species', () => {
    expect(symbolOf(mouse('Marchf1'), 'March1')).toBe('Marchf1');
    expect(symbolOf(mouse('Sept7'), 'Septin7')).toBe('Sept7');
  });

  test('a name that one of them has means that gene, whatever else was called so', () => {
    expect(symbolOf(human('MARCH1', 'MARCHF1'), 'MARCH1')).toBe('MARCH1');
    expect(symbolOf(human('CD45', 'PTPRC'), 'CD45')).toBe('CD45');
    expect(symbolOf(human('MARCHF1'), 'ENSG00000000000')).toBeUndefined();
  });

  test('are not found by the dates that a spreadsheet made of several symbols', () => {
    expect(symbolOf(human('SEPTIN7'), '7-Sep')).toBe('SEPTIN7');
    const genes = human('MARCHF1', 'MTARC1');
    expect(symbolOf(genes, '1-Mar')).toBeUndefined();
    expect(ambiguousGenes(genes, '1-Mar')).toEqual(['MARCHF1', 'MTARC1']);
    // The other one may have been left out of the dataset.
    expect(symbolOf(human('MARCHF1'), '1-Mar')).toBeUndefined();
    expect(ambiguousGenes(human('MARCHF1'), '1-Mar')).toEqual(['MARCHF1']);
  });

  test('a gene that was found by another name is distinguished from one that was found by its own', () => {
    const genes = human('MARCHF1', 'CD3E');
    expect(otherNamesAmong(genes, ['MARCH1', 'cd3e', 'NOSUCHGENE', 'MARCH1'])).toEqual([
      { given: 'MARCH1', gene: 'MARCHF1' },
    ]);
    const [caution] = otherNameCautions([{ given: 'MARCH1', gene: 'MARCHF1' }], 'the library');
    expect(caution).toEqual({
      code: 'other-gene-names',
      message: '1 gene of the library was matched by a former symbol or an alias: MARCH1 as MARCHF1.',
      numbers: { genes: 1 },
    });
  });
});

describe('a nomenclature', () => {
  const names = new Nomenclature('AAA\tOLD\tX1|SHARED\nBBB\t\tX1|OLD|SHARED\nCCC\tEX-1\t\n');
  const called = (name: string) => names.genesCalled(name).map((gene) => names.namesOf(gene)[0]);

  test('takes a symbol that was replaced before an alias of another gene', () => {
    expect(called('old')).toEqual(['AAA']);
    expect(called('X1')).toEqual(['AAA', 'BBB']);
    expect(called('EX1')).toEqual(['CCC']);
    expect(called('NOPE')).toEqual([]);
  });

  test('names of several genes are no names of one', () => {
    expect(names.namesOf(0)).toEqual(['AAA', ['OLD']]);
    expect(names.namesOf(1)).toEqual(['BBB', []]);
  });
});

test('no approved symbol of a species is another name of a gene', () => {
  const called = (species: string, symbol: string) => {
    const nomenclature = nomenclatureOf(species)!;
    return nomenclature.genesCalled(symbol).map((gene) => nomenclature.namesOf(gene)[0]);
  };
  for (const symbol of ['PTPRC', 'KIT', 'MET']) expect(called('human', symbol)).toEqual([symbol]);
  for (const symbol of ['Ptprc', 'Kit', 'Met']) expect(called('mouse', symbol)).toEqual([symbol]);
});

test('a gene is called by all names of both species, its approved symbol first', () => {
  expect(otherNamesOf('MARCH1').slice(0, 2)).toEqual(['MARCHF1', 'MARCH1']);
  expect(otherNamesOf('NOSUCHGENE')).toEqual([]);
});
