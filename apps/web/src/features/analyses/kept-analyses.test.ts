import { expect, test } from 'vitest';
import { geneSetEnrichment, markerAnalysis } from './result.fixture.ts';
import type { KeptAnalysis } from './kept-analyses.ts';
import { changesSince, earlierAnalyses, keptSummary, readEntry } from './kept-analyses.ts';

const marker = (id: string, groupby = id, change: Partial<KeptAnalysis> = {}): KeptAnalysis => ({
  id,
  ranAt: 1,
  version: '1',
  subset: null,
  cells: 700,
  module: markerAnalysis,
  request: { groupby },
  ...change,
});
const modules = [markerAnalysis, geneSetEnrichment];
const stored = {
  id: '0'.repeat(32),
  analysis: markerAnalysis.id,
  ran_at: 1,
  version: '1',
  subset: null,
  cells: 7,
  name: null,
};

test('a stored analysis is read unless this page cannot run it', () => {
  const read = (change: object) =>
    readEntry({ ...stored, request: { groupby: 'leiden' }, ...change }, modules);
  expect(read({ name: 'Treated' })).toMatchObject({ module: markerAnalysis, name: 'Treated', ranAt: 1 });
  expect(read({})).not.toHaveProperty('name');
  expect(read({ analysis: '__proto__' })).toBeUndefined();
  expect(read({ request: { groupby: '' } })).toBeUndefined();
  expect(read({ subset: { id: null, name: 'T', filter: 1 } })).toBeUndefined();
});

test('the analyses that an earlier version kept in the browser are read, and anything else is passed over', () => {
  const { analysis: kind, ran_at: ranAt, name: _, ...rest } = stored;
  const entry = { ...rest, kind, ranAt, request: { groupby: 'leiden' } };
  const text = JSON.stringify([null, 1, {}, { ...entry, subset: {} }, entry, { ...entry, name: 'Treated' }]);
  expect(earlierAnalyses(text)).toEqual([
    { ...stored, request: { groupby: 'leiden' } },
    { ...stored, request: { groupby: 'leiden' }, name: 'Treated' },
  ]);
  expect(earlierAnalyses('{not json')).toEqual([]);
  expect(earlierAnalyses('{}')).toEqual([]);
});

test('a summary names the parameters, the subset and its cells', () => {
  const filter = { subset_group_name: 'T' };
  const subset = { id: 's', name: 'T cells', filter };
  expect(keptSummary(marker('x', 'leiden', { subset, cells: 1204 }))).toBe(
    'By Cluster, T cells (1,204 cells): at most 10 genes per group, adjusted p < 0.05, log2 fold change > 0.25',
  );
  expect(
    keptSummary(
      marker('x', '', {
        module: geneSetEnrichment,
        cells: null,
        request: { pathway_genes: ['A'], library_name: 'K' },
      }),
    ),
  ).toBe('K, all cells: 1 gene');
});

test('a replaced dataset and a subset that is changed or deleted are reported, a subset from a link is not', () => {
  const filter = { subset_group_name: 'T', cell_type_filter: true, cell_type: ['t'] };
  const entry = marker('x', 'leiden', { subset: { id: 's', name: 'T cells', filter } });
  const renamed = { ...filter, subset_group_name: 'renamed' };
  expect(changesSince(entry, { version: '1', subsets: [{ id: 's', filter: renamed }] })).toEqual([]);
  expect(changesSince(entry, { version: '1', subsets: undefined })).toEqual([]);
  expect(changesSince(entry, { version: '2', subsets: [] })).toEqual([
    expect.stringContaining('The dataset has been replaced'),
    expect.stringContaining('has been deleted'),
  ]);
  const other = { id: 's', filter: { ...filter, cell_type: ['b'] } };
  expect(changesSince(entry, { version: '1', subsets: [other] })[0]).toContain('has a new filter');
  const linked = marker('x', 'leiden', { subset: { id: null, name: 'T cells', filter } });
  expect(changesSince(linked, { version: '1', subsets: [] })).toEqual([]);
});
