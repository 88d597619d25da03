import { expect, test } from 'vitest';
import { markerAnalysisRequest } from '@cellfolio/contract';
import { groupChoices } from './group-choices.ts';
import { markerAnalysis } from './marker-analysis.ts';
import { hasGroups, hasValidNumbers, markerDefaults, markerRequest } from './marker-form.tsx';
import { obsColumn, ownColumn } from './own-column.ts';

const columns = { cell_types: 'cell_type', leiden_clusters: 'leiden_2', patient_metadata: [] };

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
      ...markerDefaults,
      groupBy: 'x',
      numberOfGenes: '',
      adjustedPValue: 'abc',
      logfoldChange: '1e999',
      minCells: '2.5',
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

test('the defaults of scanpy are requested by both of their parameters, and named beside the numbers', () => {
  const request = markerRequest({ ...markerDefaults, groupBy: 'cell_type', asScanpy: 'yes' });
  expect(request).toMatchObject({ tie_correct: false, pseudocount: 1e-9 });
  expect(markerAnalysisRequest.safeParse(request).success).toBe(true);
  expect(markerAnalysis.requestLine!(request, 'all cells')).toContain('tested with the defaults of scanpy');
});

test('equal depth is requested by its parameter, and named beside the numbers', () => {
  const request = markerRequest({ ...markerDefaults, groupBy: 'cell_type', depth: 'downsample' });
  expect(request).toMatchObject({ depth: 'downsample' });
  expect(markerAnalysisRequest.safeParse(request).success).toBe(true);
  expect(markerAnalysis.requestLine!(request, 'all cells')).toContain('at equal depth');
});

test('a number that the server would refuse keeps a marker analysis from running', () => {
  expect(hasValidNumbers(markerDefaults)).toBe(true);
  for (const refused of [
    { numberOfGenes: '0' },
    { adjustedPValue: '2' },
    { logfoldChange: '-101' },
    { minCells: '1' },
  ]) {
    expect(hasValidNumbers({ ...markerDefaults, ...refused })).toBe(false);
  }
});

test('cells are grouped by cell type, cluster or any metadata, whatever its name', () => {
  const patient_metadata = JSON.parse('{"__proto__":["a","b"],"treatment":["x"],"leiden":["0"],"empty":[]}');
  expect(
    groupChoices({ cell_types: ['B', 'T'], leiden_clusters: [], patient_metadata, columns }).map(
      ({ value }) => value,
    ),
  ).toEqual(['cell_type', '__proto__', 'treatment']);
});

test('a part is called with the column that plays it, as maps are, unless both are called the same', () => {
  const analysis = { cell_types: ['B', 'T'], leiden_clusters: ['0', '1'], patient_metadata: {}, columns };
  expect(groupChoices(analysis).map(({ label }) => label)).toEqual(['Cell type', 'Cluster, Leiden 2']);
});

test('an own annotation is a column of groups, and is requested by its name', () => {
  const form = { ...markerDefaults, groupBy: ownColumn('leiden, merged') };
  const dataset = { cell_types: [], leiden_clusters: [], patient_metadata: {}, columns } as never;
  expect(hasGroups(form, dataset)).toBe(true);
  expect(markerRequest(form).groupby).toBe('leiden, merged');
});

test('numbers are cut as it was chosen, and a second column splits the groups', () => {
  const quarters = JSON.stringify({ by: 'quartiles', parts: '5', edges: '' });
  const edges = JSON.stringify({ by: 'edges', parts: '5', edges: '0.5, 2' });
  const form = { ...markerDefaults, groupBy: obsColumn('n_genes'), bins: quarters, splitBy: 'Treatment' };
  expect(markerRequest(form)).toMatchObject({
    groupby: 'n_genes',
    bins: { by: 'quantiles', parts: 4 },
    split: { column: 'Treatment' },
  });
  const byNumbers = { ...form, groupBy: 'cell_type', bins: '', splitBy: obsColumn('age'), splitBins: edges };
  const request = markerRequest(byNumbers);
  expect(request).not.toHaveProperty('bins');
  expect(request.split).toEqual({ column: 'age', bins: { by: 'edges', edges: [0.5, 2] } });
  expect(markerAnalysisRequest.safeParse(request).success).toBe(true);
  expect(hasValidNumbers(byNumbers)).toBe(true);
  expect(hasValidNumbers({ ...byNumbers, splitBins: edges.replace('0.5, 2', '2, 0.5') })).toBe(false);
  expect(markerRequest({ ...form, splitBy: form.groupBy })).not.toHaveProperty('split');
});
