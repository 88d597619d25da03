import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CarriedContent } from '@cellfolio/ingest/parts-of-h5ad';
import { isCategorical } from '@cellfolio/model';
import { type Dataset, FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importFile } from '../../../testing/import-file.ts';
import { apiClient } from '../../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../../testing/shared-server.ts';

/** Written by anndata with each kind of element. */
const fixture = join(
  import.meta.dirname,
  '../../../../../../packages/ingest/fixtures/carried/every-element.h5ad.gz',
);
const id = 'every.h5ad';
const subset = { subset_group_name: 'T cells', cell_type_filter: true, cell_type: ['T'] };
let server: SharedServer;
let api: ReturnType<typeof apiClient>;
let folder: string;
let original: Dataset;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'returned-'));
  server = await shareTestServer(async (settings) => {
    const path = join(folder, 'every.h5ad');
    await writeFile(path, gunzipSync(await readFile(fixture)));
    await importFile(settings, { path, id });
  });
  api = apiClient(server, await server.signIn('standard'), 'returned');
  await api.get(`/api/dataset_analysis/${id}`);
  original = await openDataset(new FileObjectStore(server.settings.objectRoot), id);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function exported(body: object = {}): Promise<Dataset> {
  await api.post('/api/filter-active-dataset', { subset_group_name: 'Default' });
  const answer = await api.post('/api/export-dataset', body);
  expect(answer.status).toBe(200);
  const root = await mkdtemp(join(folder, 'root-'));
  const path = join(root, 'file.h5ad');
  await writeFile(path, answer.body);
  await importFile({ ...server.settings, objectRoot: root }, { path, id });
  return openDataset(new FileObjectStore(root), id);
}

type Node = CarriedContent['elements'][number]['node'];
type ArrayNode = Extract<Node, { type: unknown }>;

const contentOf = async (dataset: Dataset) => (await dataset.carried!.description()) as CarriedContent;

const bytesAt = async (dataset: Dataset, from: number, length: number) =>
  length === 0 ? new Uint8Array(0) : dataset.carried!.bytes({ from, to: from + length });

/** Elements by their paths, without their places, and the hash of their values. */
async function elementsOf(dataset: Dataset): Promise<Map<string, unknown>> {
  const elements = new Map<string, unknown>();
  let at = 0;
  for (const { path, bytes, node } of (await contentOf(dataset)).elements) {
    const shape = JSON.stringify(node, (key, value: unknown) => (key === 'at' ? undefined : value));
    const hash = createHash('sha256').update(await bytesAt(dataset, at, bytes));
    elements.set(path, [shape, hash.digest('hex')]);
    at += bytes;
  }
  return elements;
}

async function nodeOf(dataset: Dataset, path: string): Promise<Node> {
  const element = (await contentOf(dataset)).elements.find((one) => one.path === path);
  if (!element) throw new Error(`there is no ${path}`);
  return element.node;
}

const types = {
  float32: Float32Array,
  float64: Float64Array,
  int32: Int32Array,
  int64: BigInt64Array,
} as const;

async function numbersOf(dataset: Dataset, node: Node): Promise<number[]> {
  const { type, shape = [], at } = node as ArrayNode;
  const Values = types[type as keyof typeof types];
  const length = shape.reduce((product, extent) => product * extent, Values.BYTES_PER_ELEMENT);
  const bytes = await bytesAt(dataset, at, length);
  return Array.from(new Values(bytes.slice().buffer), Number);
}

/** A sparse matrix as rows of numbers. */
async function rowsOf(dataset: Dataset, path: string, columns: number): Promise<number[][]> {
  const node = await nodeOf(dataset, path);
  if (!('members' in node)) {
    const all = await numbersOf(dataset, node);
    return Array.from({ length: all.length / columns }, (_, row) =>
      all.slice(row * columns, (row + 1) * columns),
    );
  }
  const parts = new Map(node.members);
  const [indptr, indices, data] = await Promise.all(
    ['indptr', 'indices', 'data'].map((name) => numbersOf(dataset, parts.get(name)!)),
  );
  const isRows = node.attributes['encoding-type'] === 'csr_matrix';
  const majors = indptr!.length - 1;
  const [rowCount, columnCount] = isRows ? [majors, columns] : [cellCountOf(dataset), majors];
  const rows = Array.from({ length: rowCount }, () => Array.from({ length: columnCount }, () => 0));
  for (let major = 0; major < majors; major++) {
    for (let entry = indptr![major]!; entry < indptr![major + 1]!; entry++) {
      const [row, column] = isRows ? [major, indices![entry]!] : [indices![entry]!, major];
      rows[row]![column] = data![entry]!;
    }
  }
  return rows;
}

const cellCountOf = ({ manifest }: Dataset) => manifest.cellCount;

async function chosenCells(): Promise<number[]> {
  const column = await original.obs('cell_type');
  if (!isCategorical(column)) throw new TypeError('cell types are categorical');
  const code = column.categories.indexOf('T');
  return Array.from(column.codes).flatMap((own, cell) => (own === code ? [cell] : []));
}

