import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importH5ad } from '@cellfolio/ingest';
import { type Column, isCategorical, unpackStrings } from '@cellfolio/model';
import { type Dataset, FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importFile } from '../../../testing/import-file.ts';
import { apiClient } from '../../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../../testing/shared-server.ts';
import { categorical, circle, writeTestDataset } from '../../../testing/write-test-dataset.ts';

const id = 'made.h5ad';
const cellCount = 9000;
const types = ['=HYPERLINK("x")', '<img src=x onerror=alert(1)>', 'T/NK'];
const proteins = ['CD3', 'HLA-DR/DP', '<b>', 'IgG1_control'];
const proteinAt = (protein: number, cell: number) => Math.fround(Math.log1p(((cell * 3 + protein) % 17) / 4));
const genes = ['-1+2', 'CD3D', 'A/B', '<i>', 'NONE'];
/** Written by anndata, with raw. */
const fixture = join(import.meta.dirname, '../../../../../../packages/ingest/fixtures/scaled-with-raw.h5ad');
let server: SharedServer;
let token: string;
let api: ReturnType<typeof apiClient>;
let folder: string;
let original: Dataset;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-dataset-'));
  server = await shareTestServer(async (settings) => {
    await writeMade(settings.objectRoot);
    await importFile(settings, { path: fixture, id: 'fixture.h5ad' });
  });
  token = await server.signIn('standard');
  api = apiClient(server, token, 'export');
  await api.get(`/api/dataset_analysis/${id}`);
  original = await openDataset(new FileObjectStore(server.settings.objectRoot), id);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function writeMade(root: string): Promise<void> {
  const cells = Int32Array.from({ length: cellCount }, (_, cell) => cell);
  await writeTestDataset(root, id, {
    cellCount,
    obs: new Map<string, Column>([
      ['cell_type', categorical(types, cellCount, (cell) => (cell % 4) - 1)],
      [
        'sample/id',
        { kind: 'numeric', dtype: 'int64', values: Float64Array.from(cells, (cell) => 2 ** 33 + cell) },
      ],
      ['flag', { kind: 'boolean', values: Uint8Array.from(cells, (cell) => cell % 2) }],
    ]),
    genes: genes.map((name, gene) => {
      const own = name === 'NONE' ? new Int32Array() : cells.filter((cell) => (cell + gene) % 3 !== 0);
      return {
        name,
        cells: own,
        values: Float32Array.from(own, (cell) => Math.log1p(((cell * 7 + gene) % 11) + 1)),
        counts: Float32Array.from(own, (cell) => ((cell * 7 + gene) % 11) + 1),
      };
    }),
    embeddings: [circle(cellCount)],
    proteins: new Map(
      proteins.map((name, at) => [name, Float32Array.from(cells, (cell) => proteinAt(at, cell))]),
    ),
    catalogue: { name: 'Made <b>up</b>' },
    roles: { cellType: 'cell_type', embedding: 'X_umap', metadata: {} },
  });
}

const exported = (body: object = {}) => api.post('/api/export-dataset', body);
const everything = () => api.post('/api/filter-active-dataset', { subset_group_name: 'Default' });

async function imported(bytes: Uint8Array): Promise<Dataset> {
  const root = await mkdtemp(join(folder, 'root-'));
  const path = join(root, 'file.h5ad');
  await writeFile(path, bytes);
  const { catalogue } = original.manifest;
  await importH5ad({ path, root, id: 'again.h5ad', catalogue });
  return openDataset(new FileObjectStore(root), 'again.h5ad');
}

async function rowsOf(dataset: Dataset) {
  const { cellCount: to } = dataset.manifest;
  return dataset.cellRows(
    { from: 0, to },
    { columns: dataset.obsColumnNames, embeddings: dataset.embeddings.map(({ name }) => name) },
  );
}

async function proteinsOf(dataset: Dataset) {
  return Promise.all(dataset.proteins!.columns.map(({ column }) => dataset.obs(column)));
}

async function entriesOf(dataset: Dataset, path: 'X' | 'layers/counts') {
  const matrix = (await dataset.storedMatrix(path))!;
  const end = matrix.starts.at(-1)!;
  return {
    starts: matrix.starts,
    cells: await matrix.cells(0, end),
    values: [...(await matrix.values(0, end))],
  };
}

