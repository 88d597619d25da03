import { ligandReceptor } from '@cellfolio/analyses';
import { type AnalysisAnswer, analysisCall } from '@cellfolio/contract';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type AnalysisDataset, hostile, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';

const id = 'analysis.h5ad';
const path = '/api/perform-ligand-receptor-analysis';
type Answer = AnalysisAnswer<typeof ligandReceptor>;
let server: SharedServer;
let dataset: AnalysisDataset;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    dataset = await writeAnalysisDataset(objectRoot, id);
  });
  api = apiClient(server, await server.signIn('standard'), 'ligand-receptor');
  await api.get(`/api/dataset_analysis/${id}`);
});
beforeEach(() => api.post('/api/filter-active-dataset', { subset_group_name: 'Default' }));

/** Markers of B cells are genes 1 to 10, of the hostile type 11 to 20, of T cells 21 to 30. */
const ownPairs = [
  'ligand,receptor',
  'GENE1,GENE21',
  'GENE2+GENE3,GENE22',
  'GENE61,GENE62',
  'GENE1,=cmd|calc',
  'GENE1,MISSING',
  'gene1,GENE21',
].join('\n');
const defaultRequest = { groupby: 'cell_type', own_pairs: ownPairs, permutations: 200, seed: 7 };

async function run(body: object = defaultRequest): Promise<Answer> {
  const { status, body: answer } = await api.post(path, body);
  expect([status, answer.message]).toEqual([200, undefined]);
  return analysisCall(ligandReceptor).answer.parse(answer);
}
const headOf = ({ interactions_csv: csv }: Answer) => csv!.split('\n').filter((line) => line.startsWith('#'));
const linesOf = ({ interactions_csv: csv }: Answer) =>
  csv!.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const codesOf = ({ warnings }: Answer) => warnings.map(({ code }) => code);

test('the table has every tested interaction, the surest first, with means over the cells of each group', async () => {
  const answer = await run();
  const [heading, ...rows] = linesOf(answer);
  expect(heading).toBe(
    'source,target,ligand_complex,receptor_complex,ligand_means,receptor_means,lr_means,cellphone_pvals,cellphone_pvals_adj,expr_prod,lr_logfc,min_logfc,magnitude_rank,specificity_rank,ligand_props,receptor_props,lrscore,scaled_weight,spec_weight,ligand,receptor',
  );
  expect(answer.pairs).toEqual({ listed: 5, in_dataset: 4, missing: 1, duplicates: 0 });
  expect(answer.tests).toMatchObject({ looked: 36, tested: rows.length });
  const ps = rows.filter((line) => line.startsWith('B cell')).map((line) => Number(line.split(',')[7]));
  expect(ps).toEqual(ps.toSorted((one, other) => one - other));
  const row = rows.find((line) => line.startsWith('B cell,T cell,GENE1,GENE21,'))!.split(',');
  const mean = (gene: number, from: number) =>
    dataset.expression[gene - 1]!.subarray(from, from + 80).reduce((sum, value) => sum + value, 0) / 80;
  expect(Number(row[4])).toBeCloseTo(mean(1, 0), 10);
  expect(Number(row[5])).toBeCloseTo(mean(21, 160), 10);
  expect(Number(row[6])).toBeCloseTo((mean(1, 0) + mean(21, 160)) / 2, 10);
  expect(Number(row[7])).toBe(0);
  // The complex is its subunit of the smaller mean.
  const complex = rows.find((line) => line.startsWith('B cell,T cell,GENE2+GENE3,GENE22,'))!.split(',');
  const weakerGene = mean(2, 0) < mean(3, 0) ? 2 : 3;
  expect([Number(complex[4]), complex[19]]).toEqual([
    expect.closeTo(mean(weakerGene, 0), 10),
    `GENE${weakerGene}`,
  ]);
});

test('the same seed gives the same p-values, another one others', async () => {
  const tails = async (body: object) => linesOf(await run(body)).map((line) => line.split(',')[7]);
  const first = await tails(defaultRequest);
  expect(await tails({ ...defaultRequest, pval: 0.01 })).toEqual(first);
  expect(await tails({ ...defaultRequest, seed: 8 })).not.toEqual(first);
});

test('only the chosen groups are tested, and groups of few cells are left out and reported', async () => {
  const two = await run({ ...defaultRequest, groups: ['B cell', 'T cell', 'gone'] });
  expect(two.groups).toEqual([
    { name: 'B cell', cells: 80 },
    { name: 'T cell', cells: 80 },
  ]);
  expect(two.warnings.find(({ code }) => code === 'groups-without-cells')?.numbers).toMatchObject({
    groups: ['gone'],
  });
  const some = await run({ ...defaultRequest, groupby: 'some' });
  expect(some.groups.map(({ name }) => name)).toEqual(['first', 'second']);
  expect(some.warnings.find(({ code }) => code === 'groups-left-out')?.numbers).toMatchObject({
    minimumCells: 10,
    groups: ['lone'],
  });
});

