import { randomUUID } from 'node:crypto';
import { datasetAnalysis, datasetNotReady } from '@cellfolio/contract';
import { FileObjectStore, readManifest, removeDataset } from '@cellfolio/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { type ApiAnswer, apiClient } from '../../testing/running-server.ts';
import { type OwnersWorld, ownersPassword, prepareOwners } from '../../testing/own-files.ts';
import { startTestServer, type TestServer } from '../../testing/running-server.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';

type Client = ReturnType<typeof apiClient>;

let server: TestServer;
const files = {
  ada: '',
  bob: '',
  carol: '',
  old: '',
  doomed: '',
  rebuilt: '',
  table: '',
  fresh: '',
  broken: '',
  unreviewed: '',
};
const buildJob: string = randomUUID();
const failedJob: string = randomUUID();
const tokens = { ada: '', bob: '', carol: '', old: '' };
type Person = keyof typeof tokens;
const own = (file: keyof typeof files) => `custom:${files[file]}`;
const as = (person: Person, tab = 'tab') => apiClient(server, tokens[person], tab);
const open = (client: Client, id: string) => client.get(`/api/dataset_analysis/${encodeURIComponent(id)}`);

/** Ada and Bob have a file with the same content each; Carol has a trial, Old had one. */
async function prepare({ addUser, addFile, holdJobs, database }: OwnersWorld): Promise<void> {
  const ada = await addUser('ada', 'Professional');
  files.ada = await addFile(ada, 'same.h5ad');
  for (const name of ['doomed', 'rebuilt', 'fresh', 'broken', 'unreviewed'] as const) {
    files[name] = await addFile(ada, `${name}.h5ad`);
  }
  files.table = await addFile(ada, 'genes.tsv');
  files.bob = await addFile(await addUser('bob', 'Professional'), 'same.h5ad');
  files.carol = await addFile(await addUser('carol', undefined), 'kept.h5ad');
  files.old = await addFile(await addUser('old', undefined, 8), 'kept.h5ad');
  await holdJobs();
  const problem = JSON.stringify({ code: 'not_hdf5', message: 'This is a picture.' });
  await database.pool.query(
    `insert into cellfolio.jobs (id, owner_id, kind, file_ids, name) values ($1, $2, 'build', array[$3::uuid], 'fresh')`,
    [buildJob, ada, files.fresh],
  );
  await database.pool.query(
    `insert into cellfolio.custom_datasets (file_id, job_id, problem) values ($1, $2, $3), ($4, $5, null)`,
    [files.broken, failedJob, problem, files.fresh, buildJob],
  );
  await database.pool.query(`insert into cellfolio.custom_datasets (file_id, version) values ($1, 'v')`, [
    files.doomed,
  ]);
  await database.pool.query(
    `update cellfolio.file_reports set report = $2, problem = null where file_id = $1`,
    [files.unreviewed, JSON.stringify({ kind: 'h5ad', waitsFor: ['qualityControl'] })],
  );
}

