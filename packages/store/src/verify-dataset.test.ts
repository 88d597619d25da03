import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crc32c } from './crc32c.ts';
import { DatasetDamaged, DatasetNotFound } from './errors.ts';
import { FileObjectStore } from '@cellfolio/bytes';
import { listDatasets } from './list-datasets.ts';
import type { DatasetManifest } from './manifest.ts';
import { openDataset } from './open-dataset.ts';
import { sealAgain, writeSample } from './testing/sample-dataset.ts';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import { verifyDataset } from './verify-dataset.ts';

async function sample() {
  const root = await temporaryRoot();
  const { manifest } = await writeSample(root, 's');
  return {
    root,
    manifest,
    objects: new FileObjectStore(root),
    at: (path: string) => join(root, 'datasets/s', path),
  };
}

async function flip(path: string, position: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[position]! ^= 0x10;
  await writeFile(path, bytes);
}

test('a sound dataset has no problems, and progress ends at all of its bytes', async () => {
  const { objects, manifest } = await sample();
  let last: { doneBytes: number; totalBytes: number } | undefined;
  const report = await verifyDataset(objects, 's', (progress) => (last = progress));
  expect(report).toEqual({ id: 's', ok: true, problems: [] });
  const total = Object.values(manifest.files).reduce((sum, { size }) => sum + size, 0);
  expect(last).toMatchObject({ doneBytes: total, totalBytes: total });
});

test('a flipped bit, a shortened, a missing and an extra file are each named', async () => {
  const { objects, at } = await sample();
  await flip(at('X/data/c/0'), 20);
  await truncate(at('X/indices/c/0'), 30);
  await rm(at('obs/batch/c/0'));
  await appendFile(at('obs/stray'), 'x');
  const { ok, problems } = await verifyDataset(objects, 's');
  expect(ok).toBe(false);
  expect(Object.fromEntries(problems.map(({ path, problem }) => [path, problem]))).toEqual({
    'X/data/c/0': 'altered: its checksum does not fit',
    'X/indices/c/0': expect.stringMatching(/^30 bytes long instead of \d+$/) as string,
    'obs/batch/c/0': 'missing',
    'obs/stray': 'not in the manifest',
  });
});

test('a dataset whose shards were hashed whole, as they once were, is read and verified as well', async () => {
  const { root, objects, at, manifest } = await sample();
  expect(manifest.files['X/data/c/0']).toHaveProperty('chunks');
  await sealAgain(root, 's');
  const { manifest: again } = await openDataset(objects, 's');
  expect(again.files['X/data/c/0']).not.toHaveProperty('chunks');
  expect(await verifyDataset(objects, 's')).toEqual({ id: 's', ok: true, problems: [] });
  await flip(at('X/data/c/0'), 20);
  expect((await verifyDataset(objects, 's')).problems).toEqual([
    { path: 'X/data/c/0', problem: 'altered: its checksum does not fit' },
  ]);
});

test('a chunk of other values with a checksum that fits them is found', async () => {
  const { objects, at, manifest } = await sample();
  const path = at('layers/counts/data/c/0');
  const { chunks } = manifest.files['layers/counts/data/c/0']!;
  expect(chunks).toMatchObject({ count: 1 });
  // A sound chunk of other values.
  const bytes = await readFile(path);
  bytes.writeUInt32LE(7, 0);
  bytes.writeUInt32LE(crc32c(bytes.subarray(0, chunks!.bytes - 4)), chunks!.bytes - 4);
  await writeFile(path, bytes);
  expect((await verifyDataset(objects, 's')).problems).toEqual([
    { path: 'layers/counts/data/c/0', problem: 'altered: its checksum does not fit' },
  ]);
});

