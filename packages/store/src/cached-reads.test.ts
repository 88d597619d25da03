import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CachedObjectStore,
  FileObjectStore,
  ObjectNotFound,
  ObjectStoreFailed,
  openS3ObjectStore,
} from '@cellfolio/bytes';
import { defaultRetryPolicy, temporaryRoot } from '@cellfolio/bytes/testing';
import { expect, onTestFinished, test } from 'vitest';
import { isWrittenOnce } from './dataset-id.ts';
import { DatasetDamaged } from './errors.ts';
import { openDataset } from './open-dataset.ts';
import { forgetDataset, removeDataset, type S3StoreLocation } from './open-store.ts';
import { s3ForTests } from './testing/s3-test-store.ts';
import { writeSample } from './testing/sample-dataset.ts';

const s3 = s3ForTests();
const mebibyte = 1024 * 1024;
const blockBytes = mebibyte / 4;
const key = 'dataset-files/d/20260101t000000-aa/X/data/c/0';
const otherKey = `${key.slice(0, -1)}1`;

async function cached(location: S3StoreLocation, bytes = 64 * mebibyte): Promise<CachedObjectStore> {
  const store = await openS3ObjectStore(location, { ...defaultRetryPolicy, attempts: 2, firstPause: 1 });
  const cache = new CachedObjectStore(store, { folder: location.cacheFolder, bytes, isWrittenOnce });
  onTestFinished(() => cache.close());
  return cache;
}

function stored(name: string, bytes: Buffer): Buffer {
  s3.server.objects.set(name, {
    bytes,
    tag: `"${createHash('md5').update(bytes).digest('hex')}"`,
    changedAt: new Date(),
  });
  return bytes;
}

async function requestsDuring(work: () => Promise<unknown>): Promise<{ requests: number; bytes: number }> {
  s3.server.calls.length = 0;
  s3.server.sent = 0;
  await work();
  return { requests: s3.server.calls.length, bytes: s3.server.sent };
}

const nothing = { requests: 0, bytes: 0 };

async function filesIn(folder: string): Promise<{ path: string; size: number }[]> {
  const files: { path: string; size: number }[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const stats = await stat(join(folder, name)).catch(() => undefined);
    if (stats?.isFile()) files.push({ path: join(folder, name), size: stats.size });
  }
  return files;
}

test('a gene costs one request an array, and none when it is read again, by whomever', async () => {
  const location = await s3.location();
  const { matrix } = await writeSample(location, 'd', { cellCount: 30_000, geneCount: 40, few: true });
  const { indptr } = matrix.shape;
  const size = s3.server.objects.get([...s3.server.objects.keys()].find((at) => at.endsWith('X/data/c/0'))!)!;
  // Otherwise all genes were in one block, and the test showed nothing.
  expect(size.bytes.length).toBeGreaterThan(2 * blockBytes);
  const expected = {
    cells: matrix.cells.slice(indptr[20], indptr[21]),
    values: matrix.values.slice(indptr[20], indptr[21]),
  };
  const dataset = await openDataset(await cached(location), 'd', { cacheBytes: 0 });
  const cold = await requestsDuring(async () => expect(await dataset.gene(20)).toMatchObject(expected));
  expect(cold.requests).toBe(2);
  // Two inner chunks of 128 KiB at most, and what is around them in their blocks.
  expect(cold.bytes).toBeLessThanOrEqual(2 * 2 * blockBytes);
  expect(await requestsDuring(async () => expect(await dataset.gene(20)).toMatchObject(expected))).toEqual(
    nothing,
  );
  // Another thread, or the same server after a restart: the manifest is all that is asked for.
  const other = await cached(location);
  const opening = await requestsDuring(async () => {
    const again = await openDataset(other, 'd', { cacheBytes: 0 });
    expect(await again.gene(20)).toMatchObject(expected);
  });
  expect(s3.server.calls.map((call) => call.key)).toEqual(['datasets/d/manifest.json']);
  expect(opening.requests).toBe(1);
});

