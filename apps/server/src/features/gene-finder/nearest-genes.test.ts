import { expect, test } from 'vitest';
import { nearestGenes } from './nearest-genes.ts';

const names = [
  'CD79A',
  'CD79B',
  'CD7',
  'CD74',
  'CD3D',
  'CD3E',
  'HLA-DRA',
  'HLA-DRB1',
  'MS4A1',
  'TGFB1',
  'IFNG',
  'Cd79a',
  'ENSG00000105369',
  'ENSG00000105368',
  'MALAT1',
  'AC012345.1',
  '__proto__',
  'x'.repeat(5000),
];
const nearest = (gene: string, limit = 4) => nearestGenes(gene, names, limit);

test.each([
  ['HLADRA', 'HLA-DRA'],
  ['hla dra', 'HLA-DRA'],
  ['CD-79A', 'CD79A'],
  ['TGF-β1', 'TGFB1'],
  ['IFNγ', 'IFNG'],
  ['MALTA1', 'MALAT1'],
  ['MLAAT1', 'MALAT1'],
  ['MS4A', 'MS4A1'],
  ['M54A1', 'MS4A1'],
  ['proto', '__proto__'],
])('%s is near %s', async (query, expected) => {
  expect((await nearest(query))[0]).toBe(expected);
});

test('a beginning finds what begins with it, the nearest and shortest first, and each name once', async () => {
  expect(await nearest('CD79')).toEqual(['CD79A', 'CD79B', 'CD7', 'CD74']);
  expect(await nearest('HLA-D')).toEqual(['HLA-DRA', 'HLA-DRB1']);
  expect(await nearest('CD', 9)).toEqual(['CD7', 'CD3D', 'CD3E', 'CD74', 'CD79A', 'CD79B']);
});

test('nothing is near an Ensembl id, a single letter, or nonsense', async () => {
  for (const query of ['ENSG00000105367', 'C', '', '-', 'QQQQQQQQ', 'x'.repeat(500), '<script>']) {
    expect(await nearest(query)).toEqual([]);
  }
});
