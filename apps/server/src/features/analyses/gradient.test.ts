import { gradient } from '@cellfolio/analyses';
import { type AnalysisAnswer, analysisCall } from '@cellfolio/contract';
import { parse } from 'csv-parse/sync';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { hostileGroup, writeBranchingDataset } from './testing/branching-dataset.ts';

const { path } = gradient;
type GradientAnswer = AnalysisAnswer<typeof gradient>;
const ofTime = { axis: { of: 'column', column: 'time' } };
let server: SharedServer;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    await writeBranchingDataset(objectRoot, 'fork.h5ad', { shape: 'fork' });
    await writeBranchingDataset(objectRoot, 'batches.h5ad', { shape: 'fork', batches: true });
    await writeAnalysisDataset(objectRoot, 'types.h5ad');
  });
  api = apiClient(server, await server.signIn('professional'), 'gradient');
});
beforeEach(() => open('fork.h5ad'));

const open = (id: string) => api.get(`/api/dataset_analysis/${id}`);

async function along(body: object): Promise<GradientAnswer> {
  const { status, body: answer } = await api.post(path, body);
  expect([status, answer.message]).toEqual([200, undefined]);
  return analysisCall(gradient).answer.parse(answer);
}
const rowsOf = ({ genes_csv: csv }: GradientAnswer): Record<string, string>[] =>
  parse(csv!, { columns: true, comment: '#', comment_no_infix: true });
const codesOf = ({ warnings, facts }: GradientAnswer) => [...warnings, ...facts].map(({ code }) => code);
const subset = (groups: string[]) =>
  api.post('/api/filter-active-dataset', {
    subset_group_name: 'arm',
    patient_metadata_filter: true,
    patient_metadata: { Cluster: groups },
  });

function following(answer: GradientAnswer) {
  const significant = rowsOf(answer).filter(
    (row) => row['pvals_adj'] !== '' && Number(row['pvals_adj']) < 0.05,
  );
  const names = (sign: number) =>
    significant.filter((row) => Number(row['rho']) * sign > 0).map((row) => row['names']!);
  return { rising: names(1), falling: names(-1) };
}

function expectFollowsTime(answer: GradientAnswer, axisGenes = 0): void {
  const { rising, falling } = following(answer);
  const right = [
    ...rising.filter((name) => name.startsWith('RISE')),
    ...falling.filter((name) => name.startsWith('FALL')),
  ];
  expect(right.length).toBeGreaterThanOrEqual(19 - axisGenes);
  expect(rising.length + falling.length - right.length).toBeLessThan(6);
  expect([answer.genes.rising, answer.genes.falling]).toEqual([rising.length, falling.length]);
}

