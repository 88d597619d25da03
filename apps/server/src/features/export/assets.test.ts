import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importH5ad } from '@cellfolio/ingest';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { beforeAll, expect, test, vi } from 'vitest';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { catalogueOf, categorical, circle, writeTestDataset } from '../../testing/write-test-dataset.ts';

const slide = Uint8Array.from({ length: 5 * 2 ** 20 + 3 }, (_, at) => (at * 2_654_435_761) >>> 11);
const hostile = '<img src=x>"\r\nx: y\u202Egnp.svg';
const cellCount = 30;
let server: SharedServer;
let token: string;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  const cells = Int32Array.from({ length: cellCount }, (_, cell) => cell);
  server = await shareTestServer(({ objectRoot }) =>
    writeTestDataset(objectRoot, 'slides.h5ad', {
      cellCount,
      obs: new Map([['cell_type', categorical(['A', 'B'], cellCount, (cell) => cell % 2)]]),
      genes: [{ name: 'CD3D', cells, values: Float32Array.from(cells, (cell) => 1 + cell / 30) }],
      embeddings: [circle(cellCount)],
      assets: { 'slide.png': slide, [hostile]: Buffer.from('<script>1</script>') },
      catalogue: { name: 'Slides' },
      roles: { cellType: 'cell_type', embedding: 'X_umap', metadata: {} },
    }),
  );
  token = await server.signIn('standard');
  api = apiClient(server, token, 'assets');
});

const fetched = (name: string, headers: Record<string, string> = {}) =>
  fetch(`${server.siteUrl}/api/datasets/slides.h5ad/assets/${encodeURIComponent(name)}`, {
    headers: { ...server.headers(token, 'assets'), ...headers },
  });
const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

test('the files of a dataset are listed and downloaded, whole or by a range', async () => {
  const { body } = await api.get('/api/datasets/slides.h5ad/assets');
  expect(body.assets).toEqual([
    { name: hostile, size: 18 },
    { name: 'slide.png', size: slide.length },
  ]);
  const whole = await fetched('slide.png');
  expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(slide.length)]);
  expect(Buffer.compare(await bytesOf(whole), slide)).toBe(0);
  const part = await fetched('slide.png', { range: 'bytes=4194300-4194309' });
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes 4194300-4194309/${slide.length}`,
  ]);
  expect(Buffer.compare(await bytesOf(part), slide.subarray(4_194_300, 4_194_310))).toBe(0);
  const etag = whole.headers.get('etag')!;
  expect((await fetched('slide.png', { 'if-none-match': etag })).status).toBe(304);
  const resumed = await fetched('slide.png', { range: 'bytes=5-', 'if-range': '"another"' });
  expect(resumed.status).toBe(200);
  await resumed.body?.cancel();
});

test('HEAD answers the length of a file or range, and reads none of it', async () => {
  const reads = vi.spyOn(FileObjectStore.prototype, 'get');
  try {
    const url = `${server.siteUrl}/api/datasets/slides.h5ad/assets/slide.png`;
    const headers = server.headers(token, 'assets');
    const whole = await fetch(url, { method: 'HEAD', headers });
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(slide.length)]);
    const part = await fetch(url, { method: 'HEAD', headers: { ...headers, range: 'bytes=0-9' } });
    expect([part.status, part.headers.get('content-length')]).toEqual([206, '10']);
    // An answer that follows those that would have been read.
    await (await fetched('slide.png', { range: 'bytes=0-0' })).arrayBuffer();
    const chunks = reads.mock.calls.filter(([key]) => key.includes('slide.png/c/'));
    expect(chunks).toHaveLength(1);
  } finally {
    reads.mockRestore();
  }
});

test('a file of a hostile name is sent as a download that no browser opens as a page', async () => {
  const answer = await fetched(hostile);
  expect(await answer.text()).toBe('<script>1</script>');
  expect(answer.headers.get('content-type')).toBe('application/octet-stream');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-security-policy')).toContain('sandbox');
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+";/);
  expect(answer.headers.get('content-disposition')).not.toContain('%E2%80%AE');
  expect(answer.headers.get('x')).toBeNull();
});

test('a file that the dataset does not have is 404, and a range beyond its end 416', async () => {
  const absent = await fetched('other.png');
  expect([absent.status, await codeOf(absent)]).toEqual([404, 'asset_not_found']);
  const beyond = await fetched('slide.png', { range: 'bytes=99999999-' });
  expect([beyond.status, await codeOf(beyond)]).toEqual([416, 'range_not_satisfiable']);
  expect(beyond.headers.get('content-range')).toBe(`bytes */${slide.length}`);
});

test('an exported dataset, imported again, has the same files', async () => {
  await api.get('/api/dataset_analysis/slides.h5ad');
  await api.post('/api/filter-active-dataset', { subset_group_name: 'Default' });
  const contents = (await api.post('/api/export-dataset/contents', {})).body;
  expect(contents.contents.at(-1).text).toContain('2 files of the dataset');
  expect(contents.bytes).toBeGreaterThan(slide.length);
  const { status, body: file } = await api.post('/api/export-dataset', {});
  expect(status).toBe(200);
  const root = await mkdtemp(join(tmpdir(), 'assets-'));
  const path = join(root, 'file.h5ad');
  await writeFile(path, file);
  const catalogue = catalogueOf({ name: 'Again' });
  const { report } = await importH5ad({ path, root, id: 'again.h5ad', catalogue });
  expect(report.notKept.filter((part) => part.includes('assets'))).toEqual([]);
  const again = await openDataset(new FileObjectStore(root), 'again.h5ad');
  expect(again.assets.map(({ size }) => size).sort((a, b) => a - b)).toEqual([18, slide.length]);
  expect(Buffer.compare(await again.asset('slide.png'), slide)).toBe(0);
});
