import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evenStarts } from '@cellfolio/analysis';
import { FileObjectStore, readManifest, removeDataset } from '@cellfolio/store';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeBranchingDataset } from '../analyses/testing/branching-dataset.ts';
import type { ComputedGraph } from './tasks.ts';
import { StoredGraphs } from './stored-graphs.ts';

const { signal } = new AbortController();
const id = 'fork.h5ad';
let root = '';
let objects: FileObjectStore;
let stored: StoredGraphs;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellfolio-graphs-'));
  objects = new FileObjectStore(root);
  stored = new StoredGraphs(objects);
  await writeBranchingDataset(root, id, { shape: 'fork' });
});
afterEach(async () => {
  await objects.close();
  await rm(root, { recursive: true, force: true });
});

function graphOf(k: number, count = 30_000): ComputedGraph {
  return {
    cells: Int32Array.from({ length: count }, (_, cell) => 2 * cell),
    without: 3,
    dimensions: 2,
    sample: Float32Array.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
    neighbours: {
      k,
      starts: evenStarts(count, k),
      indices: Int32Array.from({ length: count * k }, (_, at) => (at * 7) % count),
      distances: Float64Array.from({ length: count * k }, (_, at) => Math.sqrt(at)),
    },
  };
}

const manifest = () => readManifest(objects, id);
const folder = () => join(root, 'derived', id);
const filesBelow = async () =>
  (await readdir(folder(), { recursive: true })).filter((name) => name.endsWith('.bin'));

test('a graph that was kept is read back to the last bit', async () => {
  const [graph, dataset] = [graphOf(14), await manifest()];
  expect(await stored.read(dataset, 14, signal)).toBeUndefined();
  await stored.keep(dataset, 14, graph, signal);
  const read = await new StoredGraphs(objects).read(dataset, 14, signal);
  expect(read).toEqual(graph);
  expect(await stored.read(dataset, 13, signal)).toBeUndefined();
});

test('a graph whose file is damaged or cut is none', async () => {
  const dataset = await manifest();
  await stored.keep(dataset, 14, graphOf(14), signal);
  const path = join(folder(), (await filesBelow())[0]!);
  const bytes = await readFile(path);
  bytes[bytes.length >> 1]! ^= 1;
  for (const damaged of [bytes, bytes.subarray(0, 1000), bytes.subarray(0, 3)]) {
    await writeFile(path, damaged);
    await objects.forget(`derived/${id}/`);
    expect(await stored.read(dataset, 14, signal)).toBeUndefined();
  }
});

test('few graphs of a dataset are kept, and none of an earlier version', async () => {
  const dataset = await manifest();
  for (const k of [5, 6, 7, 8, 9, 10]) await stored.keep(dataset, k, graphOf(k, 20), signal);
  const files = await filesBelow();
  expect(files).toHaveLength(4);
  expect(files.some((name) => name.endsWith('nearest-10.bin'))).toBe(true);
  const earlier = { id, version: 'f'.repeat(32) };
  await stored.keep(earlier, 5, graphOf(5, 20), signal);
  expect((await filesBelow()).filter((name) => name.includes('ffff'))).toEqual([]);
});

test('graphs are removed with their dataset', async () => {
  await stored.keep(await manifest(), 14, graphOf(14, 20), signal);
  expect(await filesBelow()).toHaveLength(1);
  await removeDataset(root, id);
  await expect(readdir(folder())).rejects.toThrow('ENOENT');
});