test('a dataset that was copied into the bucket as a folder is kept by the tags of its objects', async () => {
  const location = await s3.location();
  const copied = async (label: string, cellCount: number) => {
    const root = await temporaryRoot();
    const written = await writeSample(root, 'd', { few: true, label, cellCount });
    const files = new FileObjectStore(root);
    s3.server.objects.clear();
    for await (const name of files.list('')) stored(name, Buffer.from(await files.get(name)));
    await files.close();
    return written.matrix.cells.slice(written.matrix.shape.indptr[2], written.matrix.shape.indptr[3]);
  };
  const open = async () => openDataset(await cached(location), 'd', { cacheBytes: 0 });
  const methods = () => s3.server.calls.map(({ method }) => method).sort();
  const old = await copied('old', 40);
  const dataset = await open();
  await requestsDuring(async () => expect((await dataset.gene(2)).cells).toEqual(old));
  // Both arrays are one block each, whose tag is asked for first.
  expect(methods()).toEqual(['GET', 'GET', 'HEAD', 'HEAD']);
  expect(await requestsDuring(() => dataset.gene(2))).toEqual(nothing);
  const again = await requestsDuring(async () => expect((await (await open()).gene(2)).cells).toEqual(old));
  expect(again.requests).toBeGreaterThan(2);
  expect(methods().filter((method) => method === 'GET')).toEqual(['GET']);
  const next = await copied('new', 60);
  expect((await (await open()).gene(2)).cells).toEqual(next);
  // Replaced under an open dataset: the bytes are those of now, and not kept under another tag.
  const meanwhile = await open();
  const key = 'datasets/d/X/indices/c/0';
  const changed = Buffer.from(s3.server.objects.get(key)!.bytes);
  changed[0]! ^= 1;
  s3.server.objects.set(key, { bytes: changed, tag: '"other"', changedAt: new Date() });
  await rm(location.cacheFolder, { recursive: true });
  await expect(meanwhile.gene(2)).rejects.toThrow(DatasetDamaged);
});

test('any range is the same as without a cache, cold and warm', async () => {
  const location = await s3.location();
  const bytes = stored(key, randomBytes(2 * mebibyte + 4321));
  const store = await cached(location);
  let state = 7;
  const random = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * limit);
  };
  const lengths = [1, 900, 16_384, 16_385, 70_000, blockBytes, 700_000];
  for (let i = 0; i < 150; i++) {
    const length = lengths[random(lengths.length)]!;
    const offset = random(bytes.length - length + 1);
    const into = i % 2 === 0 ? new Uint8Array(800_000) : undefined;
    const got = await store.get(key, { range: { offset, length }, ...(into && { into }) });
    expect(Buffer.compare(got, bytes.subarray(offset, offset + length))).toBe(0);
    expect(into === undefined || got.buffer === into.buffer).toBe(true);
  }
  expect(s3.server.calls.length).toBeLessThan(100);
  expect(store.counters).toMatchObject({ healed: 0, evicted: 0, unwritten: 0 });
});

test.each([0, 1, 5000, blockBytes, blockBytes + 1, blockBytes + 20_000, 3 * blockBytes])(
  'a whole object of %i bytes is fetched once, and its ranges with it',
  async (size) => {
    const location = await s3.location();
    const bytes = stored(key, randomBytes(size));
    const store = await cached(location);
    const read = async () => expect(Buffer.compare(await store.get(key), bytes)).toBe(0);
    expect(await requestsDuring(read)).toEqual({ requests: 1, bytes: size });
    expect(await requestsDuring(read)).toEqual(nothing);
    const range = { offset: Math.floor(size / 2), length: size - Math.floor(size / 2) };
    if (range.length <= 16_384) return;
    const part = async () =>
      expect(Buffer.compare(await store.get(key, { range }), bytes.subarray(range.offset))).toBe(0);
    expect(await requestsDuring(part)).toEqual(nothing);
  },
);

test('a range outside the object is an error, cold and warm', async () => {
  const location = await s3.location();
  stored(key, randomBytes(300_000));
  const store = await cached(location);
  for (let round = 0; round < 2; round++) {
    for (const [offset, length] of [
      [290_000, 20_000],
      [290_000, 10_001],
      [300_000, 1],
      [900_000, 20_000],
      [-1, 10],
    ] as const) {
      await expect(store.get(key, { range: { offset, length } })).rejects.toThrow(RangeError);
    }
  }
  await expect(store.get(otherKey, { range: { offset: 0, length: 9 } })).rejects.toThrow(ObjectNotFound);
  await expect(store.get(otherKey)).rejects.toThrow(ObjectNotFound);
});

