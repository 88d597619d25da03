import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { markerAnalysis } from '@/features/markers/index.ts';
import { geneSetEnrichment } from './result.fixture.ts';
import type { KeptAnalysis } from './kept-analyses.ts';
import { changesSince, keptAnalyses, keptName, keptSummary } from './kept-analyses.ts';

const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
});
afterEach(() => stored.clear());
// The next file has the same globals.
afterAll(() => vi.unstubAllGlobals());

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
const keptOf = (owner: string) => keptAnalyses(owner, [markerAnalysis, geneSetEnrichment]);
const { keep, forget } = keptOf('ada:d');
const ids = (owner = 'ada:d') =>
  keptOf(owner)
    .read()
    .map(({ id }) => id);

test('the newest twenty of a user and dataset are kept, each question once', () => {
  for (let n = 1; n <= 22; n++) keep(marker(`${n}`));
  expect(ids()).toHaveLength(20);
  expect(ids().slice(0, 2)).toEqual(['22', '21']);
  keep(marker('again', '10'));
  expect(ids()).toHaveLength(20);
  expect(ids()).not.toContain('10');
  expect(ids('ada:other')).toEqual([]);
  expect(ids('eve:d')).toEqual([]);
  forget('again');
  expect(ids()[0]).toBe('22');
});

test('the oldest of long lists of genes make room, and one that has none is not kept', () => {
  const genes = (count: number) => Array.from({ length: count }, (_, gene) => `GENE${gene}`);
  const pathway = (id: string, count: number) =>
    marker(id, '', { module: geneSetEnrichment, request: { pathway_genes: genes(count) } });
  keep(pathway('a', 10_000));
  keep(pathway('b', 10_001));
  keep(pathway('c', 10_002));
  expect(ids()).toEqual(['c', 'b']);
});

test('what is no analysis of ours is passed over', () => {
  const entry = (id: string, groupby = id, change = {}) => {
    const { module, ...rest } = marker(id, groupby);
    return { ...rest, kind: module.id, ...change };
  };
  const broken = [
    null,
    1,
    {},
    entry('w', 'leiden', { kind: '__proto__' }),
    entry('x', ''),
    entry('y', 'leiden', { subset: {} }),
    entry('z'),
  ];
  stored.set('cellfolio:analyses:ada:d', JSON.stringify(broken));
  expect(ids()).toEqual(['z']);
  stored.set('cellfolio:analyses:ada:d', '{not json');
  expect(ids()).toEqual([]);
});

test('a summary names the parameters, the subset and its cells', () => {
  const filter = { subset_group_name: 'T' };
  const subset = { id: 's', name: 'T cells', filter };
  expect(keptSummary(marker('x', 'leiden', { subset, cells: 1204 }))).toBe(
    'By Cluster, T cells (1,204 cells): at most 10 genes a group, adjusted p < 0.05, log2 fold change > 0.25',
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

test('a name stays with its question, also when it is run again, and is given up for the title', () => {
  const { keep: put, rename, read } = keptOf('ada:named');
  put(marker('a', 'leiden'));
  put(marker('b', 'cell_type'));
  rename('a', `  ${'Treated '.repeat(30)}`);
  expect(read().find(({ id }) => id === 'a')?.name).toHaveLength(100);
  rename('a', 'Treated');
  put(marker('c', 'leiden'));
  expect(read().map(keptName)).toEqual(['Treated', 'Marker Analysis']);
  rename('c', ' ');
  expect(read().map(keptName)).toEqual(['Marker Analysis', 'Marker Analysis']);
});
