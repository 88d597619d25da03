import { beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { writeDonorsDataset } from '../gene-comparisons/testing/donors-dataset.ts';
import { markersAnswer } from './testing/inline-analyses.ts';
import { comparisonAnswer } from '../gene-comparisons/testing/comparison-answer.ts';

const id = 'shallow.h5ad';
let server: SharedServer;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    await writeDonorsDataset(objectRoot, id, { depthOf: ({ condition }) => (condition === 0 ? 0.25 : 1) });
  });
  api = apiClient(server, await server.signIn('standard'), 'depth');
  await api.get(`/api/dataset_analysis/${id}`);
});

const headOf = (csv: string) => csv.split('\n').filter((line) => line.startsWith('#'));
const side = (name: string) => ({
  name,
  filter: {
    subset_group_name: name,
    patient_metadata_filter: true,
    patient_metadata: { condition: [name] },
  },
});

test('a comparison at equal depth says so in its test, its parameters and its file', async () => {
  const sides = { a: side('treated'), b: side('control') };
  const { body } = await api.post('/api/perform-deg-analysis', { ...sides, depth: 'downsample' });
  const answer = comparisonAnswer.parse(body);
  expect(answer.test).toBe(
    'Wilcoxon rank-sum test of cells, of raw counts thinned to equal depth, corrected for ties (genes with fewer than 10 expressing cells expected: Fisher’s exact test where its p is larger)',
  );
  expect(answer.parameters.depth).toBe('downsample');
  const head = headOf(answer.deg_csv);
  expect(head.join('\n')).toContain(answer.test);
  expect(head.find((line) => line.includes('Depth: '))).toMatch(
    /kept: A 2\d % of \d+; values ln\(1 \+ 10,000/,
  );
  expect(head.join('\n')).toContain('"depth":"downsample"');
  const plain = comparisonAnswer.parse((await api.post('/api/perform-deg-analysis', sides)).body);
  const caution = plain.warnings.find(({ code }) => code === 'counts-per-cell-differ')!;
  expect(headOf(plain.deg_csv).join('\n')).toContain(caution.message);
  expect(plain.deg_csv).not.toContain('Depth: ');
});

test('markers at equal depth say so in their parameters and their file', async () => {
  const request = { groupby: 'condition', depth: 'downsample' };
  const answer = markersAnswer.parse((await api.post('/api/perform-marker-analysis', request)).body);
  expect(answer.parameters.depth).toBe('downsample');
  const head = headOf(answer.marker_csv).join('\n');
  expect(head).toContain('of raw counts thinned to equal depth, corrected for ties');
  expect(head).toMatch(/Depth: .* kept: treated 2\d % of \d+; values/);
});
