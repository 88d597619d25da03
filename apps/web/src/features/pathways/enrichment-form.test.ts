import { expect, test } from 'vitest';
import { enrichmentDefaults, enrichmentProblems, pathwayRequest, readGeneList } from './enrichment-form.ts';

test('genes are separated, trimmed, upper-cased and counted once', () => {
  expect(readGeneList(' cd3d, CD3D ,cd3e,,\nLck\tcd2;HLA-A ')).toEqual([
    'CD3D',
    'CD3E',
    'LCK',
    'CD2',
    'HLA-A',
  ]);
  expect(readGeneList(' , \n')).toEqual([]);
});

test('an enrichment names what differs from the defaults, and nothing else', () => {
  const form = { ...enrichmentDefaults, genes: 'cd3d' };
  const asked = { pathway_genes: ['CD3D'], library_name: 'KEGG_2021_Human' };
  expect(pathwayRequest(form)).toEqual(asked);
  expect(pathwayRequest({ ...form, minimumShare: '5', minimumOverlap: '1', species: 'mouse' })).toEqual({
    ...asked,
    background: { kind: 'expressed', minimum_share: 0.05, minimum_cells: 3 },
    minimum_overlap: 1,
    species: 'mouse',
  });
  expect(pathwayRequest({ ...form, background: 'dataset', species: '__proto__' })).toEqual({
    ...asked,
    background: { kind: 'dataset' },
  });
  expect(pathwayRequest({ ...form, background: 'own', ownBackground: 'a b\na' }).background).toEqual({
    kind: 'own',
    genes: ['A', 'B'],
  });
  expect(enrichmentProblems(form)).toEqual({});
  expect(
    Object.keys(enrichmentProblems({ ...form, minimumShare: '101', minimumCells: '0', minimumOverlap: '0' })),
  ).toEqual(['minimumOverlap', 'minimumShare', 'minimumCells']);
  expect(Object.keys(enrichmentProblems({ ...form, background: 'own' }))).toEqual(['ownBackground']);
});
