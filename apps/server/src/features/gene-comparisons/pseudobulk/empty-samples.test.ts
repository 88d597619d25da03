import { type ComparisonAnswer } from '@cellfolio/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../../testing/shared-server.ts';
import { type DonorCell, writeDonorsDataset } from '../testing/donors-dataset.ts';
import { comparisonAnswer } from '../testing/comparison-answer.ts';

const isEmptied = ({ donor, condition, type }: DonorCell) =>
  type === 1 && ((donor === 2 && condition === 0) || donor === 5);
const datasets = {
  empty: { emptied: (cell: DonorCell) => (isEmptied(cell) ? 'no-counts' : undefined) },
  // Two steps: the filter drops the only gene that these samples have.
  filtered: { emptied: (cell: DonorCell) => (isEmptied(cell) ? 'one-gene' : undefined) },
  absent: { isAbsent: isEmptied },
} as const;
type Name = keyof typeof datasets;

let server: SharedServer;
const apis = new Map<string, ReturnType<typeof apiClient>>();

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    for (const [name, options] of Object.entries(datasets)) {
      await writeDonorsDataset(objectRoot, `${name}-samples.h5ad`, options);
    }
  });
  for (const name of Object.keys(datasets)) {
    const api = apiClient(server, await server.signIn('standard'), name);
    await api.get(`/api/dataset_analysis/${name}-samples.h5ad`);
    apis.set(name, api);
  }
});

const set = (metadata: Record<string, readonly string[]>) => ({
  name: Object.values(metadata).flat().join(' or '),
  filter: { subset_group_name: 'Group', patient_metadata_filter: true, patient_metadata: metadata },
});
const treated = {
  a: set({ condition: ['treated'] }),
  b: set({ condition: ['control'] }),
  within: 'cell_type',
};
const libraries = { ...treated, samples: 'library' };

async function post(name: Name, body: object, path = '/api/perform-deg-analysis') {
  return apis.get(name)!.post(path, body);
}
async function compare(name: Name, body: object): Promise<ComparisonAnswer> {
  const { status, body: answer } = await post(name, body);
  expect([status, answer.message]).toEqual([200, undefined]);
  return comparisonAnswer.parse(answer);
}
const linesOf = ({ deg_csv: csv }: ComparisonAnswer) =>
  csv.split('\n').filter((line) => !line.startsWith('#'));
const cautionOf = ({ warnings }: ComparisonAnswer) =>
  warnings.find(({ code }) => code === 'samples-without-counts');

describe.each<[string, Name, object]>([
  ['limma-voom of pairs', 'empty', { ...treated, method: 'pseudobulk' }],
  ['limma-voom of samples', 'empty', { ...libraries, method: 'pseudobulk', covariates: ['batch'] }],
  [
    'limma-voom of samples with counts in a gene that is not tested',
    'filtered',
    { ...libraries, method: 'pseudobulk' },
  ],
  ['an interaction', 'empty', { ...treated, method: 'pseudobulk', interaction: 'age_group' }],
  ['a quasi-likelihood test of pairs', 'empty', { ...treated, method: 'quasi-likelihood' }],
  ['a negative binomial test of pairs', 'empty', { ...treated, method: 'negative-binomial' }],
  ['a negative binomial test of samples', 'empty', { ...libraries, method: 'negative-binomial' }],
])('%s', (_what, name, body) => {
  test('has the numbers of a dataset without the cells of the samples that have no counts', async () => {
    const [actual, expected] = [await compare(name, body), await compare('absent', body)];
    expect(linesOf(actual)).toEqual(linesOf(expected));
    const partsOf = ({ pseudobulk }: ComparisonAnswer) =>
      pseudobulk!.parts.map(({ left_out: left, ...part }) => [
        part,
        left.filter(({ reason }) => reason !== 'no-counts'),
      ]);
    expect(partsOf(actual)).toEqual(partsOf(expected));
    expect(actual.test).toBe(expected.test);
    expect(cautionOf(expected)).toBeUndefined();
  });
});

