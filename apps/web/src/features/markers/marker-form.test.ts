import { expect, test } from 'vitest';
import { groupChoices, markerDefaults, markerProblems, markerRequest } from './marker-form.tsx';

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
