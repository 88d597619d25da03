import { coExpression } from '@cellfolio/analyses';
import { type AnalysisAnswer, analysisCall } from '@cellfolio/contract';
import { parse } from 'csv-parse/sync';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { cellCount, hostileGenes, writeModulesDataset } from './testing/modules-dataset.ts';

const { path } = coExpression;
type Answer = AnalysisAnswer<typeof coExpression>;
let server: SharedServer;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    await writeModulesDataset(objectRoot, 'planted.h5ad', { planted: true });
    await writeModulesDataset(objectRoot, 'nothing.h5ad', { planted: false });
    await writeModulesDataset(objectRoot, 'confounded.h5ad', { planted: true, confounded: true });
    await writeModulesDataset(objectRoot, 'no-counts.h5ad', { planted: true, counts: false });
    await writeAnalysisDataset(objectRoot, 'no-components.h5ad');
  });
  api = apiClient(server, await server.signIn('professional'), 'co-expression');
});
beforeEach(() => open('planted.h5ad'));

const open = (id: string) => api.get(`/api/dataset_analysis/${id}`);

async function find(body: object = {}): Promise<Answer> {
  const { status, body: answer } = await api.post(path, body);
  expect([status, answer.message]).toEqual([200, undefined]);
  return analysisCall(coExpression).answer.parse(answer);
}
const rowsOf = ({ genes_csv: csv }: Answer): Record<string, string>[] =>
  parse(csv!, { columns: true, comment: '#', comment_no_infix: true });
const cautionOf = ({ warnings, facts }: Answer, code: string) =>
  [...warnings, ...facts].find((warning) => warning.code === code);
/** Planted module of a gene; −1 for none. */
const plantedOf = (gene: string) =>
  hostileGenes.includes(gene) ? 0 : gene.startsWith('MT-') ? 1 : 'ABC'.indexOf(gene.replace(/\d+$/, ''));

/** Adjusted Rand index (Hubert and Arabie): 1 for equal groups, 0 at chance. */
function adjustedRand(one: readonly number[], other: readonly number[]): number {
  const pairs = (labels: readonly (number | string)[]) => {
    const sizes = new Map<number | string, number>();
    for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1);
    return [...sizes.values()].reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);
  };
  const [ofOne, ofOther] = [pairs(one), pairs(other)];
  const expected = (ofOne * ofOther) / ((one.length * (one.length - 1)) / 2);
  return (
    (pairs(one.map((label, at) => `${label} ${other[at]}`)) - expected) / ((ofOne + ofOther) / 2 - expected)
  );
}

test('three planted modules are found, with their genes and no others', async () => {
  const answer = await find();
  expect(answer.modules).toHaveLength(3);
  const geneModules = answer.modules.flatMap(({ genes }, module) => genes.map((gene) => ({ gene, module })));
  const planted = geneModules.map(({ gene }) => plantedOf(gene));
  expect(planted.filter((module) => module < 0).length).toBeLessThanOrEqual(2);
  expect(geneModules.length).toBeGreaterThanOrEqual(57);
  expect(
    adjustedRand(
      planted,
      geneModules.map(({ module }) => module),
    ),
  ).toBeGreaterThan(0.95);
  expect(answer.parameters.model).toBe('danb');
  expect(answer.genes).toMatchObject({ tested: 300 });
  expect(answer.cells).toEqual({ analysed: cellCount, without_components: 0 });
  expect(cautionOf(answer, 'module-follows-depth')).toBeUndefined();
  expect(cautionOf(answer, 'module-follows-samples')).toBeUndefined();
  expect(cautionOf(answer, 'graph-of-same-data')?.numbers).toEqual({ tested: 300, cells: cellCount });
});

test('the table has every gene once, the highest Z first, with its module', async () => {
  const answer = await find();
  const rows = rowsOf(answer);
  expect(rows).toHaveLength(300);
  const z = rows.map((row) => Number(row['z']));
  expect(z).toEqual(z.toSorted((one, other) => other - one));
  const ofFirst = rows.filter((row) => row['group'] === 'Module 1');
  expect(ofFirst).toHaveLength(answer.modules[0]!.genes.length);
  expect(ofFirst.every((row) => Number(row['module_z']) > answer.threshold)).toBe(true);
  expect(rows.filter((row) => row['group'] !== '')).toHaveLength(answer.genes.paired);
  const [hub] = answer.modules[0]!.genes;
  const maximum = Math.max(...ofFirst.map((row) => Number(row['module_z'])));
  expect(Number(ofFirst.find((row) => row['names'] === hub)?.['module_z'] ?? maximum)).toBe(maximum);
});

