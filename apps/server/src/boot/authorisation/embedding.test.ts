import { apiHeaders } from '@cellfolio/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/running-server.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';
import { matrix } from './matrix.ts';

const id = 'tiny.h5ad';
/** The calls of an embedded map. */
const open = [
  'GET /api/datasets/:datasetFilename/terms',
  'GET /api/datasets/:datasetFilename/columns',
  'GET /api/datasets/:datasetFilename/columns/embedding/:name',
  'GET /api/datasets/:datasetFilename/columns/obs/:name',
  'GET /api/datasets/:datasetFilename/columns/gene/:name',
  'GET /api/datasets/:datasetFilename/columns/cell/:place',
  'POST /api/render-figure',
];
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(
    { DEMO: 'false', EMBED_ORIGINS: 'https://portal.example' },
    ({ objectRoot }) => writeTinyDataset(objectRoot, id),
  );
});
afterAll(() => server?.close());

/** Routes of `/api` that refuse callers with the key of the site alone. */
const closed = [...matrix].filter(
  ([route, { answers }]) => / \/api\//.test(route) && answers.split(' ')[2] === '401',
);

test('a visitor of an embedded dataset may make the calls of its maps, and no other that needs an account', async () => {
  const admitted: string[] = [];
  for (const [route, { path, body }] of closed) {
    const [method = '', pattern = ''] = route.split(' ');
    const { status } = await fetch(server.siteUrl + (path ?? pattern).replace('none.h5ad', id), {
      method,
      headers: {
        [apiHeaders.apiKey]: server.config.apiKey,
        [apiHeaders.demo]: id,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (status !== 401) admitted.push(route);
  }
  expect(admitted.toSorted()).toEqual(open.toSorted());
});