test('a dataset that is exported and imported again is the same dataset', async () => {
  await everything();
  const { status, headers, body } = await exported();
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toContain('filename="Made_b_up_b-all-cells.h5ad"');
  expect(Number(headers.get('content-length'))).toBe(body.length);
  const dataset = await imported(body);
  const [was, is] = [await rowsOf(original), await rowsOf(dataset)];
  expect(unpackStrings(is.names)).toEqual(unpackStrings(was.names));
  // A slash would be a group of HDF5.
  expect(dataset.obsColumnNames).toEqual(['cell_type', 'sample_id', 'flag']);
  expect(is.columns).toEqual(was.columns);
  expect(is.embeddings).toEqual(was.embeddings);
  expect(dataset.proteins).toMatchObject({
    scale: 'clr',
    columns: proteins.map((name) => ({ name })),
  });
  expect(await proteinsOf(dataset)).toEqual(await proteinsOf(original));
  expect(dataset.manifest.warnings.filter(({ code }) => code.includes('protein'))).toEqual([]);
  expect(dataset.genes.symbols).toEqual(original.genes.symbols);
  expect(dataset.manifest.expression).toMatchObject({ state: 'log-normalised', hasCounts: true });
  for (const path of ['X', 'layers/counts'] as const) {
    expect(await entriesOf(dataset, path)).toEqual(await entriesOf(original, path));
  }
});

test('a subset has its cells alone, with all categories, and says which it is', async () => {
  const cell_type = ['T/NK'];
  const filter = { subset_group_name: 'Mine', cell_type_filter: true, cell_type };
  const { body } = await exported({ cells: { subset: filter }, counts: false });
  const dataset = await imported(body);
  const chosen = Array.from({ length: cellCount }, (_, cell) => cell).filter((cell) => cell % 4 === 3);
  const rows = await rowsOf(dataset);
  expect(unpackStrings(rows.names)).toEqual(chosen.map((cell) => `cell-${cell}`));
  const wide = rows.columns[1] as { values: Float64Array };
  expect([...wide.values]).toEqual(chosen.map((cell) => 2 ** 33 + cell));
  const [cd3] = (await proteinsOf(dataset)) as { values: Float32Array }[];
  expect([...cd3!.values]).toEqual(chosen.map((cell) => proteinAt(0, cell)));
  const place = new Map(chosen.map((cell, row) => [cell, row]));
  for (let gene = 0; gene < genes.length; gene++) {
    const all = await original.gene(gene);
    const own = await dataset.gene(gene);
    const expectedValues = [...all.cells]
      .map((cell, at) => [place.get(cell), all.values[at]!])
      .filter(([row]) => row !== undefined);
    expect([...own.cells].map((cell, at) => [cell, own.values[at]!])).toEqual(expectedValues);
  }
  expect(rows.columns[0]).toMatchObject({ categories: types });
  const says = (text: string) => Buffer.from(body).includes(text);
  expect(says('2,250 of 9,000, the subset "Mine": Cell type is T/NK')).toBe(true);
  expect(says(`"dataset":${JSON.stringify(id)},"version":"${original.manifest.version}","title":`)).toBe(
    true,
  );
  expect(says('"cells":{"subset":{"subset_group_name":"Mine",')).toBe(true);
  expect(says('"call":"export-dataset","parameters":{"counts":false,"annotations":true}')).toBe(true);
  expect(dataset.manifest.expression.hasCounts).toBe(false);
});