test('an export of all cells returns each element of the file under its name, as it was', async () => {
  const [was, is] = [await elementsOf(original), await elementsOf(await exported())];
  for (const path of [
    'obsp/distances',
    'varp/correlation',
    'varm/PCs',
    'layers/columns',
    'uns/rank_genes_groups',
  ])
    expect(was.has(path), path).toBe(true);
  // X of the export is the X of raw.
  expect(is.has('uns/cellfolio_file')).toBe(true);
  const others = [...was].filter(([path]) => !path.startsWith('raw/'));
  expect(others.map(([path]) => [path, is.get(path)])).toEqual(others);
});

test('an export of some cells cuts matrices of cells to them, and leaves those of genes whole', async () => {
  const [cells, cut] = [await chosenCells(), await exported({ cells: { subset } })];
  expect(cellCountOf(cut)).toBe(cells.length);
  const all = cellCountOf(original);
  const genes = original.manifest.geneCount;
  for (const path of ['obsp/distances', 'obsp/connectivities', 'obsp/dense']) {
    const was = await rowsOf(original, path, all);
    const expected = cells.map((cell) => cells.map((other) => was[cell]![other]!));
    expect(await rowsOf(cut, path, cells.length), path).toEqual(expected);
  }
  for (const path of ['layers/spliced', 'layers/dense', 'layers/columns']) {
    const was = await rowsOf(original, path, genes);
    expect(await rowsOf(cut, path, genes), path).toEqual(cells.map((cell) => was[cell]));
  }
  const [was, is] = [await elementsOf(original), await elementsOf(cut)];
  for (const path of ['varp/correlation', 'varm/PCs', 'varm/table', 'uns/rank_genes_groups', 'uns/spatial'])
    expect(is.get(path), path).toEqual(was.get(path));
});

test('what speaks of all cells is left out for some of them, and named in the file and before the download', async () => {
  const cut = await exported({ cells: { subset } });
  const paths = (await contentOf(cut)).elements.map(({ path }) => path);
  expect(paths).not.toContain('uns/linkage');
  expect(paths).not.toContain('uns/doublets');
  const record = (await contentOf(cut)).elements.find(({ path }) => path === 'uns/cellfolio')!;
  const text = Buffer.from(
    await cut.carried!.bytes({ from: 0, to: (await contentOf(cut)).bytes }),
  ).toString();
  expect(record.node).toMatchObject({ attributes: { 'encoding-type': 'dict' } });
  expect(text).toContain('uns/linkage: it speaks of all cells');
  const { body } = await api.post('/api/export-dataset/contents', { cells: { subset } });
  expect(body.left_out.join(' ')).toContain('uns/linkage (it speaks of all cells)');
});

test('before a download its elements are listed, with their bytes', async () => {
  const { body } = await api.post('/api/export-dataset/contents', {});
  const parts = new Map<string, string>(
    body.contents.map(({ part, text }: { part: string; text: string }) => [part, text]),
  );
  expect(parts.get('obsp')).toBe('connectivities, dense, distances, of the file');
  expect(parts.get('varm')).toContain('PCs');
  expect(parts.get('obsm')).toContain('scores');
  expect(parts.get('uns')).toContain('of the file: ');
  expect(body.left_out.join(' ')).not.toContain('loadings');
  const file = await api.post('/api/export-dataset', {});
  expect(Math.abs(file.body.length - body.bytes)).toBeLessThan(0.5 * file.body.length);
});

test('colours and order of the categories of the file are the defaults, and come back', async () => {
  const { body } = await api.get(`/api/datasets/${id}/category-displays/cell_type`);
  const shown = body.categories.map(({ name, colour }: { name: string; colour: string }) => [name, colour]);
  expect(shown).toEqual([
    ['B', '#1f77b4'],
    ['NK', '#ff7f0e'],
    ['T', '#2ca02c'],
  ]);
  const cut = await exported({ cells: { subset } });
  for (const dataset of [original, await exported(), cut]) {
    const [labels, grades] = [await dataset.obs('cell_type'), await dataset.obs('grade')];
    expect(labels).toMatchObject({ colours: ['#1f77b4', '#ff7f0e', '#2ca02c'] });
    expect(grades).toMatchObject({ ordered: true, categories: ['low', 'mid', 'high'] });
  }
});

test("a user's own colours are returned instead, and the file names them as an addition", async () => {
  const categories = [{ name: 'T', colour: '#010203' }, { name: 'B' }, { name: 'NK' }];
  const put = await api.send('PUT', `/api/datasets/${id}/category-displays/cell_type`, {
    revision: 0,
    categories,
  });
  expect(put.status).toBe(200);
  const dataset = await exported();
  expect(await dataset.obs('cell_type')).toMatchObject({ categories: ['T', 'B', 'NK'] });
  const column = await dataset.obs('cell_type');
  expect(isCategorical(column) && column.colours![0]).toBe('#010203');
  const text = Buffer.from(
    await dataset.carried!.bytes({ from: 0, to: (await contentOf(dataset)).bytes }),
  ).toString();
  expect(text).toContain('uns/cell_type_colors: colors shown here');
});
