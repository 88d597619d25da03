import { trajectory } from '@cellfolio/analyses';
import { genesAlongAxis, axisOrder } from '@cellfolio/analysis';
import { type AnalysisAnswer, analysisCall } from '@cellfolio/contract';
import { parse } from 'csv-parse/sync';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { hostileGroup, type SimulatedPath, writeBranchingDataset } from './testing/branching-dataset.ts';

const { path } = trajectory;
type TrajectoryAnswer = AnalysisAnswer<typeof trajectory>;
const groupby = 'stage';
let server: SharedServer;
let fork: SimulatedPath;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    fork = await writeBranchingDataset(objectRoot, 'fork.h5ad', { shape: 'fork' });
    await writeBranchingDataset(objectRoot, 'batches.h5ad', { shape: 'fork', batches: true });
    await writeBranchingDataset(objectRoot, 'island.h5ad', { shape: 'fork and island' });
    await writeBranchingDataset(objectRoot, 'cloud.h5ad', { shape: 'cloud' });
    await writeAnalysisDataset(objectRoot, 'no-components.h5ad');
  });
  api = apiClient(server, await server.signIn('professional'), 'trajectory');
});
beforeEach(() => open('fork.h5ad'));

const open = (id: string) => api.get(`/api/dataset_analysis/${id}`);

async function order(body: object): Promise<TrajectoryAnswer> {
  const { status, body: answer } = await api.post(path, body);
  expect([status, answer.message]).toEqual([200, undefined]);
  return analysisCall(trajectory).answer.parse(answer);
}
const rowsOf = (csv: string): Record<string, string>[] =>
  parse(csv, { columns: true, comment: '#', comment_no_infix: true });
const timesOf = ({ cells_csv: csv }: TrajectoryAnswer) =>
  new Map(rowsOf(csv!).map((row) => [row['barcode']!, row['pseudotime']!]));
const codesOf = ({ warnings, facts }: TrajectoryAnswer) => [...warnings, ...facts].map(({ code }) => code);
const youngest = () => fork.time.indexOf(Math.min(...fork.time));

function spearman(one: readonly number[], other: readonly number[]): number {
  const values = Float32Array.from(one);
  const block = {
    cellCount: values.length,
    firstGene: 0,
    starts: Float64Array.of(0, values.length),
    cells: Int32Array.from(values.keys()),
    values,
  };
  return genesAlongAxis(block, axisOrder(Float64Array.from(other), 1)).rho[0]!;
}

test('pseudotime from the youngest cell of a fork follows the true time, and each cell is in the file', async () => {
  const answer = await order({ groupby, root: { by: 'cell', barcode: `cell-${youngest()}` } });
  const times = timesOf(answer);
  expect(times.size).toBe(400);
  const pseudotime = Array.from(fork.time, (_, cell) => Number(times.get(`cell-${cell}`)));
  expect(Math.min(...pseudotime)).toBe(0);
  expect(Math.max(...pseudotime)).toBe(1);
  expect(spearman(pseudotime, [...fork.time])).toBeGreaterThan(0.95);
  expect(answer).toMatchObject({
    root: { barcode: `cell-${youngest()}`, group: 'early', how: 'the cell that was chosen' },
    cells: { analysed: 400, reached: 400, without_components: 0, parts: 1 },
  });
  for (const code of [
    'no-path-in-data',
    'disconnected-graph',
    'order-follows-samples',
    'root-in-the-middle',
  ]) {
    expect(codesOf(answer)).not.toContain(code);
  }
  expect(codesOf(answer)).toContain('order-tested-on-own-data');
});

test('genes that rise and fall with time are distinguished from those that do neither', async () => {
  const answer = await order({ groupby, root: { by: 'group', group: 'early' } });
  const rows = rowsOf(answer.genes_csv!);
  expect(rows).toHaveLength(60);
  const names = rows.slice(0, 20).map((row) => row['names']!);
  expect(names.filter((name) => /^(?:RISE|FALL)/.test(name))).toHaveLength(20);
  for (const row of rows.slice(0, 20)) {
    const isRising = row['names']!.startsWith('RISE');
    expect(Number(row['rho']) > 0).toBe(isRising);
    expect(Number(row['peak']) > 0.5).toBe(isRising);
  }
  expect(answer.genes.tested).toBe(60);
  expect([answer.genes.rising, answer.genes.falling].every((count) => count >= 10 && count < 14)).toBe(true);
});

