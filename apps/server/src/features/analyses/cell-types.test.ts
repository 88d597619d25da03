import { cellTypes } from '@cellfolio/analyses';
import { type AnalysisAnswer, analysisCall } from '@cellfolio/contract';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type AnalysisDataset, hostile, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';

const id = 'analysis.h5ad';
const path = '/api/suggest-cell-types';
type Answer = AnalysisAnswer<typeof cellTypes>;
let server: SharedServer;
let dataset: AnalysisDataset;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    dataset = await writeAnalysisDataset(objectRoot, id);
  });
  api = apiClient(server, await server.signIn('standard'), 'cell-types');
  await api.get(`/api/dataset_analysis/${id}`);
});
beforeEach(() => api.post('/api/filter-active-dataset', { subset_group_name: 'Default' }));

const genes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `GENE${from + at}`).join(' ');
/** Markers of B cells are genes 1 to 10, of the hostile type 11 to 20, of T cells 21 to 30. */
const ownMarkers = [
  'cell_type,gene,lineage,reference',
  `=B|calc,${genes(1, 8)} MISSING,B,Author 2001 Nature`,
  `${hostile},${genes(11, 18)},myeloid,`,
  `T,${genes(21, 28)},T,`,
  `Other,${genes(61, 68)},other,`,
  'Gone,NO1 NO2 NO3,,',
].join('\n');
const defaultRequest = { groupby: 'cell_type', own_markers: ownMarkers };

async function run(body: object = defaultRequest): Promise<Answer> {
  const { status, body: answer } = await api.post(path, body);
  expect([status, answer.message]).toEqual([200, undefined]);
  return analysisCall(cellTypes).answer.parse(answer);
}
const linesOf = ({ types_csv: csv }: Answer) =>
  csv!.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const codesOf = ({ warnings }: Answer) => warnings.map(({ code }) => code);

test('each group is suggested the type whose markers it expresses, with these', async () => {
  const answer = await run();
  expect(
    answer.suggestions.map(({ group, cells, suggestion, reasons }) => [group, cells, suggestion, reasons]),
  ).toEqual([
    ['B cell', 80, '=B|calc', []],
    [hostile, 80, hostile, []],
    ['T cell', 80, 'T', []],
  ]);
  expect(answer.markers).toEqual({ types: 5, tested: 4, genes: 36, missing: 4 });
  const { best, runner_up: next, margin, conflict } = answer.suggestions[0]!;
  expect(best).toMatchObject({
    lineage: 'B',
    reference: 'Author 2001 Nature',
    expressed: 8,
    missing: ['MISSING'],
  });
  expect(best!.ora_score).toBeGreaterThan(2);
  expect(margin).toBeCloseTo((best!.score - Math.max(0, next!.score)) / best!.score, 10);
  expect(conflict).toBeNull();
  const gene = best!.markers.find((one) => one.gene === 'GENE1')!;
  const mean = (from: number) =>
    dataset.expression[0]!.subarray(from, from + 80).reduce((sum, value) => sum + value, 0) / 80;
  const means = [0, 80, 160].map(mean);
  expect(gene.mean).toBeCloseTo(means[0]!, 10);
  expect(gene.above).toBeCloseTo(means[0]! - (means[0]! + means[1]! + means[2]!) / 3, 10);
  const expressing = dataset.expression[0]!.subarray(0, 80).filter((value) => value > 0).length;
  expect(gene.share).toBeCloseTo(expressing / 80, 10);
  expect(gene.other_groups).toBe(2);
});

test('the table has every type in every group, the best first, and hostile names stay text', async () => {
  const answer = await run();
  const [heading, ...rows] = linesOf(answer);
  expect(heading).toBe(
    'group,rank,cell_type,suggestion,ulm_score,ulm_pval,ulm_padj,ora_score,ora_pval,ora_padj,markers,expressed,genes,lineage,reference',
  );
  expect(rows).toHaveLength(3 * 4);
  expect(rows[0]).toContain("B cell,1,'=B|calc,'=B|calc,");
  const head = answer
    .types_csv!.split('\n')
    .filter((line) => line.startsWith('#'))
    .join('\n');
  expect(head).toContain(`# Data: Analysis (${id}), version ${dataset.manifest.version}; all cells`);
  expect(head).toContain('# Set of markers: own list; version');
  for (const { message } of answer.warnings) expect(answer.types_csv).toContain(message);
  const { body: svg } = await api.post('/api/render-figure', { source: answer.source, format: 'svg' });
  expect(Buffer.from(svg).toString()).not.toContain('<script>alert');
  expect(Buffer.from(svg).toString()).toContain('&lt;script&gt;');
});

