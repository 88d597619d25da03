import { packStrings } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { LazyGeneIndex, uniqueNames } from './gene-index.ts';

test('repeated names become unique as AnnData makes them, skipping names that are taken', () => {
  // Values by anndata 0.12.19: var_names_make_unique on the same names.
  expect(uniqueNames(['X', 'X', 'X-1', 'X', 'Y'])).toEqual(['X', 'X-2', 'X-1', 'X-3', 'Y']);
  expect(uniqueNames(['A', 'A', 'A'])).toEqual(['A', 'A-1', 'A-2']);
  expect(uniqueNames(['A', 'A', 'A-1', 'A-1'])).toEqual(['A', 'A-2', 'A-1', 'A-1-1']);
});

const genes = new LazyGeneIndex(
  ['CD79A', 'cd79a', 'CST3', 'CST3', 'AC012345.1', 'ENSG00000000099'],
  [
    packStrings([
      'ENSG00000105369.10',
      'ENSMUSG00000003379',
      'ENSG00000101439.9',
      'ENSG00000101440',
      'ENSG00000012345',
      'ENSG00000000099',
    ]),
  ],
);

test('a symbol is found in its own case first, then in any', () => {
  expect(genes.find('CD79A')).toBe(0);
  expect(genes.find('cd79a')).toBe(1);
  expect(genes.find('Cd79a')).toBe(0);
  expect(genes.find('cst3')).toBe(2);
});

test('the plain name of a repeated symbol answers to its first gene, the suffix to the others', () => {
  expect(genes.symbols.slice(2, 4)).toEqual(['CST3', 'CST3-1']);
  expect(genes.find('CST3')).toBe(2);
  expect(genes.find('CST3-1')).toBe(3);
});

test('an Ensembl id is found in any case, with its version, another one or none', () => {
  expect(genes.find('ENSG00000105369.10')).toBe(0);
  expect(genes.find('ensg00000105369')).toBe(0);
  expect(genes.find('ENSG00000105369.12')).toBe(0);
  expect(genes.find('ENSG00000101440.4')).toBe(3);
  expect(genes.find('ensmusg00000003379')).toBe(1);
});

test('the number behind the dot of a clone name is part of the name', () => {
  expect(genes.find('AC012345.1')).toBe(4);
  expect(genes.find('AC012345.2')).toBeUndefined();
  expect(genes.find('AC012345')).toBeUndefined();
});

test('unknown and empty names are not found', () => {
  expect(genes.find('NOPE')).toBeUndefined();
  expect(genes.find('')).toBeUndefined();
  expect(new LazyGeneIndex(['', 'A'], []).find('')).toBeUndefined();
  expect(genes.find('constructor')).toBeUndefined();
});
