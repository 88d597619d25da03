import { perturbations } from '@cellfolio/analyses';
import { type AnalysisAnswer, analysisCall } from '@cellfolio/contract';
import { parse } from 'csv-parse/sync';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { hostile } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { writeScreenDataset } from './testing/screen-dataset.ts';

const { path } = perturbations;
type Answer = AnalysisAnswer<typeof perturbations>;
let server: SharedServer;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    await writeScreenDataset(objectRoot, 'screen.h5ad');
    await writeScreenDataset(objectRoot, 'no-components.h5ad', { components: false });
    await writeScreenDataset(objectRoot, 'apart.h5ad', { apart: true });
  });
  api = apiClient(server, await server.signIn('professional'), 'perturbations');
});
beforeEach(() => open('screen.h5ad'));

const open = (id: string) => api.get(`/api/dataset_analysis/${id}`);
const usual = {};

async function run(body: object = {}): Promise<Answer> {
  const { status, body: answer } = await api.post(path, { ...usual, ...body });
  expect([status, answer.message]).toEqual([200, undefined]);
  return analysisCall(perturbations).answer.parse(answer);
}
const rowsOf = ({ perturbations_csv: csv }: Answer) => {
  const rows: Record<string, string>[] = parse(csv!, { columns: true, comment: '#', comment_no_infix: true });
  return new Map(rows.map((row) => [row['perturbation']!, row]));
};
const codesOf = ({ warnings }: Answer) => warnings.map(({ code }) => code);

test('perturbations with planted effects change more genes than controls, the others do not', async () => {
  const answer = await run();
  const rows = rowsOf(answer);
  expect(answer.parameters).toMatchObject({ groupby: 'perturbation', guides: 'guide_id' });
  expect(answer.controls).toMatchObject({ names: ['non-targeting'], cells: 240, recognized: true });
  expect(answer.perturbations).toMatchObject({ tested: 7, changing: 3, small: 1 });
  expect(answer.null).toMatchObject({ by: 'guides', parts: 4, cells: 50 });
  expect(answer.null.inflation).toBeGreaterThan(0.7);
  expect(answer.null.inflation).toBeLessThan(1.3);
  for (const name of ['GENE1', 'GENE2', 'GENE3'])
    expect(Number(rows.get(name)!['changed'])).toBeGreaterThan(8);
  for (const name of ['GENE4', 'GENE5', 'GENE150'])
    expect(Number(rows.get(name)!['changed'])).toBeLessThan(5);
  expect([...rows.keys()].slice(0, 3).toSorted()).toEqual(['GENE1', 'GENE2', 'GENE3']);
  expect(Number(rows.get('GENE3')!['up'])).toBeGreaterThanOrEqual(10);
  const { top_genes: top } = rows.get('GENE3')!;
  for (const gene of top!.split(';')) expect(gene).toMatch(/^GENE(5\d|6[01])$/);
});

test('targets are checked: lowered, not changed, expressed by too few, or not in the data', async () => {
  const rows = rowsOf(await run({ pvals_adj: 0.01 }));
  const check = (name: string) => rows.get(name)!['target_check'];
  expect(['GENE1', 'GENE4'].map(check)).toEqual(['as expected', 'as expected']);
  expect(check('GENE5')).toBe('not changed');
  expect(check('GENE150')).toBe('too low');
  expect([...rows.values()].find((row) => row['target'] === '')!['target_check']).toBe('not in the data');
  const { target_left: left, target_low: low, target_high: high } = rows.get('GENE4')!;
  expect(Number(low)).toBeLessThan(0.12);
  expect(Number(high)).toBeGreaterThan(0.08);
  expect(Number(left)).toBeLessThan(0.3);
  expect(codesOf(await run({ pvals_adj: 0.01 }))).toContain('targets-not-changed');
  const raised = rowsOf(await run({ expected: 'higher' }));
  expect(raised.get('GENE1')!['target_check']).toBe('opposite');
});

test('energy distances show the shifted perturbations, with p-values of permutations', async () => {
  const answer = await run({ permutations: 199 });
  const rows = rowsOf(answer);
  expect(answer.energy).toMatchObject({ dimensions: 5, differing: 3, smallest_p: 1 / 200 });
  expect(Number(rows.get('GENE1')!['energy_distance'])).toBeGreaterThan(4);
  expect(Number(rows.get('GENE1')!['energy_pvals'])).toBe(1 / 200);
  expect(Number(rows.get('GENE4')!['energy_pvals_adj'])).toBeGreaterThan(0.05);
  expect(rowsOf(await run({ permutations: 199 }))).toEqual(rows);
  expect(codesOf(await run({ permutations: 99, pvals_adj: 0.01 }))).toContain('too-few-permutations');
});

test('perturbations that raise the same genes are most similar, and their guides agree', async () => {
  const answer = await run();
  const rows = rowsOf(answer);
  expect([rows.get('GENE1')!['similar'], rows.get('GENE2')!['similar']]).toEqual(['GENE2', 'GENE1']);
  expect(Number(rows.get('GENE1')!['similarity'])).toBeGreaterThan(0.7);
  expect(rows.get('GENE1')!['guides']).toBe('2');
  expect(Number(rows.get('GENE1')!['guide_agreement'])).toBeGreaterThan(0.6);
  expect(answer.guides!.agreement).toBeGreaterThan(0.5);
});

test('without guides parts of the controls are random, and without components there are no distances', async () => {
  await open('no-components.h5ad');
  const answer = await run({ guides: 'perturbation' });
  expect(answer.null.by).toBe('chance');
  expect(answer.null.parts).toBeGreaterThanOrEqual(3);
  expect(answer.energy).toBeNull();
  expect(rowsOf(answer).get('GENE1')).not.toHaveProperty('energy_distance');
  expect(codesOf(answer)).toContain('cells-without-components');
});

test('guides are perturbations too, with all control guides as controls and their targets by name', async () => {
  const answer = await run({ groupby: 'guide_id', guides: 'guide_id' });
  expect(answer.controls).toMatchObject({ groups: 4, cells: 240 });
  expect(answer.null).toMatchObject({ by: 'guides', parts: 4 });
  expect(rowsOf(answer).get('GENE1_2')!['target']).toBe('GENE1');
});

test('batches without a control are reported', async () => {
  await open('apart.h5ad');
  const answer = await run({ batch: 'batch' });
  expect(answer.warnings.find(({ code }) => code === 'batches-without-controls')?.numbers).toEqual({
    cells: 60,
    column: 'batch',
  });
});

test('controls that are named take the place of those by name; too few are refused with examples of groups', async () => {
  const named = await run({ controls: ['GENE4', 'GENE5'] });
  expect(named.controls).toMatchObject({ names: ['GENE4', 'GENE5'], cells: 100, recognized: false });
  const { status, body } = await api.post(path, { ...usual, controls: ['gone'] });
  expect([status, body.code]).toEqual([422, 'no_controls']);
  expect(body.message).toContain('"GENE1"');
  const constant = await api.post(path, { groupby: 'constant' });
  expect([constant.status, constant.body.code]).toEqual([422, 'no_controls']);
});

test('hostile names are quoted in files', async () => {
  const { perturbations_csv: csv } = await run();
  const rows: string[][] = parse(csv!, { comment: '#', comment_no_infix: true });
  expect(rows.some(([name]) => name!.includes(hostile.slice(0, 5)))).toBe(true);
});
