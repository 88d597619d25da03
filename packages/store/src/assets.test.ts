import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileObjectStore } from '@cellfolio/bytes';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import { expect, test } from 'vitest';
import { createDatasetWriter } from './dataset-writer.ts';
import { DatasetDamaged, ShapeMismatch, UnknownColumn } from './errors.ts';
import { openDataset } from './open-dataset.ts';
import { writeSample } from './testing/sample-dataset.ts';
import { verifyDataset } from './verify-dataset.ts';

const mebibyte = 2 ** 20;
const slide = Uint8Array.from({ length: 3 * mebibyte + 17 }, (_, at) => (at * 2_654_435_761) >>> 13);
const hostile = '../../<b>\u202E slide/1.png';
const assets = { 'spots.csv': Buffer.from('x,y\n1,2\n'), 'empty.txt': new Uint8Array(0), [hostile]: slide };

async function sample(id = 's') {
  const root = await temporaryRoot();
  const { manifest } = await writeSample(root, id, { assets });
  const objects = new FileObjectStore(root);
  return { root, manifest, objects, dataset: await openDataset(objects, id) };
}

test('assets are listed by name with their sizes, and read back byte by byte', async () => {
  const { dataset, objects } = await sample();
  expect(dataset.assets).toEqual([
    { name: hostile, size: slide.length },
    { name: 'empty.txt', size: 0 },
    { name: 'spots.csv', size: 8 },
  ]);
  for (const [name, bytes] of Object.entries(assets))
    expect(Buffer.compare(await dataset.asset(name), bytes)).toBe(0);
  expect(await verifyDataset(objects, 's')).toEqual({ id: 's', ok: true, problems: [] });
  await expect(dataset.asset('other')).rejects.toThrow(UnknownColumn);
});

test('a range of an asset is read from the chunks that hold it, and no further', async () => {
  const { dataset } = await sample();
  const before = dataset.counters.reads;
  const from = 2 * mebibyte - 5;
  expect(
    Buffer.compare(await dataset.asset(hostile, { from, to: from + 4 }), slide.subarray(from, from + 4)),
  ).toBe(0);
  expect(dataset.counters.reads - before).toBeLessThanOrEqual(2);
  await expect(dataset.asset(hostile, { from: 0, to: slide.length + 1 })).rejects.toThrow(RangeError);
});

test('a dataset without assets has none, and other bytes are another version', async () => {
  const root = await temporaryRoot();
  const plain = await writeSample(root, 'p');
  const one = await writeSample(root, 'a', { assets: { 'a.txt': Uint8Array.of(1) } });
  const other = await writeSample(root, 'b', { assets: { 'a.txt': Uint8Array.of(2) } });
  expect((await openDataset(new FileObjectStore(root), 'p')).assets).toEqual([]);
  expect(new Set([plain, one, other].map(({ manifest }) => manifest.version)).size).toBe(3);
});

test('a damaged asset is found by its own checksum when it is read', async () => {
  const { root, dataset } = await sample();
  const folder = join(root, 'datasets/s/uns/cellfolio_assets');
  const stored = (await readdir(folder)).find((name) => name.includes('slide'));
  const chunk = join(folder, stored!, 'c/1');
  const bytes = await readFile(chunk);
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(chunk, bytes);
  expect((await dataset.asset(hostile, { from: 0, to: 10 })).length).toBe(10);
  await expect(dataset.asset(hostile)).rejects.toThrow(DatasetDamaged);
});

test('assets that say another size than they have are refused, and nothing of the dataset stays', async () => {
  const root = await temporaryRoot();
  const writer = await createDatasetWriter(root, 'w');
  const source = { name: 'a.txt', size: 2, read: () => Uint8Array.of(1) };
  await expect(writer.assets([source])).rejects.toThrow(ShapeMismatch);
  expect(await readdir(join(root, 'incoming'))).toEqual([]);
});
