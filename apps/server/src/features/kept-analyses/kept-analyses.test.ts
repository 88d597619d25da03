import { randomBytes } from 'node:crypto';
import { type KeptAnalysis, maxKeptAnalyses } from '@cellfolio/contract';
import { beforeAll, expect, test } from 'vitest';
import { writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';

const dataset = 'analysis.h5ad';
const ofDataset = `/api/datasets/${dataset}/kept-analyses`;
let server: SharedServer;
let ada: ReturnType<typeof apiClient>;
let eve: ReturnType<typeof apiClient>;
let ranAt = 1;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    await writeAnalysisDataset(objectRoot, dataset);
    await writeAnalysisDataset(objectRoot, 'other.h5ad');
  });
  ada = apiClient(server, await server.signIn('standard'), 'kept');
  eve = apiClient(server, await server.signIn('professional'), 'kept');
});

function analysis(groupby: string, change: object = {}) {
  const id = randomBytes(16).toString('hex');
  const request = { groupby };
  return {
    id,
    analysis: 'marker',
    ran_at: ranAt++,
    version: '1',
    subset: null,
    cells: 7,
    request,
    ...change,
  };
}
async function keep(groupby: string, api = ada, change: object = {}): Promise<KeptAnalysis[]> {
  const { status, body } = await api.post(ofDataset, analysis(groupby, change));
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.analyses;
}
const listOf = async (api: typeof ada): Promise<KeptAnalysis[]> => (await api.get(ofDataset)).body.analyses;

test('the newest twenty of a user and dataset are kept, each question once and with its name', async () => {
  for (let n = 0; n <= maxKeptAnalyses; n++) await keep(`column ${n}`);
  const analyses = await listOf(ada);
  expect(analyses).toHaveLength(maxKeptAnalyses);
  expect(analyses.map(({ request }) => request['groupby']).slice(0, 2)).toEqual(['column 20', 'column 19']);
  const named = await ada.send('PATCH', `/api/kept-analyses/${analyses.at(-1)!.id}`, { name: ' Treated ' });
  expect(named.body.analyses.at(-1)).toMatchObject({ name: 'Treated', request: { groupby: 'column 1' } });
  const again = await keep('column 1');
  expect(again).toHaveLength(maxKeptAnalyses);
  expect(again[0]).toMatchObject({ name: 'Treated', request: { groupby: 'column 1' } });
  expect(again.filter(({ request }) => request['groupby'] === 'column 1')).toHaveLength(1);
  const other = await ada.get('/api/datasets/other.h5ad/kept-analyses');
  expect(other.body).toEqual({ analyses: [] });
});

test('an analysis is seen, named and deleted by its user alone', async () => {
  const [mine] = await keep('of eve', eve);
  expect((await listOf(ada)).map(({ id }) => id)).not.toContain(mine!.id);
  const path = `/api/kept-analyses/${mine!.id}`;
  const notFound = { status: 404, body: { code: 'kept_analysis_not_found' } };
  expect(await ada.send('PATCH', path, { name: 'x' })).toMatchObject(notFound);
  expect(await ada.send('DELETE', path)).toMatchObject(notFound);
  // An id that another user chose is neither taken over nor seen.
  const taken = await ada.post(ofDataset, analysis('x', { id: mine!.id }));
  expect(taken).toMatchObject({ status: 409, body: { code: 'kept_analysis_changed' } });
  expect((await eve.send('DELETE', path)).body).toEqual({ analyses: [] });
});

test('the same question of other cells or another version is another analysis', async () => {
  const subset = { id: null, name: 'T', filter: { subset_group_name: 'T' } };
  await keep('same', eve);
  await keep('same', eve, { subset });
  const analyses = await keep('same', eve, { version: '2' });
  expect(analyses.map((one) => [one.version, one.subset?.name])).toEqual([
    ['2', undefined],
    ['1', 'T'],
    ['1', undefined],
  ]);
});

test.each([
  ['a request that is too long', { request: { genes: 'G'.repeat(300_001) } }, 'request'],
  ['an id that can be guessed', { id: '1' }, 'id'],
  ['a subset without a filter', { subset: { id: null, name: 'T' } }, 'subset.filter'],
])('%s is refused, in words', async (_what, change, field) => {
  expect(await ada.post(ofDataset, analysis('x', change))).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', details: [{ field }] },
  });
});
