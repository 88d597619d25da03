import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { foldedName, namesOfGene } from './names-of-genes.ts';

test.each([
  ['CD45', 'PTPRC'],
  ['Ki-67', 'MKI67'],
  ['HER2', 'ERBB2'],
  ['PD-L1', 'CD274'],
  ['B7-H1', 'CD274'],
  ['T-bet', 'TBX21'],
  ['PU.1', 'SPI1'],
  ['4-1BB', 'TNFRSF9'],
  ['HIST1H4C', 'H4C3'],
  ['SEPT7', 'SEPTIN7'],
])('%s is a name of %s', (name, symbol) => {
  expect(namesOfGene(name)[0]).toBe(symbol);
  expect(namesOfGene(symbol)).toBe(namesOfGene(name));
});

test('complexes, isoforms and what is no gene have no other names', () => {
  for (const name of ['CD3', 'LFA-1', 'CD45RA', 'ACTB', '', '-']) expect(namesOfGene(name)).toEqual([]);
});

test('no name stands for two genes', () => {
  const source = readFileSync(new URL('names-of-genes.ts', import.meta.url), 'utf8');
  const table = /const names = `([^`]+)`/.exec(source)![1]!;
  const genes = table.split(';').map((gene) => gene.trim().split(/\s+/));
  const names = genes.flatMap((gene) => gene.map(foldedName));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(genes.length).toBeGreaterThan(300);
  for (const gene of genes) expect(gene.length, gene[0]).toBeGreaterThan(1);
});