async function signIn(person: Person): Promise<string> {
  const answer = await fetch(`${server.siteUrl}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: server.config.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${person}@example.org`, password: ownersPassword }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

const rest = (person: Person, path: string, init: RequestInit = {}) =>
  fetch(`${server.siteUrl}/rest/v1/${path}`, {
    ...init,
    headers: {
      apikey: server.config.publishableKey,
      authorization: `Bearer ${tokens[person]}`,
      'content-type': 'application/json',
    },
  });

/** The same person, authenticated only by a personal API key. */
async function byKey(person: Person): Promise<Client> {
  const response = await rest(person, 'rpc/create_api_key', {
    method: 'POST',
    body: JSON.stringify({ key_name: 'script' }),
  });
  const [{ key }] = (await response.json()) as [{ key: string }];
  const keyed = { ...server, headers: () => ({ 'x-api-key': key, 'x-session-id': 'script' }) };
  return apiClient(keyed as TestServer, '', '');
}

beforeAll(async () => {
  server = await startTestServer({ DEMO: 'false' }, async ({ dataDir, objectRoot }) => {
    await prepareOwners(dataDir, prepare);
    for (const name of ['ada', 'bob', 'rebuilt'] as const) await writeAnalysisDataset(objectRoot, own(name));
    for (const name of ['carol', 'old', 'doomed'] as const) await writeTinyDataset(objectRoot, own(name));
    await writeTinyDataset(objectRoot, 'public.h5ad');
  });
  for (const person of Object.keys(tokens) as Person[]) tokens[person] = await signIn(person);
});
afterAll(() => server?.close());

const content = { kind: 'gene-umap', gene: 'GENE1' } as const;
const source = (id: string) => ({ dataset_filename: id, content });
const calls: [path: string, body: unknown, status: number, code: string | undefined][] = [
  ['/api/plot-umap-with-genes', { genes: ['GENE1'], violin_plot: true }, 200, undefined],
  ['/api/plot-signature-enrichment', { genes: ['GENE1', 'GENE2'], score_name: 'S' }, 200, undefined],
  // The dataset has none of its genes.
  ['/api/plot-umap-with-cell-state', { cell_state: 'HYPOXIA' }, 422, 'no_genes_found'],
  ['/api/plot-isolated-cell-types', { cell_types: ['B cell'], leiden_clusters: ['0'] }, 200, undefined],
  [
    '/api/filter-active-dataset',
    { subset_group_name: 'B', cell_type_filter: true, cell_type: ['B cell'] },
    200,
    undefined,
  ],
  ['/api/perform-marker-analysis', { groupby: 'leiden', pvals_adj: 1, logfoldchanges: -100 }, 200, undefined],
  [
    '/api/perform-pathway-analysis',
    { pathway_genes: ['GENE1'], library_name: 'KEGG_2021_Human' },
    200,
    undefined,
  ],
];

async function askFor(client: Client, id: string): Promise<ApiAnswer[]> {
  return [
    await open(client, id),
    await client.get(`/api/datasets/${encodeURIComponent(id)}/umap.png`),
    await client.post('/api/render-figure', { source: source(id) }),
    await client.post('/api/render-figure', {
      source: { ...source(id), content: { kind: 'category-umap' } },
    }),
  ];
}

describe('the owner of a file', () => {
  test('opens its dataset, which says what the explorer shows of it', async () => {
    const { status, body } = await open(as('ada'), own('ada'));
    expect(status).toBe(200);
    expect(datasetAnalysis.parse(body)).toMatchObject({
      dataset_filename: own('ada'),
      cell_count: 240,
      gene_count: 100,
      umap_url: expect.stringContaining(`/api/datasets/${encodeURIComponent(own('ada'))}/umap.png?version=`),
    });
  });

  test.each(calls)('%s works on it as on any other', async (path, body, status, code) => {
    const answer = await as('ada').post(path, body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    for (const { source: figureSource } of answer.body.plots ?? []) {
      expect(figureSource.dataset_filename).toBe(own('ada'));
    }
  });

  test('has its figures as files, and its UMAP by its address, which no cache may keep for others', async () => {
    const [, umap, figure] = await askFor(as('ada'), own('ada'));
    expect([umap!.status, figure!.status]).toEqual([200, 200]);
    expect(umap!.headers.get('cache-control')).toBe('private, no-cache');
    const again = await fetch(`${server.siteUrl}/api/datasets/${encodeURIComponent(own('ada'))}/umap.png`, {
      headers: { ...server.headers(tokens.ada), 'if-none-match': umap!.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
  });

  test('opens it with a personal key alone', async () => {
    const script = await byKey('ada');
    expect((await askFor(script, own('ada'))).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await script.post('/api/plot-umap-with-genes', { genes: ['GENE1'] })).status).toBe(200);
  });

  test('explores it without the plan that uploading needs, but not when the trial has ended', async () => {
    expect((await open(as('carol'), own('carol'))).status).toBe(200);
    for (const { status, body } of await askFor(as('old'), own('old'))) {
      expect([status, body.code]).toEqual([403, 'trial_expired']);
    }
  });
});

describe('everybody else', () => {
  test('sees nothing of it on any call, and hears what they would hear if it were not there', async () => {
    // Drawn and cached for its owner.
    for (const { status } of await askFor(as('ada'), own('ada'))) expect(status).toBe(200);
    const nothing = `custom:${randomUUID()}`;
    for (const client of [as('bob', 'other'), await byKey('bob')]) {
      const [foreign, unknown] = [await askFor(client, own('ada')), await askFor(client, nothing)];
      const summaryOf = (answers: ApiAnswer[], id: string) =>
        answers.map(({ status, body }) => [status, body.code, body.message.replace(id, 'ID'), body.details]);
      expect(summaryOf(foreign, own('ada'))).toEqual(summaryOf(unknown, nothing));
      expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      for (const [path, body] of calls) {
        expect(await client.post(path, body)).toMatchObject({
          status: 400,
          body: { code: 'no_dataset_loaded' },
        });
      }
    }
  });

  test('a dataset of the same content and version opens nothing of another one', async () => {
    const [mine, theirs] = [await open(as('bob'), own('bob')), await open(as('ada'), own('ada'))];
    expect(mine.body.version).toBe(theirs.body.version);
    const { version } = mine.body;
    const render = (id: string) =>
      as('bob').post('/api/render-figure', { source: { ...source(id), version } });
    expect([(await render(own('bob'))).status, (await render(own('ada'))).status]).toEqual([200, 404]);
    expect((await open(as('bob'), own('ada'))).status).toBe(404);
    // Neither what they were refused is open then, nor what they had open before.
    expect(await as('bob').post('/api/plot-umap-with-genes', { genes: ['GENE1'] })).toMatchObject({
      status: 400,
      body: { code: 'no_dataset_loaded' },
    });
  });

  test('gets no numbers of it from an analysis of a figure, its owner does', async () => {
    const png = `data:image/png;base64,${Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).toString('base64')}`;
    const analyse = async (person: Person, body: object) => {
      const answer = await fetch(`${server.siteUrl}/functions/v1/analyze-image`, {
        method: 'POST',
        headers: {
          apikey: server.config.publishableKey,
          authorization: `Bearer ${tokens[person]}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ imageType: 'gene', title: 'GENE1', ...body }),
      });
      return { status: answer.status, text: await answer.text() };
    };
    const figure = { imageUrl: png, source: source(own('ada')) };
    const [mine, theirs] = [await analyse('ada', figure), await analyse('bob', figure)];
    expect([mine.status, theirs.status]).toEqual([200, 422]);
    expect(theirs.text).toContain('no_numbers');
    const path = `/api/datasets/${encodeURIComponent(own('ada'))}/umap.png`;
    for (const person of ['ada', 'bob'] as const) {
      const address = await analyse(person, { imageUrl: server.siteUrl + path });
      expect([address.status, address.text.includes('B cell')]).toEqual([400, false]);
    }
  });

  test('needs key and token where the picture of a public dataset needs none', async () => {
    const path = `/api/datasets/${encodeURIComponent(own('ada'))}/umap.png`;
    const ask = (headers: Record<string, string>) => fetch(server.siteUrl + path, { headers });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ 'x-api-key': server.config.apiKey })).status).toBe(401);
    const unknown = await fetch(`${server.siteUrl}/api/datasets/custom:${randomUUID()}/umap.png`);
    expect(unknown.status).toBe(401);
  });

  test('finds none of them in the catalogue, nor do their owners', async () => {
    for (const person of ['ada', 'bob'] as const) {
      const { body } = await as(person).get('/api/dataset_metadata');
      expect(JSON.stringify(body)).toContain('public.h5ad');
      expect(JSON.stringify(body)).not.toContain('custom');
    }
  });
});

test('malformed ids are not found, whatever they look like', async () => {
  const { ada } = files;
  const malformed = [
    'custom:',
    'custom:../x',
    `custom:../custom-datasets/${ada}`,
    `../custom-datasets/${ada}`,
    `custom-datasets/${ada}`,
    ada,
    `custom:${ada.toUpperCase()}`,
    `CUSTOM:${ada}`,
    `custom:custom:${ada}`,
    `custom: ${ada}`,
    `custom:${ada}\n`,
    `custom:${ada}\0`,
    `custom:${ada}/`,
    `custom:${ada}@1`,
    `custom:{${ada}}`,
    `custom:${ada.replaceAll('-', '')}`,
    `custom:${ada.replaceAll('-', '‐')}`,
    `custom:${[...ada].map((letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)).join('')}`,
    `custom:' or true --`,
    'custom:__proto__',
    `custom:${'0'.repeat(190)}`,
  ];
  for (const id of malformed) {
    for (const { status } of await askFor(as('ada'), id)) expect([id, status]).toEqual([id, 404]);
  }
  for (const { status } of await askFor(as('ada'), `custom:${'é'.repeat(5000)}`)) {
    expect([400, 404, 414, 431]).toContain(status);
  }
});

describe('a dataset that is not ready', () => {
  test.each([
    ['fresh', 'queued', buildJob],
    ['broken', 'failed', failedJob],
    ['table', 'failed', null],
    ['unreviewed', 'failed', null],
  ] as const)('of the file %s is reported to its owner alone', async (file, state, job) => {
    const { status, body } = await open(as('ada'), own(file));
    expect([status, body.code]).toEqual([409, 'dataset_not_ready']);
    expect(datasetNotReady.parse(body.details)).toMatchObject({ state, job_id: job });
    expect((await open(as('bob'), own(file))).status).toBe(404);
  });

  test('says why where there will be none', async () => {
    expect((await open(as('ada'), own('broken'))).body.message).toBe('This is a picture.');
    expect((await open(as('ada'), own('table'))).body.details.problem.code).toBe('not_a_dataset');
    expect((await open(as('ada'), own('unreviewed'))).body.details.problem.code).toBe('waits_for_owner');
  });
});

test('a tab that has it open is refused once it was rebuilt, and continues when it opens it again', async () => {
  const tab = as('ada', 'rebuilt');
  const before = await open(tab, own('rebuilt'));
  const plot = (gene: string) => tab.post('/api/plot-umap-with-genes', { genes: [gene] });
  expect((await plot('GENE1')).status).toBe(200);
  await removeDataset(server.settings.objectRoot, own('rebuilt'));
  await writeTinyDataset(server.settings.objectRoot, own('rebuilt'));
  await expect.poll(async () => (await plot('CD79A')).body.code).toBe('dataset_changed');
  const figure = { ...source(own('rebuilt')), version: before.body.version };
  expect(await tab.post('/api/render-figure', { source: figure })).toMatchObject({
    status: 409,
    body: { code: 'dataset_changed' },
  });
  const after = await open(tab, own('rebuilt'));
  expect(after.body).toMatchObject({ cell_count: 60 });
  expect((await plot('CD79A')).status).toBe(200);
});

test('a deleted file takes its dataset along, also where it was open', async () => {
  const tab = as('ada', 'doomed');
  await open(tab, own('doomed'));
  expect((await tab.post('/api/plot-umap-with-genes', { genes: ['CD79A'] })).status).toBe(200);
  const deleted = await rest('ada', `user_files?id=eq.${files.doomed}`, { method: 'DELETE' });
  expect(deleted.status).toBe(204);
  const plot = () => tab.post('/api/plot-umap-with-genes', { genes: ['CD79A'] });
  await expect.poll(async () => (await plot()).body.code).toBe('no_dataset_loaded');
  // An owner is believed for some seconds, where the process has not yet heard that the file is gone.
  const statuses = async () => (await askFor(tab, own('doomed'))).map(({ status }) => status);
  await expect.poll(statuses).toEqual([404, 404, 404, 404]);
  const objects = new FileObjectStore(server.settings.objectRoot);
  const left = () => readManifest(objects, own('doomed')).catch((error: Error) => error.name);
  await expect.poll(left).toBe('DatasetNotFound');
});

test('no user can claim the id of a deleted file', async () => {
  const id = (JSON.parse(atob(tokens.bob.split('.')[1]!)) as { sub: string }).sub;
  const row = { user_id: id, file_name: 'x', original_filename: 'x.h5ad', file_path: `${id}/2_x.h5ad` };
  const insert = (body: object) => rest('bob', 'user_files', { method: 'POST', body: JSON.stringify(body) });
  expect((await insert({ ...row, id: files.doomed })).status).toBe(403);
  expect((await insert(row)).status).toBe(201);
});
