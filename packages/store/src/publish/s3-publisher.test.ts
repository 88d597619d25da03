import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openS3ObjectStore, StoreWriteFailed } from '@cellfolio/bytes';
import { type S3Call, temporaryRoot } from '@cellfolio/bytes/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createDatasetWriter } from '../dataset-writer.ts';
import type { Dataset } from '../dataset.ts';
import { DatasetExists, DatasetNotFound, DatasetReplaced } from '../errors.ts';
import { listDatasets } from '../list-datasets.ts';
import type { DatasetManifest } from '../manifest.ts';
import { openDataset } from '../open-dataset.ts';
import {
  openObjectStore,
  removeDataset,
  type S3StoreLocation,
  type StorePlace,
  sweepDatasets,
} from '../open-store.ts';
import { s3ForTests } from '../testing/s3-test-store.ts';
import { sampleObs, type SampleOptions, writeSample } from '../testing/sample-dataset.ts';
import { verifyDataset } from '../verify-dataset.ts';
import { S3Leftovers } from './s3-leftovers.ts';

const s3 = s3ForTests();
const own = 'custom:0b0b6f1e-3c5d-4a52-9d6e-2f6f3f1c7a10';

async function opened(location: S3StoreLocation) {
  const objects = await openObjectStore(location);
  onTestFinished(() => objects.close());
  return objects;
}

/** The minimum number of objects of a dataset, since each costs a request. */
const writeFew = (place: StorePlace, id: string, options: SampleOptions = {}) =>
  writeSample(place, id, { ...options, few: true });

const keysOf = (...manifests: DatasetManifest[]) =>
  manifests
    .flatMap(({ id, folder, files }) => {
      const [places, name] = id.startsWith('custom:') ? ['custom-dataset', id.slice(7)] : ['dataset', id];
      const paths = Object.keys(files).map((path) => `${places}-files/${name}/${folder}/${path}`);
      return paths.concat(`${places}s/${name}/manifest.json`);
    })
    .sort();
const keys = () => [...s3.server.objects.keys()].sort();

test.each([
  ['breast.h5ad', false],
  [own, true],
])('%s is written to a bucket, read, verified and removed', async (id, few) => {
  const location = await s3.location();
  const objects = await opened(location);
  const { manifest, matrix } = await writeSample(location, id, { few });
  const { manifest: onDisk } = await writeSample(await temporaryRoot(), id, { few });
  expect(manifest.version).toBe(onDisk.version);
  const dataset: Dataset = await openDataset(objects, id);
  const { indptr } = matrix.shape;
  for (const row of [0, 2, 11]) {
    const gene = await dataset.gene(row);
    expect(gene.cells).toEqual(matrix.cells.slice(indptr[row], indptr[row + 1]));
    expect(gene.values).toEqual(matrix.values.slice(indptr[row], indptr[row + 1]));
  }
  expect(await dataset.obs('cell_type')).toEqual(sampleObs(40).columns.get('cell_type'));
  expect(await verifyDataset(objects, id)).toEqual({ id, ok: true, problems: [] });
  expect(keys()).toEqual(keysOf(manifest));
  expect(await readdir(join(location.stagingFolder, 'incoming'))).toEqual([]);
  await removeDataset(location, id);
  expect(keys()).toEqual([]);
  await expect(removeDataset(location, id)).rejects.toThrow(DatasetNotFound);
  await expect(openDataset(objects, id)).rejects.toThrow(DatasetNotFound);
});

test('what is damaged or missing in a bucket is found by its name', async () => {
  const location = await s3.location();
  const objects = await opened(location);
  const { manifest } = await writeFew(location, 'd');
  const place = `dataset-files/d/${manifest.folder}/`;
  s3.server.objects.delete(`${place}var/zarr.json`);
  s3.server.objects.get(`${place}X/data/c/0`)!.bytes[3]! ^= 1;
  s3.server.objects.set(`${place}more`, s3.server.objects.get(`${place}zarr.json`)!);
  s3.server.objects.set('datasets/d/stray', s3.server.objects.get(`${place}zarr.json`)!);
  expect((await verifyDataset(objects, 'd')).problems).toEqual([
    { path: 'stray', problem: 'not in the manifest' },
    { path: 'X/data/c/0', problem: 'altered: its checksum does not fit' },
    { path: 'var/zarr.json', problem: 'missing' },
    { path: 'more', problem: 'not in the manifest' },
  ]);
});