test('an object that may change is requested each time', async () => {
  const store = await cached(await s3.location());
  for (const name of ['datasets/d/manifest.json', 'gene-sets/a/library.json']) {
    for (const text of ['old', 'new']) {
      await store.put(name, Buffer.from(text));
      expect(Buffer.from(await store.get(name)).toString()).toBe(text);
    }
  }
});

test('a block that many want at a time is fetched once, with those beside it in one request', async () => {
  const location = await s3.location();
  const bytes = stored(key, randomBytes(8 * blockBytes));
  const store = await cached(location);
  const read = async (offset: number, length: number) => {
    const got = await store.get(key, { range: { offset, length } });
    expect(Buffer.compare(got, bytes.subarray(offset, offset + length))).toBe(0);
  };
  const all = { offset: blockBytes, length: 4 * blockBytes };
  const cost = await requestsDuring(() =>
    Promise.all(Array.from({ length: 10 }, () => read(all.offset, all.length))),
  );
  expect(cost).toEqual({ requests: 1, bytes: all.length });
  // The blocks on both sides of those that are here.
  expect(await requestsDuring(() => read(0, 6 * blockBytes))).toEqual({ requests: 2, bytes: 2 * blockBytes });
  const whole = await requestsDuring(() =>
    Promise.all([1, 2, 3].map(async () => void (await store.get(otherKey).catch(() => undefined)))),
  );
  expect(whole.requests).toBe(1);
});

test('a reader that goes leaves the others their block, and the last one takes the request along', async () => {
  const location = await s3.location();
  const bytes = stored(key, randomBytes(blockBytes));
  const store = await cached(location);
  const range = { offset: 0, length: 100_000 };
  let answer = () => {};
  let arrived = () => {};
  const hold = () => {
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const there = new Promise<void>((resolve) => (arrived = resolve));
    s3.server.fault = async () => {
      arrived();
      await answered;
      return undefined;
    };
    return there;
  };
  const there = hold();
  const leaving = new AbortController();
  const aborted = store.get(key, { range, signal: leaving.signal });
  const stays = store.get(key, { range, signal: new AbortController().signal });
  await there;
  leaving.abort(new Error('gone'));
  await expect(aborted).rejects.toThrow('gone');
  answer();
  expect(Buffer.compare(await stays, bytes.subarray(0, range.length))).toBe(0);
  expect(s3.server.calls.length).toBe(1);

  stored(otherKey, bytes);
  const again = hold();
  const last = new AbortController();
  const read = store.get(otherKey, { range, signal: last.signal });
  await again;
  last.abort(new Error('gone too'));
  await expect(read).rejects.toThrow('gone too');
  answer();
  s3.server.fault = () => undefined;
  // Nothing of it was kept.
  expect((await requestsDuring(() => store.get(otherKey, { range }))).requests).toBe(1);
});

test('a failure is not kept', async () => {
  const location = await s3.location();
  stored(key, randomBytes(blockBytes));
  const store = await cached(location);
  const range = { offset: 0, length: 100_000 };
  s3.server.fault = () => 503;
  await expect(store.get(key, { range })).rejects.toThrow(ObjectStoreFailed);
  await expect(store.get(key)).rejects.toThrow(ObjectStoreFailed);
  s3.server.fault = () => undefined;
  expect((await store.get(key, { range })).length).toBe(range.length);
});

test('the folder stays within its limit, and what was used last stays in it', async () => {
  const location = await s3.location();
  const limit = 4 * mebibyte;
  const store = await cached(location, limit);
  const names = Array.from({ length: 40 }, (_, i) => `${key.slice(0, -1)}${i}`);
  const bytes = randomBytes(blockBytes);
  for (const name of names) stored(name, bytes);
  const read = (name: string) => store.get(name, { range: { offset: 0, length: blockBytes } });
  for (const name of names) {
    await read(name);
    // In use all the time, the oldest of all.
    await read(names[0]!);
    const total = (await filesIn(location.cacheFolder)).reduce((sum, { size }) => sum + size, 0);
    expect(total).toBeLessThanOrEqual(limit);
  }
  expect(store.counters.evicted).toBeGreaterThan(20);
  expect(await requestsDuring(() => read(names[0]!))).toEqual(nothing);
  expect(await requestsDuring(() => read(names.at(-1)!))).toEqual(nothing);
  expect((await requestsDuring(() => read(names[1]!))).requests).toBe(1);
});

