import { expect, test } from 'vitest';
import { firstLineOf } from './first-line.ts';

const lineOf = (text: string) => firstLineOf(text.split('\n').map((line) => line.split('\t')));
const symbols = 'CD3E\nCD2\nTRAC\nLYZ\nMT-CO1';
const barcodes = 'AAACCTGAGAAACC-1-D2017_A\nAAACCTGAGAAACG-1-D2017_A';

test.each([
  ['gene', symbols],
  ['Gene.Symbol', symbols],
  ['gene_id\tgene_name', 'ENSG00000000003\tTSPAN6'],
  ['x', symbols],
  ['V1', symbols],
  ['0', barcodes],
  ['barcode', barcodes],
  ['cell_id\tn_counts', barcodes],
  ['gene', 'w\nbrat\nelav'],
  ['kit\tn_counts', 'one\t3\ntwo\t4'],
])('%j over other lines is a title', (first, more) => {
  expect(lineOf(`${first}\n${more}`)).toBe('titles');
});

test.each([
  ['CD3D', symbols],
  ['ACTA2', symbols],
  ['XYZ', symbols],
  ['ENSG00000000005\tTNMD', 'ENSG00000000003\tTSPAN6'],
  ['AAACCTGAGAAACT-1-D2017_A', barcodes],
  ['S1_AAACCTGAGAAACT', 'S1_AAACCTGAGAAACC'],
  ['x', 'y\nz'],
  ['cell', 'bead\nspot'],
  ['V1', 'V2\nCD3D\nMS4A1\nLYZ'],
  ['one\tNA', 'two\t3\nfive\t4'],
  ['one\tthe first', 'two\t\nfive\t'],
])('%j over other lines is a name', (first, more) => {
  expect(lineOf(`${first}\n${more}`)).toBe('names');
});

test('a first line like none of the others is left open', () => {
  expect(lineOf(`Bezeichnung\n${symbols}`)).toBe('unlike');
  expect(lineOf(`\n${symbols}`)).toBe('unlike');
});