test('a manifest that names a folder elsewhere is damaged', async () => {
  const location = await s3.location();
  const objects = await opened(location);
  await writeFew(location, 'd');
  const stored = s3.server.objects.get('datasets/d/manifest.json')!;
  stored.bytes = Buffer.from(stored.bytes.toString().replace(/"folder":"[^"]+"/, '"folder":"../../etc/x"'));
  await expect(openDataset(objects, 'd')).rejects.toThrow('its folder is not one');
});

test('listing costs one request a thousand objects, and one for each dataset that changed', async () => {
  const location = await s3.location();
  const objects = await opened(location);
  await writeFew(location, 'a');
  await writeFew(location, 'b');
  await writeFew(location, own);
  const names = async () => {
    s3.server.calls.length = 0;
    const { datasets, damaged } = await listDatasets(objects);
    expect(damaged).toEqual([]);
    return [datasets.map(({ catalogue }) => catalogue.name), s3.server.calls.length];
  };
  expect(await names()).toEqual([['Sample', 'Sample'], 3]);
  expect(await names()).toEqual([['Sample', 'Sample'], 1]);
  await writeFew(location, 'b', { replace: true, label: 'new' });
  expect(await names()).toEqual([['Sample', 'new'], 2]);
  await removeDataset(location, 'a');
  expect(await names()).toEqual([['new'], 1]);
  expect((await listDatasets(objects, 'custom')).datasets.map(({ id }) => id)).toEqual([own]);
});

/** States of the bucket while `work` runs: around every relevant change, and every tenth of the others. */
async function statesOf(work: () => Promise<unknown>): Promise<Map<string, { bytes: Buffer }>[]> {
  const states: Map<string, { bytes: Buffer }>[] = [];
  let counted = true;
  let changes = 0;
  s3.server.fault = ({ method, key }) => {
    if (method !== 'PUT' && method !== 'DELETE') return undefined;
    const counts = !key.startsWith('dataset-files/');
    if (counts || counted || changes++ % 10 === 0) states.push(new Map(s3.server.objects));
    counted = counts;
    return undefined;
  };
  await work();
  s3.server.fault = () => undefined;
  return [...states, new Map(s3.server.objects)];
}

test.each(['written', 'replaced', 'removed'])(
  'a dataset that is being %s is there entirely or not at all whenever the writer dies, and the rest is swept',
  async (what) => {
    const location = await s3.location();
    const objects = await openS3ObjectStore(location);
    onTestFinished(() => objects.close());
    const leftovers = new S3Leftovers(objects);
    const old = what === 'written' ? undefined : (await writeFew(location, 'd')).manifest;
    const states = await statesOf(() =>
      what === 'removed'
        ? removeDataset(location, 'd')
        : writeFew(location, 'd', { replace: true, label: 'new', cellCount: 50 }),
    );
    expect(states.length).toBeGreaterThan(6);
    const outcomes = new Set<string>();
    for (const state of states) {
      s3.server.objects.clear();
      // From a process that is gone.
      for (const [key, object] of state) {
        s3.server.objects.set(key.replace(/^(incoming\/d~[^~]+~[^~]+~)\d+~/, '$14194305~'), object as never);
      }
      const { datasets, damaged } = await listDatasets(objects);
      expect(damaged).toEqual([]);
      outcomes.add(datasets.map(({ cellCount }) => cellCount).join());
      expect(keys()).toEqual(expect.arrayContaining(keysOf(...datasets)));
      await leftovers.sweep();
      expect(keys().filter((key) => !key.endsWith('~old'))).toEqual(keysOf(...datasets));
    }
    expect([...outcomes]).toEqual(
      what === 'written' ? ['', '50'] : [String(old?.cellCount), what === 'removed' ? '' : '50'],
    );
  },
);

test('what a running writer fills, and what another machine filled today, is not swept', async () => {
  const location = await s3.location();
  const stray = { bytes: Buffer.from('x'), tag: '"x"', changedAt: new Date() };
  const put = (host: string, name: string, changedAt = new Date()) => {
    s3.server.objects.set(`incoming/d~${name}~${host}~12~x~aa`, { ...stray, changedAt });
    s3.server.objects.set(`dataset-files/d/${name}/zarr.json`, stray);
  };
  put('ffffffff', '20260101t000000-today');
  put('ffffffff', '20260101t000000-longago', new Date(Date.now() - 25 * 3600 * 1000));
  s3.server.objects.set('incoming/notes.txt', stray);
  let swept: string[] = [];
  s3.server.fault = async ({ method, key }) => {
    if (method !== 'PUT' || key !== 'datasets/d/manifest.json' || swept.length > 0) return undefined;
    // All of it is sent, and nothing names it yet.
    await sweepDatasets(location);
    swept = keys();
    return undefined;
  };
  const { manifest } = await writeFew(location, 'd');
  expect(swept.filter((key) => key.includes(String(manifest.folder))).length).toBe(
    Object.keys(manifest.files).length + 1,
  );
  expect(keys()).toEqual(
    [
      ...keysOf(manifest),
      'dataset-files/d/20260101t000000-today/zarr.json',
      'incoming/d~20260101t000000-today~ffffffff~12~x~aa',
      'incoming/notes.txt',
    ].sort(),
  );
});

const isManifestPut = ({ method, key }: S3Call) => method === 'PUT' && key.endsWith('/manifest.json');

test.each(['kept', 'ignored', 'refused'] as const)(
  'of two writers of one name the late one is refused, on a server where conditions are %s',
  async (conditions) => {
    const location = await s3.location();
    s3.server.conditions = conditions;
    let winner: DatasetManifest | undefined;
    let begun = false;
    s3.server.fault = async (call) => {
      // Everything of the first is sent when the second begins, and ends.
      if (begun || call.method !== 'PUT' || !call.key.includes('/var/')) return undefined;
      begun = true;
      winner = (await writeFew(location, 'd', { label: 'winner' })).manifest;
      return undefined;
    };
    await expect(writeFew(location, 'd', { label: 'late' })).rejects.toThrow(DatasetExists);
    expect(winner?.catalogue.name).toBe('winner');
    expect(keys()).toEqual(keysOf(winner!));
  },
);

test('of two writers that replace one name the last one stays, and nothing of the other', async () => {
  const location = await s3.location();
  await writeFew(location, 'd', { label: 'first' });
  let begun = false;
  s3.server.fault = async (call) => {
    // The tag that the first one knows is outdated at this moment.
    if (begun || !isManifestPut(call)) return undefined;
    begun = true;
    await writeFew(location, 'd', { label: 'between', replace: true });
    return undefined;
  };
  const { manifest } = await writeFew(location, 'd', { label: 'last', replace: true });
  expect(manifest.catalogue.name).toBe('last');
  expect(keys()).toEqual(keysOf(manifest));
});

test('a dataset whose last answer was lost is there, and its writer knows', async () => {
  const location = await s3.location();
  let lost = 1;
  s3.server.fault = (call) => (isManifestPut(call) && lost-- > 0 ? 'lost' : undefined);
  const { manifest } = await writeFew(location, 'd');
  expect(keys()).toEqual(keysOf(manifest));
});

test('a bucket that fails for good is a clear error, the old dataset stays, and nothing of the new one', async () => {
  const location = await s3.location();
  const { manifest } = await writeFew(location, 'd');
  for (const failing of [
    ({ method, key }: S3Call) => method === 'PUT' && key.includes('/X/data/'),
    (call: S3Call) => isManifestPut(call),
  ]) {
    s3.server.fault = (call) => (failing(call) ? 403 : undefined);
    const error = await writeFew(location, 'd', { replace: true, cellCount: 50 }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(StoreWriteFailed);
    expect((error as Error).message).toContain('it rejected the credentials in OBJECT_STORE_URL');
    s3.server.fault = () => undefined;
    expect(keys().filter((key) => !key.endsWith('~old'))).toEqual(keysOf(manifest));
  }
  expect(await readdir(join(location.stagingFolder, 'incoming'))).toEqual([]);
});

test('an import that is cancelled while it is sent stops there and leaves nothing', async () => {
  const location = await s3.location();
  const stop = new AbortController();
  s3.server.fault = ({ method, key }) => {
    if (method !== 'PUT' || !key.includes('/obs/')) return undefined;
    stop.abort(new Error('client went'));
    return undefined;
  };
  await expect(writeFew(location, 'd', { signal: stop.signal })).rejects.toThrow('client went');
  expect(keys()).toEqual([]);
  expect(await readdir(join(location.stagingFolder, 'incoming'))).toEqual([]);
});

test('a dataset replaced while it is being opened opens as the new one, and is distinguished from an open one', async () => {
  const location = await s3.location();
  const objects = await opened(location);
  await writeFew(location, 'd', { label: 'old' });
  const before = await openDataset(objects, 'd', { cacheBytes: 0 });
  let begun = false;
  s3.server.fault = async ({ method, key }) => {
    if (begun || method !== 'GET' || !key.endsWith('/zarr.json')) return undefined;
    begun = true;
    await writeFew(location, 'd', { label: 'new', replace: true, cellCount: 60 });
    return undefined;
  };
  expect((await openDataset(objects, 'd')).manifest.catalogue.name).toBe('new');
  await expect(before.gene(0)).rejects.toThrow(DatasetReplaced);
});

test('a dataset that was copied into the bucket as a folder is read, and replaced by one of ours', async () => {
  const location = await s3.location();
  const objects = await opened(location);
  const root = await temporaryRoot();
  await writeFew(root, 'd', { label: 'copied' });
  const files = await openObjectStore({ kind: 'file', root });
  for await (const key of files.list('')) await objects.put(key, await files.get(key));
  expect(await verifyDataset(objects, 'd')).toMatchObject({ ok: true });
  expect((await listDatasets(objects)).datasets.length).toBe(1);
  await expect(createDatasetWriter(location, 'd')).rejects.toThrow(DatasetExists);
  const { manifest } = await writeFew(location, 'd', { replace: true });
  expect(keys()).toEqual(keysOf(manifest));
});