test('what is found and missed is counted, and the bytes on the disk are known after the first look', async () => {
  const location = await s3.location();
  const limit = 4 * mebibyte;
  stored(key, randomBytes(2 * blockBytes));
  const store = await cached(location, limit);
  expect(store.cacheUse).toEqual({ hits: 0, misses: 0, evictions: 0, bytes: Number.NaN, limit });
  const read = (offset: number) => store.get(key, { range: { offset, length: blockBytes } });
  for (const offset of [0, blockBytes, 0]) await read(offset);
  const onDisk = (await filesIn(location.cacheFolder)).reduce(
    (sum, { size }) => sum + Math.ceil(size / 4096) * 4096,
    0,
  );
  expect(store.cacheUse).toEqual({ hits: 1, misses: 2, evictions: 0, bytes: onDisk, limit });
});

test('of a dataset that is gone nothing stays in the folder, and of others everything', async () => {
  const location = await s3.location();
  const others = ['dataset-files/d2', 'custom-dataset-files/d', 'datasets/other'];
  const removed = ['dataset-files/d', 'datasets/d'];
  const store = await cached(location);
  const range = { offset: 0, length: 9 };
  const nameOf = (folder: string) => `${folder}/20260101t000000-aa/X/data/c/0`;
  for (const folder of [...removed, ...others]) {
    stored(nameOf(folder), randomBytes(100));
    await store.get(nameOf(folder), { range, version: '1' });
  }
  expect(await filesIn(location.cacheFolder)).toHaveLength(5);
  await forgetDataset(store, 'd');
  expect(await filesIn(location.cacheFolder)).toHaveLength(3);
  const fetchedAgain = async (folder: string) =>
    (await requestsDuring(() => store.get(nameOf(folder), { range, version: '1' }))).requests > 0;
  expect(await Promise.all(others.map(fetchedAgain))).toEqual([false, false, false]);
  for (const folder of removed) expect(await fetchedAgain(folder)).toBe(true);
});

test('removing a dataset takes along what this machine has read of it', async () => {
  const location = { ...(await s3.location()), cacheBytes: 64 * mebibyte };
  for (const id of ['d', 'e']) await writeSample(location, id, { few: true });
  const store = await cached(location);
  for (const id of ['d', 'e']) await (await openDataset(store, id, { cacheBytes: 0 })).gene(2);
  const cachedCount = async () => (await readdir(location.cacheFolder)).length;
  expect(await cachedCount()).toBe(2);
  await removeDataset(location, 'd');
  expect(await cachedCount()).toBe(1);
});

test('four at a time on one folder keep to its limit, and after a restart the oldest goes first', async () => {
  const location = await s3.location();
  const limit = 24 * mebibyte;
  const bytes = randomBytes(blockBytes);
  const nameOf = (i: number) => `${key.slice(0, -1)}${i}`;
  for (let i = 0; i < 200; i++) stored(nameOf(i), bytes);
  const range = { offset: 0, length: blockBytes };
  const stores = await Promise.all(Array.from({ length: 4 }, () => cached(location, limit)));
  await Promise.all(
    stores.map(async (store, part) => {
      for (let i = part; i < 160; i += 4) await store.get(nameOf(i), { range });
    }),
  );
  const total = (await filesIn(location.cacheFolder)).reduce((sum, { size }) => sum + size, 0);
  expect(total).toBeLessThanOrEqual(limit);
  // Closing waits for what is still being removed.
  await Promise.all(stores.map((store) => store.close()));
  const files = await filesIn(location.cacheFolder);
  expect(files.length).toBeGreaterThan(40);
  // Used long ago, all but a few of the last.
  const old = new Date(Date.now() - 3_600_000);
  for (const { path } of files) await utimes(path, old, old);
  const next = await cached(location, limit);
  const warm: number[] = [];
  for (let i = 159; i >= 0; i--) {
    if ((await requestsDuring(() => next.get(nameOf(i), { range }))).requests === 0) warm.push(i);
    if (warm.length === 5) break;
  }
  for (let i = 160; i < 200; i++) await next.get(nameOf(i), { range });
  expect(next.counters.evicted).toBeGreaterThan(0);
  for (const i of warm) expect(await requestsDuring(() => next.get(nameOf(i), { range }))).toEqual(nothing);
});