test('the active subset and cells of the request decide which cells count', async () => {
  await api.post('/api/filter-active-dataset', {
    subset_group_name: 'P1',
    patient_metadata_filter: true,
    patient_metadata: { patient: ['P1'] },
  });
  const part = await run();
  expect(part.groups.reduce((sum, { cells }) => sum + cells, 0)).toBe(80);
  expect(headOf(part)[0]).toContain('active subset P1');
  const again = await run({ ...defaultRequest, cells: {} });
  expect(again.groups.reduce((sum, { cells }) => sum + cells, 0)).toBe(240);
});

test('the file says what was tested, and hostile names stay text in it and in the figures', async () => {
  const answer = await run();
  const head = headOf(answer).join('\n');
  expect(head).toContain(`# Data: Analysis (${id}), version ${dataset.manifest.version}; all cells`);
  expect(head).toContain('200 permutations of the labels, seed 7');
  expect(head).toContain('# Set of pairs: own list; version');
  for (const { message } of answer.warnings) expect(answer.interactions_csv).toContain(message);
  expect(answer.interactions_csv).toContain(",'=cmd|calc,");
  for (const kind of ['ligand-receptor-dots', 'ligand-receptor-heatmap']) {
    const source = { ...answer.source, content: { ...answer.source!.content, kind } };
    const { body: svg, status } = await api.post('/api/render-figure', { source, format: 'svg' });
    expect(status).toBe(200);
    expect(Buffer.from(svg).toString()).not.toContain('<script>alert');
    expect(Buffer.from(svg).toString()).toContain('&lt;script&gt;');
  }
});

test('figures are drawn again from their source, also of interactions that are named', async () => {
  const { source, figure } = await run();
  const draw = (content: object) =>
    api.post('/api/render-figure', { source: { ...source, content }, format: 'json' });
  expect((await draw(source!.content)).body).toMatchObject(JSON.parse(JSON.stringify(figure)));
  const interactions = [{ source: 'T cell', target: hostile, ligand: 'GENE1', receptor: 'GENE21' }];
  const named = await draw({ ...source!.content, interactions });
  expect(named.body.columns).toEqual([`T cell → ${hostile}`]);
  const replaced = await draw({ ...source!.content, pairs_version: 'before' });
  expect([replaced.status, replaced.body.code]).toEqual([409, 'pairs_replaced']);
});

test('cautions count the tests, one-sided interactions and missing pairs, and give the limits of p', async () => {
  const answer = await run();
  expect(codesOf(answer)).toEqual(['one-sided-interactions']);
  expect(answer.facts.map(({ code }) => code)).toEqual([
    'pairs',
    'set',
    'left-out',
    'test',
    'ranks',
    'groups',
    'permuted-cells',
    'expression-is-no-contact',
    'multiple-testing',
    'pairs-left-out',
  ]);
  const testing = answer.facts.find(({ code }) => code === 'multiple-testing')!;
  expect(testing.message).toContain('The smallest p above 0 is 1/200');
  expect(testing.numbers).toMatchObject({ tests: answer.tests.tested, looked: 36, permutations: 200 });
  const oneSided = linesOf(answer)
    .slice(1)
    .map((line) => line.split(',').slice(-17).map(Number))
    .filter((row) => row[3]! < 0.05 && row[7]! <= 0);
  expect(answer.warnings.find(({ code }) => code === 'one-sided-interactions')?.numbers).toMatchObject({
    oneSided: oneSided.length,
  });
  const formed = 'The groups were formed from the same expression';
  const permuted = ({ facts }: Answer) => facts.find(({ code }) => code === 'permuted-cells')!.message;
  expect(permuted(answer)).toContain(formed);
  expect(permuted(await run({ ...defaultRequest, groupby: 'patient' }))).not.toContain(formed);
});

test('a list that cannot be read is named with its line', async () => {
  const { body } = await api.post(path, { ...defaultRequest, own_pairs: 'ligand,receptor\nGENE1,' });
  expect(body.message).toContain('line 2: the receptor is missing');
});

test('where nothing is expressed by enough cells there is a table without rows, and no figure', async () => {
  const answer = await run({ ...defaultRequest, min_share: 1 });
  expect(linesOf(answer)).toHaveLength(1);
  expect([answer.source, answer.dotplot_image, answer.tests.tested]).toEqual([null, '', 0]);
});
