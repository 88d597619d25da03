import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/running-server.ts';
import { hasEnded, ownDataClient } from './testing/own-data-client.ts';
import { labels, simulatedCounts, writeSmallFile } from './work/work.test-data.ts';

vi.setConfig({ testTimeout: 300_000 });

let server: TestServer;
let owner: ReturnType<typeof ownDataClient>;
let other: ReturnType<typeof ownDataClient>;
beforeAll(async () => {
  server = await startTestServer({}, async () => undefined);
  owner = ownDataClient(server, await server.signIn('professional'));
  other = ownDataClient(server, await server.signIn('standard'));
});
afterAll(() => server?.close());

const datasetPath = (fileId: string) => `/api/dataset_analysis/${encodeURIComponent(`custom:${fileId}`)}`;

async function smallFile(): Promise<Buffer<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'cellfolio-own-data-'));
  const path = join(folder, 'cells.h5ad');
  await writeSmallFile(path, {
    rows: simulatedCounts(60, 40),
    obs: new Map([['leiden', labels(Array.from({ length: 60 }, (_, cell) => `${cell % 3}`))]]),
    obsm: [{ name: 'X_umap', dimensions: 2, values: new Float32Array(120).map((_, at) => at) }],
  });
  const bytes = await readFile(path);
  await rm(folder, { recursive: true });
  return bytes;
}

test('an .h5ad that replaces what was none becomes a dataset of its owner alone, and goes with its file', async () => {
  const id = await owner.upload('picture.h5ad', '\x89PNG\r\n\x1a\n and more');
  const { problem } = await owner.file(id, (one) => one.problem !== null);
  expect(problem?.message).toContain('picture.h5ad');
  expect(problem?.message).not.toContain(server.settings.dataDir);
  const { body } = await owner.call('GET', datasetPath(id));
  expect(body).toMatchObject({ code: 'dataset_not_ready', details: { state: 'failed' } });

  const bytes = await smallFile();
  await owner.replace(1, 'picture.h5ad', bytes);
  const file = await owner.file(id, ({ dataset }) => dataset?.state === 'ready');
  const [row] = (await (await owner.rest('GET', `user_files?id=eq.${id}`)).json()) as { file_size: number }[];
  expect(row!.file_size).toBe(bytes.length);
  expect(file).toMatchObject({
    report: { kind: 'h5ad', cells: 60 },
    problem: null,
    dataset: { cells: 60, genes: 40, problem: null },
  });
  expect((await owner.call('GET', datasetPath(id))).status).toBe(200);
  const { jobs } = await owner.list();
  expect(jobs.map(({ kind, state, attempts }) => ({ kind, state, attempts }))).toEqual([
    { kind: 'build', state: 'done', attempts: 1 },
    { kind: 'inspect', state: 'done', attempts: 1 },
    { kind: 'inspect', state: 'failed', attempts: 1 },
  ]);

  expect((await other.call('GET', datasetPath(id))).status).toBe(404);
  expect((await other.call('GET', `/api/jobs/${jobs[0]!.id}`)).status).toBe(404);
  expect((await other.call('POST', `/api/jobs/${jobs[0]!.id}/cancel`)).status).toBe(404);
  expect((await other.call('POST', `/api/files/${id}/build`, {})).status).toBe(403);
  expect(await other.list()).toEqual({ files: [], jobs: [], quota_bytes: 0, most_files: 1000 });

  await owner.remove(id);
  await owner.until('the end of the dataset', async () =>
    (await owner.call('GET', datasetPath(id))).status === 404 ? true : undefined,
  );
  const folder = resolve(server.settings.dataDir, 'objects/custom-datasets', id);
  await owner.until('the end of its files', async () => (existsSync(folder) ? undefined : true));
  expect(await owner.list()).toMatchObject({ files: [], jobs: [] });
});

test('a matrix and its tables become an .h5ad among the files', async () => {
  const matrix = '%%MatrixMarket matrix coordinate integer general\n3 2 4\n1 1 5\n2 1 1\n3 2 2\n1 2 7\n';
  const ids = [
    await owner.upload('genes.tsv', 'ENSG1\tCD3E\nENSG2\tCD8A\nENSG3\tMS4A1\n'),
    await owner.upload('counts.mtx', matrix),
    await owner.upload('cells.tsv', 'AAA-1\nCCC-1\n'),
  ];
  const { status, body } = await owner.call('POST', '/api/convert', { file_ids: ids });
  expect([status, body.job.state]).toEqual([202, 'queued']);
  const job = await owner.job(body.job.id, hasEnded);
  expect(job).toMatchObject({ state: 'done', problem: null, name: 'counts.h5ad' });
  const file = await owner.file(job.result_file_id!, ({ report }) => report !== null);
  expect(file.report).toMatchObject({ kind: 'h5ad', cells: 2, genes: 3, hasCounts: true });
});

test('more rows than there is room for are refused in words, and none of them is written', async () => {
  // One file is there already.
  const rows = Array.from({ length: 1000 }, (_, at) => ({
    user_id: owner.userId,
    file_name: 'flood',
    original_filename: 'flood.tsv',
    file_path: `${owner.userId}/${at}_flood.tsv`,
  }));
  await expect(owner.rest('POST', 'user_files', rows)).rejects.toThrow(/409 .*room for 1,000 files/);
  const left = await (await owner.rest('GET', 'user_files?file_name=eq.flood&select=id')).json();
  expect(left).toEqual([]);
});