test('a file of the cache that is damaged, torn, empty or another one is reported, and fetched again', async () => {
  const location = await s3.location();
  const bytes = stored(key, randomBytes(blockBytes));
  const other = stored(otherKey, randomBytes(blockBytes));
  const range = { offset: 100_000, length: 100_000 };
  const folder = location.cacheFolder;
  const store = await cached(location);
  await store.get(key, { range });
  const [file] = await filesIn(folder);
  const path = file!.path;
  const flip = (at: number) => async () => {
    const content = await readFile(path);
    content[at]! ^= 4;
    await writeFile(path, content);
  };
  const harms: [string, () => Promise<unknown>][] = [
    ['a byte of the content', flip(64 + 150_000)],
    ['a byte of the header', flip(9)],
    ['a byte of a checksum', flip(37)],
    ['its end is missing', () => truncate(path, 150_000)],
    ['a power cut left zeros', () => writeFile(path, Buffer.alloc(file!.size))],
    ['it is empty', () => writeFile(path, '')],
    [
      'it is that of another block',
      async () => {
        await (await cached(location)).get(otherKey, { range });
        const another = (await filesIn(folder)).find((candidate) => candidate.path !== path);
        await rename(another!.path, path);
      },
    ],
  ];
  for (const [i, [harm, cause]] of harms.entries()) {
    await cause();
    for (const reader of [store, await cached(location)]) {
      const got = await reader.get(key, { range });
      const right = Buffer.compare(got, bytes.subarray(100_000, 200_000)) === 0;
      expect({ harm, right }).toEqual({ harm, right: true });
    }
    expect({ harm, healed: store.counters.healed }).toEqual({ harm, healed: i + 1 });
    expect({ harm, cost: await requestsDuring(() => store.get(key, { range })) }).toEqual({
      harm,
      cost: nothing,
    });
  }
  expect(Buffer.compare(await store.get(otherKey), other)).toBe(0);
});

test('damage in an unused part costs nothing, and is detected when the part is read', async () => {
  const location = await s3.location();
  const bytes = stored(key, randomBytes(blockBytes));
  const store = await cached(location);
  await store.get(key, { range: { offset: 0, length: 100_000 } });
  const [file] = await filesIn(location.cacheFolder);
  const content = await readFile(file!.path);
  content[content.length - 1]! ^= 1;
  await writeFile(file!.path, content);
  expect(await requestsDuring(() => store.get(key, { range: { offset: 0, length: 100_000 } }))).toEqual(
    nothing,
  );
  expect(Buffer.compare(await store.get(key), bytes)).toBe(0);
  expect(store.counters.healed).toBe(1);
});

test('a cache folder that cannot be written, or is taken away, costs requests and no answer', async () => {
  const location = await s3.location();
  const bytes = stored(key, randomBytes(blockBytes));
  await writeFile(location.cacheFolder, 'a file in its place');
  const store = await cached(location);
  for (let round = 0; round < 2; round++) {
    const cost = await requestsDuring(async () =>
      expect(Buffer.compare(await store.get(key), bytes)).toBe(0),
    );
    expect(cost.requests).toBe(1);
  }
  expect(store.counters.unwritten).toBe(2);
  expect(await readFile(location.cacheFolder, 'utf8')).toBe('a file in its place');
});

test('half-written files of processes that died go, and those of others stay', async () => {
  const location = await s3.location();
  const folder = join(location.cacheFolder, 'ab');
  await mkdir(folder, { recursive: true });
  const old = new Date(Date.now() - 2 * 3600 * 1000);
  for (const [name, time] of [
    ['dead.part', old],
    ['running.part', new Date()],
  ] as const) {
    await writeFile(join(folder, name), 'x');
    await utimes(join(folder, name), time, time);
  }
  stored(key, randomBytes(1000));
  await (await cached(location)).get(key);
  expect(await readdir(folder)).toEqual(expect.arrayContaining(['running.part']));
  expect(await readdir(folder)).not.toContain('dead.part');
});
