import { expect, test } from 'vitest';
import { groupChoices, markerDefaults, markerProblems, markerRequest } from '@/features/markers/index.ts';
import {
  enrichmentDefaults,
  enrichmentProblems,
  pathwayRequest,
  readGeneList,
} from '@/features/pathways/index.ts';
import { readForms } from './analyses.ts';
import { windowOf } from './use-windowed-rows.ts';

test('the defaults are ten genes, p 0.05, log fold change 0.25 and three cells; what is no number is 0', () => {
  expect(markerRequest({ ...markerDefaults, groupBy: 'cell_type' })).toEqual({
    groupby: 'cell_type',
    n_genes: 10,
    pvals_adj: 0.05,
    logfoldchanges: 0.25,
    min_cells: 3,
    unlabelled: 'reference',
  });
  expect(
    markerRequest({
      groupBy: 'x',
      numberOfGenes: '',
      adjustedPValue: 'abc',
      logfoldChange: '1e999',
      fewestCells: '2.5',
      unlabelled: 'left-out',
    }),
  ).toEqual({
    groupby: 'x',
    n_genes: 0,
    pvals_adj: 0,
    logfoldchanges: 0,
    min_cells: 2,
    unlabelled: 'left-out',
  });
});

test('what the server would refuse is said beside its field', () => {
  expect(markerProblems(markerDefaults)).toEqual({});
  expect(
    Object.keys(
      markerProblems({
        groupBy: '',
        numberOfGenes: '0',
        adjustedPValue: '2',
        logfoldChange: '-101',
        fewestCells: '1',
        unlabelled: '',
      }),
    ),
  ).toEqual(['numberOfGenes', 'adjustedPValue', 'logfoldChange', 'fewestCells']);
});

test('cells are grouped by cell type, cluster or any metadata, whatever its name', () => {
  const patient_metadata = JSON.parse('{"__proto__":["a","b"],"treatment":["x"],"leiden":["0"],"empty":[]}');
  expect(
    groupChoices({ cell_types: ['B', 'T'], leiden_clusters: [], patient_metadata }).map(({ value }) => value),
  ).toEqual(['cell_type', '__proto__', 'treatment']);
});

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
  // What was remembered before there was a choice.
  expect(readForms({ pathway: { genes: 'x', library: 'y' } })?.pathway).toEqual({
    ...enrichmentDefaults,
    genes: 'x',
    library: 'y',
  });
});

test('a remembered form that somebody changed is read as far as it is one', () => {
  expect(readForms({ marker: { groupBy: 'x', numberOfGenes: 5, evil: 'y' } })?.marker).toEqual({
    ...markerDefaults,
    groupBy: 'x',
  });
  expect(readForms(null)).toBeUndefined();
});

test('of thousands of rows only those near what is seen are drawn', () => {
  expect(windowOf({ top: 0, height: 320 }, 30_000, 32)).toEqual({ start: 0, end: 22 });
  expect(windowOf({ top: 320_000, height: 320 }, 30_000, 32)).toEqual({ start: 9988, end: 10_022 });
  // A search shortened the list while it was scrolled down.
  expect(windowOf({ top: 320_000, height: 320 }, 3, 32)).toEqual({ start: 0, end: 3 });
});
