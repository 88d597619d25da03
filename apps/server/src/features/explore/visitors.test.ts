import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiHeaders } from '@cellfolio/contract';
import { openDatabase } from '@cellfolio/platform';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/running-server.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';

const demo = 'simulated.h5ad';
let server: TestServer;
let dataDir: string;
/** Rows of all tables after a start without any call. */
let uncalled: Record<string, string>;

const start = (prepare: Parameters<typeof startTestServer>[1] = async () => {}) =>
  startTestServer({ DATA_DIR: dataDir, DEMO: 'false', DEMO_DATASET: demo, TRUST_PROXY: 'true' }, prepare);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cellfolio-visitors-'));
  const first = await start(async ({ objectRoot }) => {
    await copyTestDatabase(dataDir);
    await writeTinyDataset(objectRoot, demo, { simulated: true });
    await writeTinyDataset(objectRoot, 'patients.h5ad');
  });
  await first.close();
  uncalled = await storedRows();
  server = await start();
});
afterAll(async () => {
  await server?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function storedRows(): Promise<Record<string, string>> {
  const database = await openDatabase({ dataDir });
  try {
    const { rows } = await database.pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    const entries: [string, string][] = [];
    for (const { name } of rows) {
      // oxlint-disable-next-line no-await-in-loop -- one connection
      const { rows: all } = await database.pool.query(
        `select to_jsonb(t)::text as row from ${name} t order by 1`,
      );
      entries.push([name, JSON.stringify(all)]);
    }
    return Object.fromEntries(entries);
  } finally {
    await database.close();
  }
}

interface Call {
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

async function visit(path: string, { body, headers }: Call = {}): Promise<Response> {
  return fetch(server.siteUrl + path, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      [apiHeaders.apiKey]: server.config.apiKey,
      [apiHeaders.demo]: demo,
      'x-forwarded-for': '192.0.2.1',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
}

const draw = (content: object, rest: object = {}, source: object = {}) =>
  visit('/api/render-figure', { body: { source: { dataset_filename: demo, content, ...source }, ...rest } });
const json = { format: 'json' };
const view = { width: 400, height: 300, theme: 'dark' };
const gene = 'CD79A';

test('a visitor opens the demo dataset, with what its maps, their legends, a gene search and a gene plot need', async () => {
  expect(server.config.demoDataset).toBe(demo);
  const opened = await visit(`/api/dataset_analysis/${demo}`);
  expect(await opened.json()).toMatchObject({
    cell_count: 60,
    cell_types: expect.arrayContaining(['B cell']),
  });
  const columns = `/api/datasets/${demo}/columns`;
  expect(await (await visit(columns)).json()).toMatchObject({ cell_count: 60 });
  for (const name of ['embedding/X_umap', 'obs/age_group', `gene/${gene}`, 'cell/3'])
    expect((await visit(`${columns}/${name}`)).status, name).toBe(200);
  const names = await visit(`/api/datasets/${demo}/gene-names`, { body: { names: [gene, 'NONE'] } });
  expect(await names.json()).toMatchObject({ genes: [{ symbol: gene }], missing: ['NONE'] });
  expect((await draw({ kind: 'category-umap' }, json)).status).toBe(200);
  expect((await draw({ kind: 'obs-umap', column: 'age_group' }, json)).status).toBe(200);
  expect((await draw({ kind: 'gene-umap', gene }, json)).status).toBe(200);
  const violin = await draw({ kind: 'gene-violin', gene });
  expect([violin.status, violin.headers.get('content-type')]).toEqual([200, 'image/png']);
  const inDark = await draw({ kind: 'gene-violin', gene }, { format: 'svg', view });
  expect([inDark.status, inDark.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
});

test.each([
  [
    'of another dataset, also when the header names it',
    `/api/dataset_analysis/patients.h5ad`,
    'patients.h5ad',
  ],
  ['of another dataset under the header of the demo', `/api/dataset_analysis/patients.h5ad`, demo],
  ['of a dataset of a user', `/api/dataset_analysis/custom:00000000-0000-4000-8000-000000000000`, demo],
  ['without the header', `/api/dataset_analysis/${demo}`, undefined],
])('a call %s needs an account', async (_, path, header) => {
  const headers = { [apiHeaders.apiKey]: server.config.apiKey, ...(header && { [apiHeaders.demo]: header }) };
  expect((await fetch(server.siteUrl + path, { headers })).status).toBe(401);
});

test('a call with a wrong key, or with a token that is no longer valid, does not count as a visitor’s', async () => {
  const path = `/api/dataset_analysis/${demo}`;
  expect((await visit(path, { headers: { [apiHeaders.apiKey]: 'wrong' } })).status).toBe(401);
  expect((await visit(path, { headers: { authorization: 'Bearer old' } })).status).toBe(401);
});

test('a visitor has no other figure, no part of the cells, and no file for print drawn', async () => {
  const umap = { kind: 'category-umap' };
  const cells = { subset_group_name: 'B', cell_type_filter: true, cell_type: ['B cell'] };
  const refused = await Promise.all([
    draw(umap),
    draw({ kind: 'gene-violin', gene }, { format: 'svg' }),
    draw({ kind: 'gene-violin', gene }, { format: 'png', view }),
    draw({ kind: 'gene-umap', gene }, { format: 'svg', view }),
    draw({ kind: 'score-umap', of: 'signature', score_name: 'x', genes: [gene] }, json),
    draw({ kind: 'highlight-umap', of: 'cell-type', cell_type: 'B cell' }, json),
    draw(umap, json, { subset: cells }),
    draw(umap, json, { dataset_filename: 'patients.h5ad' }),
    // A body that is parsed for users only.
    draw({ kind: 'gene-umap', gene: gene.padEnd(5000) }, json),
  ]);
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 401));
});

test('nothing that visitors have called has left a row', async () => {
  await visit(`/api/dataset_analysis/${demo}`, { headers: { [apiHeaders.session]: 'tab-1' } });
  await server.close();
  expect(await storedRows()).toEqual(uncalled);
});
