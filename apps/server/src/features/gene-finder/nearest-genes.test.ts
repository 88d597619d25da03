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
const nearest = (wanted: string, most = 4) => nearestGenes(wanted, names, most);

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
])('%s is near %s', async (wanted, found) => {
  expect((await nearest(wanted))[0]).toBe(found);
});

test('a beginning finds what begins with it, the nearest and shortest first, and each name once', async () => {
  expect(await nearest('CD79')).toEqual(['CD79A', 'CD79B', 'CD7', 'CD74']);
  expect(await nearest('HLA-D')).toEqual(['HLA-DRA', 'HLA-DRB1']);
  expect(await nearest('CD', 9)).toEqual(['CD7', 'CD3D', 'CD3E', 'CD74', 'CD79A', 'CD79B']);
});

test('nothing is near an Ensembl id, a single letter, or nonsense', async () => {
  for (const wanted of ['ENSG00000105367', 'C', '', '-', 'QQQQQQQQ', 'x'.repeat(500), '<script>']) {
    expect(await nearest(wanted)).toEqual([]);
  }
});