test('nothing is found where counts are independent of the components', async () => {
  await open('nothing.h5ad');
  const answer = await find();
  expect(answer.modules).toEqual([]);
  expect(answer.genes.passing).toBeLessThanOrEqual(2);
  const { shuffled } = answer;
  expect(shuffled).toMatchObject({ genes: 200, shuffles: 5 });
  expect(shuffled!.deviation).toBeGreaterThan(0.8);
  expect(shuffled!.deviation).toBeLessThan(1.2);
  expect(shuffled!.below).toBeLessThan(0.08);
  expect(answer.genes_csv).toMatch(/^# Null: .* of 200 genes with values shuffled over the cells 5 times/m);
  expect(cautionOf(answer, 'p-values-too-small')).toBeUndefined();
  expect(answer.figure_image).not.toBe('');
});

test('modules of depth, of samples and of mitochondrial genes are named as such', async () => {
  await open('confounded.h5ad');
  const answer = await find();
  const moduleOf = (planted: number) =>
    answer.modules.find(
      ({ genes }) => genes.filter((gene) => plantedOf(gene) === planted).length > genes.length / 2,
    )!;
  expect(moduleOf(0).samples_share).toBeGreaterThan(0.3);
  expect(cautionOf(answer, 'module-follows-samples')?.message).toContain(moduleOf(0).name);
  expect(moduleOf(1).mitochondrial_share).toBe(1);
  expect(cautionOf(answer, 'mitochondrial-module')?.message).toContain(moduleOf(1).name);
  expect(moduleOf(2).depth_correlation).toBeGreaterThan(0.5);
  expect(cautionOf(answer, 'module-follows-depth')?.message).toContain(moduleOf(2).name);
});

test('without raw counts expression values are tested with a caution, and a request for counts is refused', async () => {
  await open('no-counts.h5ad');
  const answer = await find();
  expect(answer.parameters.model).toBe('normal');
  expect(answer.modules).toHaveLength(3);
  expect(cautionOf(answer, 'model-of-expression')).toBeDefined();
  expect(await api.post(path, { model: 'danb' })).toMatchObject({
    status: 422,
    body: { code: 'no_raw_counts' },
  });
});

test('genes beyond those that are paired are counted, and larger modules than there are found nowhere', async () => {
  const answer = await find({ max_genes: 30 });
  expect(answer.genes.paired).toBe(30);
  expect(cautionOf(answer, 'genes-not-paired')?.numbers).toMatchObject({ paired: 30 });
  expect((await find({ min_module_genes: 60 })).modules).toEqual([]);
});

test('only the active cells are analysed', async () => {
  await api.post('/api/filter-active-dataset', {
    subset_group_name: 'half',
    patient_metadata_filter: true,
    patient_metadata: { Cluster: ['first'] },
  });
  const answer = await find();
  expect(answer.cells.analysed).toBe(200);
  expect(cautionOf(answer, 'few-cells')?.numbers).toEqual({ cells: 200 });
  expect(answer.genes_csv).toContain('active subset half');
  expect((await find({ cells: {} })).cells.analysed).toBe(cellCount);
});

test.each([
  ['four neighbours', { n_neighbors: 4 }],
  ['more genes than are paired', { max_genes: 501 }],
  ['another model', { model: 'bernoulli' }],
])('%s are refused', async (_what, body) => {
  expect(await api.post(path, body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

test('a dataset without principal components is refused with what to do', async () => {
  await open('no-components.h5ad');
  const { status, body } = await api.post(path, {});
  expect([status, body.code]).toEqual([422, 'no_components']);
  expect(body.message).toContain('pp.pca');
});

test.each(['module-heatmap', 'gene-network'])(
  'a %s is drawn from its source alone, in each format, with its cautions',
  async (kind) => {
    const { source, warnings } = await find();
    const of = { source: { ...source, content: { ...source!.content, kind } } };
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

test('hostile names do not leave their cells in the table', async () => {
  const answer = await find();
  expect(answer.genes_csv).not.toMatch(/,=cmd/);
  expect(rowsOf(answer).some((row) => row['names'] === `'${hostileGenes[0]}`)).toBe(true);
});