test('samples without counts are named in the answer, the cautions and the file', async () => {
  const answer = await compare('empty', { ...libraries, method: 'pseudobulk' });
  const left = ['D3 control', 'D6 control', 'D6 treated'];
  const part = answer.pseudobulk!.parts.find(({ name }) => name === 'T cell');
  expect(part!.left_out.map(({ name, cells, reason }) => [name, cells, reason]).toSorted()).toEqual(
    left.map((name) => [name, 24, 'no-counts']),
  );
  const caution = cautionOf(answer)!;
  expect(caution.message).toMatch(
    /^Left out: samples without counts in the tested genes cannot be normalized: .*D3 control of B \(T cell, 24 cells, 0 counts in 1\d\d genes\)/,
  );
  expect(caution.numbers).toMatchObject({
    groups: ['T cell', 'T cell', 'T cell'],
    cells: [24, 24, 24],
    sampleCount: 3,
  });
  expect(answer.deg_csv).toContain(`# ${caution.message}\n`);
  expect(answer.deg_csv).toMatch(
    /^# T cell: .* 7 samples in A and 6 in B, .*; left out: .*D3 control of B \(24\)/m,
  );
  // The other types have counts in all samples.
  expect(answer.pseudobulk!.parts[0]!.left_out).toEqual([]);
});

test('the counts of a gene are those of the samples that are left', async () => {
  const { source } = await compare('empty', { ...libraries, method: 'pseudobulk' });
  const { status, body: figure } = await post(
    'empty',
    {
      source: {
        ...source,
        content: { ...source!.content, kind: 'sample-dots', gene: 'GENE1', part: 'T cell' },
      },
      format: 'json',
    },
    '/api/render-figure',
  );
  expect(status).toBe(200);
  const sampleLabels = figure.samples.map(({ label }: { label: string }) => label);
  expect(sampleLabels).toHaveLength(13);
  expect(sampleLabels.filter((label: string) => label.startsWith('D6') || label === 'D3 control')).toEqual(
    [],
  );
});

test('where too few samples have counts, the refusal names the others and what would do', async () => {
  const of = (...library: string[]) => set({ library, cell_type: ['T cell'] });
  const request = {
    a: of('D1 treated', 'D2 treated'),
    b: of('D3 control', 'D4 control'),
    samples: 'library',
  };
  for (const method of ['pseudobulk', 'negative-binomial']) {
    const { status, body } = await post('empty', { ...request, method });
    expect([status, body.code]).toEqual([422, 'no_replicates']);
    expect(body.message).toMatch(
      /: D3 control of B \(24 cells, 0 counts in 1\d\d genes\)\. A .* has 2 samples with/,
    );
    expect(body.message).toMatch(
      /, B .* has 1 sample\. .* Choose cells of more samples, or compare cells by/,
    );
  }
  const more = { ...request, b: of('D3 control', 'D4 control', 'D5 control'), method: 'pseudobulk' };
  expect((await compare('empty', more)).pseudobulk!.parts[0]!.samples).toHaveLength(4);
});

test('the minimum of cells that a refusal advises is one that samples have', async () => {
  const request = { ...libraries, within: undefined, method: 'pseudobulk' };
  const { status, body } = await post('empty', { ...request, min_sample_cells: 1000 });
  expect([status, body.code]).toEqual([422, 'empty_group']);
  const minimum = Number(/lower the minimum of cells per sample to (\d+),/.exec(body.message)![1]);
  const { pseudobulk } = await compare('empty', { ...request, min_sample_cells: minimum });
  expect(pseudobulk!.parts[0]!.samples.length).toBeGreaterThanOrEqual(4);
  expect((await post('empty', { ...request, min_sample_cells: minimum + 1 })).status).toBe(422);
});
