import { composition as compositionDeclaration } from '@cellfolio/analyses';
import { type ComparisonAnswer, comparisonDesign, analysisCall, datasetAnalysis } from '@cellfolio/contract';
import { beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../../testing/shared-server.ts';
import { writeLanesDataset } from '../testing/lanes-dataset.ts';
import { comparisonAnswer } from '../testing/comparison-answer.ts';

const id = 'lanes.h5ad';
const path = '/api/perform-deg-analysis';
let server: SharedServer;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(({ objectRoot }) => writeLanesDataset(objectRoot, id));
  api = apiClient(server, await server.signIn('standard'), 'lanes');
  await api.get(`/api/dataset_analysis/${id}`);
});

const ofCondition = (value: string) => ({
  name: value,
  filter: {
    subset_group_name: 'Group',
    patient_metadata_filter: true,
    patient_metadata: { Condition: [value] },
  },
});
const sides = { a: ofCondition('c1'), b: ofCondition('c2') };

async function compare(body: object = {}): Promise<ComparisonAnswer> {
  const { status, body: answer } = await api.post(path, { ...sides, method: 'pseudobulk', ...body });
  expect([status, answer.message]).toEqual([200, undefined]);
  return comparisonAnswer.parse(answer);
}
const differing = ({ deg_csv: csv }: ComparisonAnswer) =>
  csv.split('\n').filter((line) => line.startsWith('GENE') && Number(line.split(',')[7]) < 0.05).length;
const cautionOf = ({ warnings }: Pick<ComparisonAnswer, 'warnings'>, code: string) =>
  warnings.find((caution) => caution.code === code);

const reason = '6 values, chosen because each of 24 values of Sample lies in one mouse';
const nesting = { samples: { column: 'sample', values: 24 }, units: [{ column: 'mouse', values: 6 }] };

test('mice that hold the known samples are the replicates, and none of their genes differ', async () => {
  const answer = await compare();
  expect(answer.samples).toEqual({ column: 'mouse', reason, nesting, a: 3, b: 3, both: 0 });
  expect(differing(answer)).toBe(0);
  expect(answer.deg_csv).toContain(`# Replicates: mouse (${reason}), 3 in A, 3 in B`);
  expect(cautionOf(answer, 'samples-nested')).toBeUndefined();
  const { body } = await api.get(`/api/dataset_analysis/${id}`);
  expect(datasetAnalysis.parse(body).samples).toEqual({ column: 'mouse', reason, nesting });
});

test('lanes are taken when a user chooses them, with the figure of what they share first', async () => {
  const answer = await compare({ samples: 'sample' });
  expect(answer.samples).toMatchObject({ column: 'sample', a: 12, b: 12 });
  expect(differing(answer)).toBeGreaterThan(20);
  const [first] = answer.warnings;
  expect(first).toMatchObject({
    code: 'samples-nested',
    numbers: { samples: 24, unitColumn: 'mouse', units: 6, samplesPerUnit: 4 },
  });
  const { correlation, effectiveSamples } = first!.numbers as Record<string, number>;
  expect(answer.pseudobulk!.parts[0]!.correlation).toBeCloseTo(correlation!, 4);
  expect(correlation).toBeGreaterThan(0.5);
  expect(effectiveSamples).toBeCloseTo(24 / (1 + 3 * correlation!), 1);
  expect(answer.deg_csv).toContain(first!.message);
});

test('a random effect of the mice leaves fewer genes of the lanes, and says that some may be false', async () => {
  const lanes = differing(await compare({ samples: 'sample' }));
  const answer = await compare({ samples: 'sample', random_effect: 'Mouse' });
  expect(answer.parameters.random_effect).toBe('mouse');
  expect(differing(answer)).toBeLessThan(lanes / 2);
  expect(cautionOf(answer, 'samples-nested')?.message).toContain(
    'in spite of the random effect of Mouse, 1 to 15',
  );
  expect(answer.deg_csv).toMatch(/samples of one value of mouse correlated \(duplicateCorrelation\)/);
  expect(answer.deg_csv).toMatch(/, correlation of samples of one unit 0\.\d{3}, /);
  const mice = await compare({ random_effect: 'mouse' });
  expect(mice.warnings[0]).toMatchObject({ code: 'random-effect-unused', numbers: { column: 'mouse' } });
});

test('the design reports the replicates before it runs', async () => {
  const design = async (body: object) => {
    const { body: answer } = await api.post('/api/deg-design', { ...sides, ...body });
    return comparisonDesign.parse(answer);
  };
  expect(await design({})).toMatchObject({ samples: { column: 'mouse', reason, nesting }, warnings: [] });
  const lanes = await design({ samples: 'sample', covariates: ['batch'] });
  expect(lanes.warnings.map(({ code }) => code)).toEqual(['samples-nested', 'numbers-as-categories']);
  expect(lanes.parts[0]).toMatchObject({
    columns: ['side', 'batch'],
    column_kinds: ['categories', 'categories'],
  });
});

test('compositions and ends of cells have the mice for replicates too', async () => {
  const composition = await api.post('/api/perform-composition-analysis', sides);
  expect(analysisCall(compositionDeclaration).answer.parse(composition.body)).toMatchObject({
    samples: { column: 'mouse', reason, a: 3, b: 3 },
    design: { column_kinds: ['categories'] },
  });
  const lanes = await api.post('/api/perform-composition-analysis', { ...sides, samples: 'sample' });
  expect(composition.body.composition_csv).toContain(`# Replicates: Mouse (${reason}): 3 in A, 3 in B`);
  expect(lanes.body.warnings[0].code).toBe('samples-nested');
  const ends = await api.post('/api/perform-decile-analysis', {
    by: { of: 'gene', gene: 'GENE1' },
    share: 25,
  });
  expect(ends.body.samples).toMatchObject({ column: 'mouse', reason, both: 6 });
});

test('batches 1, 2 and 3 are categories unless the request declares them numbers', async () => {
  const answer = await compare({ samples: 'sample', covariates: ['batch'] });
  expect(answer.pseudobulk!.parts[0]).toMatchObject({
    formula: '~ side + factor(batch)',
    coefficients: ['(Intercept)', 'sideA', 'batch2', 'batch3'],
    column_kinds: ['categories', 'categories'],
  });
  expect(cautionOf(answer, 'numbers-as-categories')).toMatchObject({
    message: expect.stringContaining('Batch (1, 2, 3)'),
    numbers: { columns: ['batch'], categories: [3] },
  });
  expect(answer.deg_csv).toContain('# Design: ~ side + factor(batch), ');
  const numericAnswer = await compare({
    samples: 'sample',
    covariates: ['batch'],
    numeric_covariates: ['Batch'],
  });
  expect(numericAnswer.pseudobulk!.parts[0]).toMatchObject({
    formula: '~ side + batch',
    coefficients: ['(Intercept)', 'sideA', 'batch'],
    column_kinds: ['categories', 'number'],
  });
  expect(cautionOf(numericAnswer, 'numbers-as-categories')).toBeUndefined();
});
