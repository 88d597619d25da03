import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { printDatasets, removeFromCatalogue, verifyDatasets } from '../ops/datasets/stored-datasets.ts';
import type { Terminal } from '../ops/terminal.ts';
import { customDatasetId } from '@cellfolio/store';
import { prepareDemoCatalogue } from '../features/demo/prepare-demo-catalogue.ts';
import { demoRecipes } from '../features/demo/recipes.ts';
import { apiClient, startTestServer, type TestServer } from '../testing/running-server.ts';
import { ownersPassword, prepareOwners } from '../testing/own-files.ts';
import { writeTinyDataset } from '../testing/tiny-dataset.ts';

interface S3Server {
  configureBuckets(): Promise<unknown>;
  callback(): RequestListener;
}
const load = createRequire(import.meta.url);
const S3rver = load('@20minutes/s3rver') as new (options: Record<string, unknown>) => S3Server;

const recipe = { ...demoRecipes[0]!, id: 'imported.h5ad', cellCount: 400 };

let folder: string;
let bucket: Server;
let requests: string[] = [];
let away = false;
let own: string;
let server: TestServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-bucket-'));
  const s3 = new S3rver({
    directory: folder,
    silent: true,
    vhostBuckets: false,
    // It drops the slash after the bucket, which is signed, so that no listing would pass.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: 'cells', configs: [] }],
  });
  await s3.configureBuckets();
  const answer = s3.callback();
  bucket = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (away) request.socket.destroy();
    else answer(request, response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => bucket.once('listening', resolve));
  const endpoint = encodeURIComponent(`http://127.0.0.1:${(bucket.address() as AddressInfo).port}`);
  server = await startTestServer(
    { OBJECT_STORE_URL: `s3://S3RVER:S3RVER@127.0.0.1/cells/lab?endpoint=${endpoint}` },
    async ({ objects, dataDir }) => {
      await writeTinyDataset(objects, 'tiny.h5ad');
      // The row has no file.
      own = await prepareOwners(dataDir, async ({ addUser, addFile, holdJobs }) => {
        const fileId = await addFile(await addUser('ada', 'Professional'), 'mine.h5ad');
        await holdJobs();
        return customDatasetId(fileId);
      });
      await writeTinyDataset(objects, own);
      const tempDir = join(dataDir, 'simulated');
      await prepareDemoCatalogue({ root: objects, tempDir, recipes: [recipe] });
    },
  );
});
afterAll(async () => {
  await server?.close();
  bucket?.closeAllConnections();
  bucket?.close();
  await rm(folder, { recursive: true, force: true });
});

async function printed(command: (terminal: Terminal) => Promise<unknown>): Promise<unknown> {
  let output: unknown;
  const terminal: Terminal = {
    json: true,
    result: (value) => (output = value),
    progress: () => ({ update: () => {}, stop: () => {} }),
  };
  await command(terminal);
  return output;
}

afterEach(() => {
  away = false;
});

test('datasets in a bucket are served, and a gene is fetched once for all figures', async () => {
  const api = apiClient(server, await server.signIn('standard'), 'bucket');
  const { body: catalogue } = await api.get('/api/dataset_metadata');
  expect(JSON.stringify(catalogue)).toContain('imported.h5ad');
  const { status, body } = await api.get('/api/dataset_analysis/tiny.h5ad');
  expect([status, body.cell_count]).toEqual([200, 60]);
  const plot = async (gene: string, violin: boolean) => {
    requests = [];
    const response = await api.post('/api/plot-umap-with-genes', { genes: [gene], violin_plot: violin });
    expect(response.status).toBe(200);
    return requests.filter((call) => call.startsWith('GET') && call.includes('/X/')).length;
  };
  expect(await plot('CD79A', false)).toBeGreaterThan(0);
  // Another figure, perhaps in another thread, reads from the disk cache.
  expect(await plot('CD79A', true)).toBe(0);
  const { dataDir } = server.settings;
  expect((await readdir(join(dataDir, 'cache', 'objects'))).length).toBeGreaterThan(0);
  // The staging folder is empty.
  const staged = await readdir(join(dataDir, 'objects'), { recursive: true });
  expect(staged.filter((path) => path !== 'incoming')).toEqual([]);
});

test('while the bucket is unavailable, cached data is served and other calls get Retry-After', async () => {
  const api = apiClient(server, await server.signIn('standard'), 'away');
  const plot = (from: typeof api, gene: string) =>
    from.post('/api/plot-umap-with-genes', { genes: [gene], violin_plot: false });
  await api.get('/api/dataset_analysis/tiny.h5ad');
  expect((await plot(api, 'CD79A')).status).toBe(200);
  const other = apiClient(server, await server.signIn('standard'), 'away-too');
  await other.get('/api/dataset_analysis/imported.h5ad');
  away = true;
  bucket.closeAllConnections();
  // Longer than the list of datasets is cached.
  await new Promise((resolve) => setTimeout(resolve, 2100));
  // In the block of the gene before.
  expect((await plot(api, 'CST3')).status).toBe(200);
  const refused = await plot(other, 'EPCAM');
  expect([refused.status, refused.body.code]).toEqual([503, 'store_unavailable']);
  expect(refused.headers.get('retry-after')).toBe('30');
  expect(JSON.stringify(refused.body)).not.toMatch(/dataset-files|manifest|S3RVER|127\.0\.0\.1/);
  expect((await fetch(`${server.siteUrl}/readyz`)).status).toBe(503);
  expect((await fetch(`${server.siteUrl}/healthz`)).status).toBe(200);
  away = false;
  expect((await plot(other, 'EPCAM')).status).toBe(200);
});

test("a user's own dataset is unavailable, not deleted, until the bucket is back", async () => {
  const token = await server.signInAs('ada@example.org', ownersPassword);
  const api = apiClient(server, token, 'own');
  const path = `/api/dataset_analysis/${encodeURIComponent(own)}`;
  const plot = () => api.post('/api/plot-umap-with-genes', { genes: ['CD79A'], violin_plot: false });
  expect((await api.get(path)).status).toBe(200);
  away = true;
  bucket.closeAllConnections();
  // Longer than the manifest is cached.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const marker = { groupby: 'leiden' };
  for (const answer of [
    await api.get(path),
    await plot(),
    await api.post('/api/perform-marker-analysis', marker),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([503, 'store_unavailable']);
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(answer.body.message).toMatch(/Nothing is lost; try again/);
  }
  away = false;
  expect((await plot()).status).toBe(200);
  expect((await api.get(path)).status).toBe(200);
});

test('the commands list, check and remove the datasets of a bucket', async () => {
  const context = (terminal: Terminal) => ({
    settings: server.settings,
    terminal,
    signal: new AbortController().signal,
  });
  const ids = async () => {
    const output = (await printed((terminal) => printDatasets(context(terminal)))) as {
      datasets: { id: string }[];
    };
    return output.datasets.map(({ id }) => id);
  };
  expect(await ids()).toEqual(['imported.h5ad', 'tiny.h5ad']);
  expect(await printed((terminal) => verifyDatasets(undefined, context(terminal)))).toEqual({
    datasets: ['imported.h5ad', 'tiny.h5ad'].map((id) => ({ id, ok: true, problems: [] })),
  });
  await printed((terminal) => removeFromCatalogue('imported.h5ad', context(terminal)));
  expect(await ids()).toEqual(['tiny.h5ad']);
  const left = await readdir(folder, { recursive: true });
  expect(left.filter((path) => path.includes('imported.h5ad') && path.includes('_object'))).toEqual([]);
});