test('the fork joins its early group with both late ones, and these hardly with each other', async () => {
  const { connectivities, groups } = await order({ groupby });
  expect(groups.map(({ name }) => name)).toEqual(['early', 'late a', hostileGroup]);
  const tree = connectivities.filter((edge) => edge.in_tree).map((edge) => edge.groups);
  expect(new Set(tree.map((pair) => pair.join('|')))).toEqual(
    new Set([`early|late a`, `early|${hostileGroup}`]),
  );
  const late = connectivities.find((edge) => !edge.groups.includes('early'));
  expect(late?.connectivity ?? 0).toBeLessThan(
    Math.min(...connectivities.filter((edge) => edge.in_tree).map((edge) => edge.connectivity)),
  );
});

test('the tip of the early group is an early cell, and a suggested root says that it is one', async () => {
  const ofGroup = await order({ groupby, root: { by: 'group', group: 'early' } });
  expect(fork.time[Number(ofGroup.root.barcode.slice(5))]).toBeLessThan(0.15);
  expect(ofGroup.root.tip_share).toBeGreaterThan(0.9);
  const suggested = await order({ groupby });
  expect(codesOf(suggested)).toContain('root-suggested');
  const middle = fork.time.findIndex((time) => Math.abs(time - 0.35) < 0.02);
  const inside = await order({ groupby, root: { by: 'cell', barcode: `cell-${middle}` } });
  expect(codesOf(inside)).toContain('root-in-the-middle');
});

test('cells that the root is not connected with have an infinite pseudotime, and are counted', async () => {
  await open('island.h5ad');
  const answer = await order({ groupby, root: { by: 'cell', barcode: 'cell-0' } });
  expect(answer.cells).toMatchObject({ analysed: 400, reached: 340, parts: 2 });
  const times = timesOf(answer);
  expect([times.get('cell-399'), times.get('cell-340')]).toEqual(['inf', 'inf']);
  expect(answer.warnings.find(({ code }) => code === 'disconnected-graph')?.numbers).toMatchObject({
    parts: 2,
    unreached: 60,
  });
});

test('a caution reports data that show no path, and names samples that follow the order', async () => {
  await open('cloud.h5ad');
  expect(codesOf(await order({ groupby }))[0]).toBe('no-path-in-data');
  await open('batches.h5ad');
  const driven = await order({ groupby, root: { by: 'group', group: 'early' } });
  const caution = driven.warnings.find(({ code }) => code === 'order-follows-samples');
  expect(Number(caution?.numbers?.['samplesShare'])).toBeGreaterThan(0.6);
  await api.post('/api/filter-active-dataset', {
    subset_group_name: 'one group',
    patient_metadata_filter: true,
    patient_metadata: { Cluster: ['early'] },
  });
  // One group explains nothing, which is no number.
  expect(codesOf(await order({ groupby }))).toContain('order-follows-samples');
});

test('only the active cells are ordered', async () => {
  await api.post('/api/filter-active-dataset', {
    subset_group_name: 'arm',
    patient_metadata_filter: true,
    patient_metadata: { Cluster: ['early', 'late a'] },
  });
  const { body } = await api.post(path, { groupby });
  const all = await order({ groupby, cells: {} });
  expect(body.cells.analysed).toBeLessThan(350);
  expect(body.groups).toHaveLength(2);
  expect(body.genes_csv).toContain('active subset arm');
  expect(all.cells.analysed).toBe(400);
});

test('a dataset without principal components is refused with what to do', async () => {
  await open('no-components.h5ad');
  const { status, body } = await api.post(path, { groupby: 'cell_type' });
  expect([status, body.code]).toEqual([422, 'no_components']);
  expect(body.message).toContain('pp.pca');
});

test.each(['pseudotime-umap', 'paga-graph', 'pseudotime-heatmap', 'pseudotime-curve'])(
  'a %s is drawn from its source alone, in each format, with its cautions',
  async (kind) => {
    const { source, warnings } = await order({ groupby, root: { by: 'group', group: 'early' } });
    const content = { ...source!.content, kind, genes: ['RISE1', 'OTHER21'] };
    const of = { source: { ...source, content } };
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

test('hostile names do not leave their cells in the files', async () => {
  const { cells_csv: csv } = await order({ groupby });
  expect(csv).not.toMatch(/,=late/);
  expect(rowsOf(csv!).some((row) => row['stage'] === `'${hostileGroup}`)).toBe(true);
});