test('genes along a column of numbers are found in each sample, and the samples agree', async () => {
  const answer = await along(ofTime);
  expectFollowsTime(answer);
  expect(answer.cells).toEqual({ analysed: 400, placed: 400, tested: 400 });
  expect(answer.samples?.tested.map(({ name }) => name)).toEqual(['P1', 'P2', 'P3']);
  const [first] = rowsOf(answer);
  expect(first).toMatchObject({ samples: '3', agreeing: '3' });
  expect(Math.abs(Number(first!['rho']) - Number(first!['rho_all_cells']))).toBeLessThan(0.05);
  expect(Number(first!['f_pvals_adj'])).toBeLessThan(1e-6);
  expect(answer.curve.replicates).toBe('samples');
  expect(answer.genes_csv).toMatch(/^# Tests: .*samples are the replicates.*squeezeVar/m);
  expect(codesOf(answer)).toContain('cells-as-replicates-in-samples');
  expect(codesOf(answer)).not.toContain('cells-as-replicates');
  expect(codesOf(answer)).not.toContain('axis-follows-counts');
  expect(answer.axis.least).toBeLessThan(answer.axis.greatest);
});

test('over all cells together a caution reports that cells count as replicates', async () => {
  const answer = await along({ ...ofTime, within_samples: false });
  expectFollowsTime(answer);
  expect(rowsOf(answer)[0]).not.toHaveProperty('samples');
  expect(codesOf(answer)).toContain('cells-as-replicates');
  expect(answer.samples).toMatchObject({ column: 'patient', tested: [] });
  expect(answer.curve).toMatchObject({ replicates: 'cells', left: 395 });
  expect(answer.test).toContain('each cell counts as a replicate');
});

test('the gene of an axis is not tested, and its cells without expression are counted', async () => {
  const answer = await along({ axis: { of: 'gene', gene: 'rise1' } });
  expect(answer.axis).toMatchObject({ name: 'the expression of RISE1', own_genes: ['RISE1'] });
  const rows = rowsOf(answer);
  expect(rows).toHaveLength(60);
  expect(rows.at(-1)).toMatchObject({ names: 'RISE1', rho: '', pvals: '', f: '' });
  expect(following(answer).rising.filter((name) => name.startsWith('RISE')).length).toBeGreaterThan(6);
  expect(answer.genes.tested).toBe(59);
  expect(answer.axis.commonest).toBe(0);
  expect(answer.genes_csv).toContain('# Not tested: the gene of the axis: RISE1\n');
});

test('the genes of a signature are not tested, and the answer names its control genes', async () => {
  const genes = ['RISE1', 'RISE2', 'RISE3'];
  const answer = await along({ axis: { of: 'signature', score_name: 'Late', genes: [...genes, 'NONE'] } });
  expect(answer.axis.own_genes).toEqual(genes);
  expect(answer.axis.name).toBe('the score of Late (3 of 4 genes)');
  expect(
    rowsOf(answer)
      .slice(-3)
      .map((row) => row['names']),
  ).toEqual(genes);
  expect(codesOf(answer)).toContain('score-has-control-genes');
  expect(following(answer).rising.filter((name) => name.startsWith('RISE'))).toHaveLength(7);
});

test('cells are projected on the line from the centre of a group to another, and on one of two points', async () => {
  const ofGroups = await along({ axis: { of: 'groups', groupby: 'stage', from: 'early', to: 'late a' } });
  expectFollowsTime(ofGroups);
  expect(codesOf(ofGroups)).toContain('axis-made-of-expression');
  const [from, to] = [ofGroups.axis.line!.from, ofGroups.axis.line!.to];
  const ofPoints = await along({ axis: { of: 'line', from, to, embedding: 'X_umap' } });
  expect(rowsOf(ofPoints)).toEqual(rowsOf(ofGroups));
  // The first axis of the map is ten times the time.
  const ofTimes = await along({ axis: { of: 'line', from: [0, 0], to: [10, 0] } });
  expectFollowsTime(ofTimes);
  expect(Math.abs(ofTimes.axis.greatest - 1)).toBeLessThan(0.15);
  const half = await along({ axis: { of: 'line', from: [0, 0], to: [5, 0] } });
  expect(codesOf(half)).toContain('cells-beyond-the-line');
});

test('pseudotime of a trajectory is an axis with what limits it', async () => {
  const answer = await along({
    axis: { of: 'pseudotime', groupby: 'stage', root: { by: 'group', group: 'early' } },
  });
  expectFollowsTime(answer);
  expect(codesOf(answer)).toEqual(
    expect.arrayContaining(['axis-made-of-expression', 'pseudotime-is-no-time']),
  );
  expect(answer.parameters.axis).toMatchObject({ n_neighbors: 15 });
});

test('an axis that follows samples and counts, or that samples have and not their cells, says so', async () => {
  await open('batches.h5ad');
  const codes = codesOf(await along(ofTime));
  expect(codes).toEqual(expect.arrayContaining(['axis-follows-samples', 'axis-follows-counts']));
  await open('fork.h5ad');
  const ofAge = await along({ axis: { of: 'column', column: 'age' } });
  expect(codesOf(ofAge)[0]).toBe('axis-of-samples');
  expect(codesOf(ofAge)).not.toContain('cells-as-replicates');
  expect(ofAge.samples?.tested).toEqual([]);
  expect(codesOf(ofAge)).toContain('fewer-degrees-of-freedom');
});

test('only the active cells are tested, and small samples are left out', async () => {
  await subset(['early']);
  const some = await along(ofTime);
  expect(some.cells.analysed).toBeLessThan(250);
  expect(some.genes_csv).toContain('active subset arm');
  expect((await along({ ...ofTime, cells: {} })).cells.analysed).toBe(400);
  const byStage = await along({ ...ofTime, samples: 'stage', cells: {} });
  expect(byStage.samples?.tested.map(({ name }) => name)).toEqual(['early', 'late a', hostileGroup]);
});

test.each([
  [
    'a signature of other genes',
    { of: 'signature', score_name: 'x', genes: ['NONE'] },
    422,
    'no_genes_found',
  ],
  ['an unknown cell state', { of: 'cell-state', cell_state: 'X' }, 400, 'unknown_cell_state'],
])('%s is refused', async (_what, axis, status, code) => {
  expect(await api.post(path, { axis })).toMatchObject({ status, body: { code } });
});

test('an axis on which all cells have one place is refused with what to do', async () => {
  await open('types.h5ad');
  const { status, body } = await api.post(path, { axis: { of: 'column', column: 'depth' } });
  expect([status, body.code]).toEqual([422, 'constant_axis']);
  expect(body.message).toContain('All 240 cells have the same place on Depth, 1');
});

test.each(['gradient-heatmap', 'gradient-curve', 'gradient-umap'])(
  'a %s is drawn from its source alone, in each format, with its cautions',
  async (kind) => {
    const { source, warnings } = await along(ofTime);
    const of = { source: { ...source, content: { ...source!.content, kind, genes: ['RISE1', 'OTHER21'] } } };
    const { status, body: spec } = await api.post('/api/render-figure', { ...of, format: 'json' });
    expect([status, spec.kind]).toEqual([200, kind]);
    expect(spec.cautions ?? []).toEqual(warnings);
    for (const format of ['png', 'png-300dpi', 'svg']) {
      const { status: renderStatus } = await api.post('/api/render-figure', { ...of, format });
      expect([format, renderStatus]).toEqual([format, 200]);
    }
    const view = { width: 500, height: 400, theme: 'dark' };
    expect((await api.post('/api/render-figure', { ...of, format: 'svg', view })).status).toBe(200);
  },
);