test('groups that no type fits are Unclear, with the reasons', async () => {
  const answer = await run({ ...defaultRequest, groupby: 'leiden' });
  expect(answer.suggestions.map(({ suggestion }) => suggestion)).toEqual([null, null, null, null]);
  for (const { reasons } of answer.suggestions) expect(reasons.length).toBeGreaterThan(0);
  expect(linesOf(answer)[1]!.split(',')[3]).toBe('Unclear');
  expect(answer.facts.find(({ code }) => code === 'suggestions-only')?.numbers).toEqual({
    groups: 4,
    unclear: 4,
  });
});

test('the answer names a group of two types, and its cells indicate a mixture', async () => {
  const created = await api.post(`/api/datasets/${id}/annotations`, { name: 'Mixed', from: 'cell_type' });
  const { id: of, revision } = created.body;
  const change = { change: 'merge', groups: ['B cell', 'T cell'], name: 'B and T' };
  await api.post(`/api/annotations/${of}/changes`, { revision, change });
  const more = await api.post(`/api/annotations/${of}/changes`, {
    revision: revision + 1,
    change: {
      change: 'label',
      group: 'rest',
      within: hostile,
      cells: {
        subset_group_name: 'P1',
        patient_metadata_filter: true,
        patient_metadata: { 'Patient id': ['P1'] },
      },
    },
  });
  expect(more.status).toBe(200);
  const answer = await run({ ...defaultRequest, groupby: 'Mixed' });
  const mixed = answer.suggestions.find(({ group }) => group === 'B and T')!;
  expect([mixed.best!.type, mixed.conflict!.type].toSorted()).toEqual(['=B|calc', 'T']);
  expect(mixed.conflict!.best_cells + mixed.conflict!.these_cells).toBeGreaterThanOrEqual(160);
  expect(codesOf(answer)).toContain('two-types');
});

test('the active subset and cells of the request decide which cells count', async () => {
  await api.post('/api/filter-active-dataset', {
    subset_group_name: 'P1',
    patient_metadata_filter: true,
    patient_metadata: { 'Patient id': ['P1'] },
  });
  const part = await run();
  expect(part.suggestions.reduce((sum, { cells }) => sum + cells, 0)).toBe(80);
  expect(part.types_csv).toContain('active subset P1');
  expect(codesOf(part)).toContain('small-groups');
  const again = await run({ ...defaultRequest, cells: {} });
  expect(again.suggestions.reduce((sum, { cells }) => sum + cells, 0)).toBe(240);
});

test('a figure is drawn again from its source, and not of a set that was replaced', async () => {
  const { source, figure } = await run();
  const draw = (content: object) =>
    api.post('/api/render-figure', { source: { ...source, content }, format: 'json' });
  expect((await draw(source!.content)).body).toMatchObject(JSON.parse(JSON.stringify(figure)));
  const replaced = await draw({ ...source!.content, markers_version: 'before' });
  expect([replaced.status, replaced.body.code]).toEqual([409, 'markers_replaced']);
});

test('cautions say what is missing and what is left out', async () => {
  const answer = await run();
  expect(codesOf(answer)).toEqual(['markers-missing', 'relative-to-other-groups']);
  expect(answer.facts.map(({ code }) => code)).toEqual([
    'markers',
    'set',
    'in-dataset',
    'score',
    'agreement',
    'unclear',
    'groups',
    'suggestions-only',
  ]);
  const missing = answer.warnings.find(({ code }) => code === 'markers-missing')!;
  expect(missing.message).toContain('Types with fewer than 3 markers cannot be suggested: Gone.');
  expect(missing.numbers).toEqual({ markers: 36, missing: 4, typesLeftOut: 1 });
  const some = await run({ ...defaultRequest, groupby: 'some' });
  expect(some.warnings.find(({ code }) => code === 'groups-left-out')?.numbers).toMatchObject({
    groups: ['lone'],
  });
});

test('groups of few cells cannot be looked at, with the reason', async () => {
  const { status, body } = await api.post(path, { ...defaultRequest, min_cells: 100 });
  expect([status, body.code]).toEqual([422, 'not_enough_groups']);
  expect(body.message).toContain('no group of "cell_type" has 100 cells or more (too few: B cell (80), ');
});
