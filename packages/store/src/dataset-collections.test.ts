import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { createDatasetWriter } from './dataset-writer.ts';
import { customDatasetId } from './dataset-id.ts';
import { DatasetExists, DatasetNotFound, InvalidDatasetId } from './errors.ts';
import { FileObjectStore } from '@cellfolio/bytes';
import { incomingPath, sweepIncoming } from './publish/dataset-publisher.ts';
import { listDatasets } from './list-datasets.ts';
import { openDataset } from './open-dataset.ts';
import { removeDataset } from './open-store.ts';
import { writeSample } from './testing/sample-dataset.ts';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import { verifyDataset } from './verify-dataset.ts';

const uuid = '0b0b6f1e-3c5d-4a52-9d6e-2f6f3f1c7a10';
const id = `custom:${uuid}`;

const everyPath = (root: string) => readdir(root, { recursive: true });

test("a user's own dataset is written, opened, verified, replaced and removed as any other", async () => {
  const root = await temporaryRoot();
  const objects = new FileObjectStore(root);
  const { manifest, matrix } = await writeSample(root, id);
  expect(manifest.id).toBe(id);
  const dataset = await openDataset(objects, id);
  expect((await dataset.gene(2)).values.length).toBe(matrix.shape.cellCount);
  expect(await verifyDataset(objects, id)).toEqual({ id, ok: true, problems: [] });
  await expect(createDatasetWriter(root, id)).rejects.toThrow(DatasetExists);
  await writeSample(root, id, { replace: true, label: 'again' });
  expect((await openDataset(objects, id)).manifest.catalogue.name).toBe('again');
  await removeDataset(root, id);
  await expect(openDataset(objects, id)).rejects.toThrow(DatasetNotFound);
  await expect(removeDataset(root, id)).rejects.toThrow(`there is no dataset "${id}"`);
});

test('each collection lists its own datasets alone, and no path has a colon in it', async () => {
  const root = await temporaryRoot();
  const objects = new FileObjectStore(root);
  await writeSample(root, 'public.h5ad');
  await writeSample(root, id);
  // Half-written ones are in neither list.
  const writer = await createDatasetWriter(root, customDatasetId('11111111-2222-4333-8444-555555555555'));
  const ids = async (collection?: 'public' | 'custom') =>
    (await listDatasets(objects, collection)).datasets.map((dataset) => dataset.id);
  expect([await ids(), await ids('public'), await ids('custom')]).toEqual([
    ['public.h5ad'],
    ['public.h5ad'],
    [id],
  ]);
  const paths = await everyPath(root);
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => path.includes(':'))).toEqual([]);
  await writer.discard();
});

test('a dataset without its manifest is reported as damaged under its whole id', async () => {
  const root = await temporaryRoot();
  await mkdir(join(root, 'custom-datasets', uuid), { recursive: true });
  await writeFile(join(root, 'custom-datasets', uuid, 'zarr.json'), '{}');
  expect(await listDatasets(new FileObjectStore(root), 'custom')).toEqual({
    datasets: [],
    damaged: [{ id, reason: 'manifest.json is missing' }],
  });
});

test.each([
  'custom:',
  'custom:breast.h5ad',
  `custom:${uuid.toUpperCase()}`,
  `custom:../${uuid}`,
  `custom:${uuid}/`,
  `custom:${uuid}\n`,
  `Custom:${uuid}`,
  `a:${uuid}`,
  `@${uuid}`,
  '.hidden',
  'a/b',
  '',
])('the id %j names no dataset', async (bad) => {
  const root = await temporaryRoot();
  const objects = new FileObjectStore(root);
  await expect(createDatasetWriter(root, bad)).rejects.toThrow(InvalidDatasetId);
  await expect(openDataset(objects, bad)).rejects.toThrow(InvalidDatasetId);
  await expect(verifyDataset(objects, bad)).rejects.toThrow(InvalidDatasetId);
  await expect(removeDataset(root, bad)).rejects.toThrow(InvalidDatasetId);
  expect(await everyPath(root)).toEqual([]);
});

test('what a dead writer left of an own dataset is swept, and one half replaced is put back', async () => {
  const root = await temporaryRoot();
  await writeSample(root, id);
  const ownedByDead = (path: string) => {
    const [mark, host, , ...rest] = basename(path).split('~');
    return join(root, 'incoming', [mark, host, '4194305', ...rest].join('~'));
  };
  await rename(join(root, 'custom-datasets', uuid), ownedByDead(incomingPath(root, id, 'old')));
  await mkdir(ownedByDead(incomingPath(root, id)));
  await sweepIncoming(root);
  expect(await readdir(join(root, 'incoming'))).toEqual([]);
  expect(await verifyDataset(new FileObjectStore(root), id)).toMatchObject({ ok: true });
});
