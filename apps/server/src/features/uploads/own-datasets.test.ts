import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatasetManifest, FileObjectStore, removeDataset } from '@cellfolio/store';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';
import { UserDatasets, UserFiles } from './own-datasets.ts';

const file = '0b5c2f0e-9f5b-4d0e-8b1a-3c2d1e0f9a8b';
const id = `custom:${file}`;
let root: string;
let written: DatasetManifest;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellfolio-own-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(async () => {
  written = await writeTinyDataset(root, id);
  return () => removeDataset(root, id).catch(() => undefined);
});

const ada = { userId: 'ada' };
const bob = { userId: 'bob' };

function world() {
  const rows = new Map([[file, 'ada']]);
  const queries: string[] = [];
  const dropped: string[] = [];
  const outdated = new Set<string>();
  let time = 0;
  const pool = {
    query: async (_sql: string, [ids]: [string | string[]]) => {
      if (Array.isArray(ids)) return { rows: ids.filter((one) => rows.has(one)).map((one) => ({ id: one })) };
      queries.push(ids);
      const user = rows.get(ids);
      return { rows: user === undefined ? [] : [{ id: ids, owner: user, originalName: 'mine.h5ad' }] };
    },
  };
  const own = new UserDatasets({
    objects: new FileObjectStore(root),
    files: new UserFiles({ pool: pool as never }, () => time),
    builds: {
      stateOf: async () => undefined,
      readyOf: async () => [],
      isOutdated: async (one) => outdated.has(one),
    },
    drop: async (datasetId) => void dropped.push(datasetId),
    now: () => time,
  });
  return { own, rows, queries, dropped, outdated, wait: (ms: number) => (time += ms) };
}

test('a burst of calls looks up the owner of a file once, and an invalid id is not looked up', async () => {
  const { own, queries } = world();
  for (let call = 0; call < 5; call++) expect(await own.find(ada, id)).toEqual(written);
  expect(await own.find(bob, id)).toBeUndefined();
  for (const malformed of ['custom:x', `custom:${file.toUpperCase()}`, `custom:${file}/..`]) {
    expect(await own.find(ada, malformed)).toBeUndefined();
  }
  expect(queries).toEqual([file]);
});

test('a deleted file is noticed after five seconds, or at once when the process is notified', async () => {
  const { own, rows, wait } = world();
  await own.find(ada, id);
  rows.clear();
  expect(await own.find(ada, id)).toEqual(written);
  wait(5000);
  expect(await own.find(ada, id)).toBeUndefined();

  const otherWorld = world();
  await otherWorld.own.find(ada, id);
  otherWorld.rows.clear();
  await otherWorld.own.forget(id);
  expect(await otherWorld.own.find(ada, id)).toBeUndefined();
  expect(otherWorld.dropped).toEqual([id]);
});

test('a rebuilt dataset replaces the old one after a second, or at once when the process is notified', async () => {
  const rebuild = async () => {
    await removeDataset(root, id);
    return writeTinyDataset(root, id, { description: String(Math.random()) });
  };
  const { own, wait } = world();
  await own.find(ada, id);
  const second = await rebuild();
  expect(second.version).not.toBe(written.version);
  wait(1000);
  expect(await own.find(ada, id)).toEqual(second);
  const third = await rebuild();
  await own.forget(id);
  expect(await own.find(ada, id)).toEqual(third);
});

test('a dataset of bytes that were replaced is opened no more after a second, and its owner waits for the next', async () => {
  const { own, outdated, wait } = world();
  expect(await own.find(ada, id)).toEqual(written);
  outdated.add(file);
  wait(1000);
  expect(await own.find(ada, id)).toBeUndefined();
  await expect(own.manifest(ada, id)).rejects.toMatchObject({
    status: 409,
    code: 'dataset_not_ready',
  });
  outdated.clear();
  expect(await own.find(ada, id)).toEqual(written);
});

test('what is kept of a file that another process deleted is dropped by the sweep, and late results by the next', async () => {
  const { own, rows, dropped } = world();
  await own.find(ada, id);
  await own.sweep();
  expect(dropped).toEqual([]);
  rows.clear();
  await own.sweep();
  expect(dropped).toEqual([id]);
  await own.sweep();
  expect(dropped).toEqual([id, id]);
  await own.sweep();
  expect(dropped).toEqual([id, id]);
});

test('a file without a dataset is waited for by its owner, and is no dataset to others', async () => {
  const { own } = world();
  await removeDataset(root, id);
  expect(await own.find(ada, id)).toBeUndefined();
  await expect(own.manifest(ada, id)).rejects.toMatchObject({
    status: 409,
    code: 'dataset_not_ready',
    details: { state: 'queued', job_id: null, problem: null },
  });
  await expect(own.manifest(bob, id)).rejects.toMatchObject({
    status: 404,
    code: 'dataset_not_found',
  });
  // It is there as soon as it is written: its absence was not remembered.
  const now = await writeTinyDataset(root, id);
  expect(await own.manifest(ada, id)).toEqual(now);
});