test.each([
  { count: 1, bytes: 1e9 },
  { count: -1, bytes: 100 },
  { count: 1.5, bytes: 8 },
  { count: 1, bytes: 4 },
])('a manifest with chunks %o that do not fit a file is damaged', async (chunks) => {
  const { objects, at } = await sample();
  const manifest = JSON.parse(await readFile(at('manifest.json'), 'utf8')) as DatasetManifest;
  const files = { ...manifest.files, 'X/data/c/0': { ...manifest.files['X/data/c/0'], chunks } };
  await writeFile(at('manifest.json'), JSON.stringify({ ...manifest, files }));
  expect((await verifyDataset(objects, 's')).problems).toEqual([
    { path: 'manifest.json', problem: 'X/data/c/0 has chunks that do not fit its size' },
  ]);
});

test('a manifest that was edited or is missing is found', async () => {
  const { objects, at } = await sample();
  const text = await readFile(at('manifest.json'), 'utf8');
  await writeFile(at('manifest.json'), text.replace('"cell_type"', '"batch"'));
  expect((await verifyDataset(objects, 's')).problems).toEqual([
    { path: 'manifest.json', problem: 'its version is not the digest of its content' },
  ]);
  await rm(at('manifest.json'));
  expect((await verifyDataset(objects, 's')).problems).toEqual([
    { path: 'manifest.json', problem: 'missing' },
  ]);
  await expect(verifyDataset(objects, 'other')).rejects.toThrow(DatasetNotFound);
});

test('a flipped bit in expression or in a column is an error of the reader, never a wrong value', async () => {
  const { objects, at, manifest } = await sample();
  const sizeOf = (path: string) => manifest.files[path]!.size;
  const unkept = await openDataset(objects, 's', { cacheBytes: 0 });
  for (let position = 0; position < sizeOf('X/data/c/0') - 20; position += 7) {
    await flip(at('X/data/c/0'), position);
    await expect(unkept.gene(2)).rejects.toThrow(DatasetDamaged);
    await flip(at('X/data/c/0'), position);
  }
  expect((await unkept.gene(2)).cells.length).toBe(40);
  await flip(at('obs/cell_type/codes/c/0'), 9);
  const dataset = await openDataset(objects, 's');
  await expect(dataset.obs('cell_type')).rejects.toThrow(DatasetDamaged);
});

test('a flipped bit in the index of a shard, which other readers read, is found', async () => {
  const { objects, at, manifest } = await sample();
  await flip(at('X/indices/c/0'), manifest.files['X/indices/c/0']!.size - 10);
  expect((await verifyDataset(objects, 's')).problems).toEqual([
    { path: 'X/indices/c/0', problem: 'altered: its checksum does not fit' },
  ]);
});

test('a dataset of an older layout says how to create it again', async () => {
  const { objects, at } = await sample();
  const text = await readFile(at('manifest.json'), 'utf8');
  await writeFile(at('manifest.json'), text.replace('"formatVersion":2', '"formatVersion":1'));
  await expect(openDataset(objects, 's')).rejects.toThrow(
    'it has format version 1, this version reads 2; create it again from its file: npm run cellfolio -- dataset add FILE --id s --replace',
  );
});

test('a list distinguishes damaged datasets from whole ones, with the reason', async () => {
  const root = await temporaryRoot();
  for (const id of ['whole', 'holed', 'garbled', 'bare']) await writeSample(root, id);
  const objects = new FileObjectStore(root);
  await rm(join(root, 'datasets/holed/X/data/c/0'));
  await writeFile(join(root, 'datasets/garbled/manifest.json'), '{"format":');
  await rm(join(root, 'datasets/bare/manifest.json'));
  const { datasets, damaged } = await listDatasets(objects);
  expect(datasets.map(({ id }) => id)).toEqual(['whole']);
  expect(damaged).toEqual([
    { id: 'bare', reason: 'manifest.json is missing' },
    { id: 'garbled', reason: 'manifest.json: it is not JSON' },
    { id: 'holed', reason: 'X/data/c/0: it is missing' },
  ]);
});