test('annotations, their order and colours, and scores are in the file', async () => {
  await everything();
  const response = await api.post(`/api/datasets/${id}/annotations`, {
    name: 'my labels',
    from: 'cell_type',
  });
  expect(response.status).toBeLessThan(300);
  const display = {
    revision: 0,
    categories: [{ name: types[2], colour: '#010203' }, { name: types[0] }, { name: types[1] }],
  };
  const put = await api.send('PUT', `/api/datasets/${id}/category-displays/cell_type`, display);
  expect(put.status).toBe(200);
  const body = { signature: { genes: ['CD3D', 'A/B'], score_name: 'flag' } };
  const described = await api.post('/api/export-dataset/contents', body);
  expect(described.status).toBe(200);
  expect(described.body.contents.find(({ part }: { part: string }) => part === 'obs').text).toContain(
    '5 columns',
  );
  const file = await exported(body);
  expect(file.body.length).toBeLessThan(1.3 * described.body.bytes + 200_000);
  const dataset = await imported(file.body);
  expect(dataset.obsColumnNames).toEqual(['cell_type', 'sample_id', 'flag', 'my labels', 'flag (2)']);
  const [moved, , , mine, score] = (await rowsOf(dataset)).columns;
  const was = (await rowsOf(original)).columns[0]!;
  const labels = (column: Column | undefined) =>
    isCategorical(column) ? Array.from(column.codes, (code) => column.categories[code]) : [];
  expect(labels(moved)).toEqual(labels(was));
  expect(labels(mine)).toEqual(labels(was));
  expect(isCategorical(moved) && moved.categories).toEqual([types[2], types[0], types[1]]);
  expect(new Set((score as { values: Float64Array }).values).size).toBeGreaterThan(5);
  for (const text of ['cell_type_colors', 'my labels_colors', '#010203', 'Score "flag"']) {
    expect(Buffer.from(file.body).includes(text), text).toBe(true);
  }
  const without = await exported({ annotations: false });
  expect((await imported(without.body)).obsColumnNames).toEqual(['cell_type', 'sample_id', 'flag']);
});

async function brokenOff(bytes: number): Promise<Buffer> {
  const call = request(`${server.siteUrl}/api/export-dataset`, {
    method: 'POST',
    headers: { ...server.headers(token, 'export'), 'content-type': 'application/json' },
  });
  call.end('{}');
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  const received: Buffer[] = [];
  let length = 0;
  for await (const some of answer) {
    received.push(some as Buffer);
    length += (some as Buffer).length;
    // Ends the connection.
    if (length >= bytes) break;
  }
  return Buffer.concat(received);
}

test('a download that broke off goes on from any byte, and not with another file', async () => {
  await everything();
  const whole = await exported();
  const etag = whole.headers.get('etag')!;
  for (const from of [1, 47, 5000, 123_457, whole.body.length - 1, whole.body.length]) {
    const rest = await exported({ from, etag });
    expect([rest.status, Number(rest.headers.get('content-length'))]).toEqual([
      200,
      whole.body.length - from,
    ]);
    expect(Buffer.compare(rest.body, whole.body.subarray(from))).toBe(0);
  }
  const received = await brokenOff(whole.body.length / 3);
  expect(received.length).toBeLessThan(whole.body.length);
  const rest = await exported({ from: received.length, etag });
  expect(Buffer.concat([received, rest.body]).equals(whole.body)).toBe(true);
  const other = await exported({ from: 5, etag, counts: false });
  expect([other.status, other.body.code]).toEqual([412, 'export_changed']);
  const beyond = await exported({ from: whole.body.length + 1, etag });
  expect([beyond.status, beyond.body.code]).toEqual([416, 'export_too_short']);
  expect((await exported({ from: 5 })).status).toBe(400);
});

test('refusals hold no place, and a tab without a dataset has nothing to export', async () => {
  const other = apiClient(server, await server.signIn('standard'), 'empty');
  for (let i = 0; i < 5; i++) {
    const { status, body } = await other.post('/api/export-dataset', {});
    expect([status, body.code]).toEqual([400, 'no_dataset_loaded']);
  }
  expect((await exported({ signature: { genes: ['NOPE'] } })).body.code).toBe('no_genes_found');
  expect((await exported()).status).toBe(200);
});

test('a file of anndata comes back as it was imported', async () => {
  const other = apiClient(server, await server.signIn('standard'), 'fixture');
  await other.get('/api/dataset_analysis/fixture.h5ad');
  const { body } = await other.post('/api/export-dataset', {});
  const was = await openDataset(new FileObjectStore(server.settings.objectRoot), 'fixture.h5ad');
  const dataset = await imported(body);
  expect(dataset.obsColumnNames).toEqual(was.obsColumnNames);
  expect(await rowsOf(dataset)).toEqual(await rowsOf(was));
  expect(await dataset.geneTable()).toEqual(await was.geneTable());
  expect(await entriesOf(dataset, 'X')).toEqual(await entriesOf(was, 'X'));
  expect(dataset.manifest.roles).toEqual(was.manifest.roles);
});
