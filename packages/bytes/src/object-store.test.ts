import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InvalidObjectKey, ObjectNotFound } from './errors.ts';
import { FileObjectStore } from './file-object-store.ts';
import type { OpenedStore } from './object-store.ts';
import { openS3ObjectStore } from './open-stores.ts';
import { type S3StandIn, startS3StandIn } from './testing/s3-stand-in.ts';

interface Backend {
  name: string;
  open(): Promise<{
    store: OpenedStore;
    all(): Promise<string[]>;
    end(): Promise<void>;
  }>;
}

let s3: S3StandIn;
beforeAll(async () => {
  s3 = await startS3StandIn();
});
afterAll(() => s3.close());

const backends: Backend[] = [
  {
    name: 'a folder',
    open: async () => {
      const root = await mkdtemp(join(tmpdir(), 'cellfolio-objects-'));
      const all = async () =>
        (await readdir(root, { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map(({ name }) => name);
      return { store: new FileObjectStore(root), all, end: () => rm(root, { recursive: true }) };
    },
  },
  {
    name: 'S3',
    open: async () => ({
      store: await openS3ObjectStore(s3.location),
      all: async () => [...s3.objects.keys(), ...s3.unfinished.keys()],
      end: async () => {
        s3.objects.clear();
        s3.unfinished.clear();
      },
    }),
  },
];

describe.each(backends)('objects in $name', ({ open }) => {
  let opened: Awaited<ReturnType<Backend['open']>>;
  let store: OpenedStore;
  beforeEach(async () => {
    opened = await open();
    ({ store } = opened);
  });
  afterEach(async () => {
    await store.close();
    await opened.end();
  });

  const bytes = (text: string) => Buffer.from(text);
  const text = async (key: string, range?: { offset: number; length: number }) =>
    Buffer.from(await store.get(key, range ? { range } : {})).toString();
  const keys = async (prefix: string): Promise<string[]> => {
    const allKeys: string[] = [];
    for await (const key of store.list(prefix)) allKeys.push(key);
    return allKeys;
  };

  test('are read whole, in ranges and into given memory', async () => {
    await store.put('a/b', bytes('0123456789'));
    expect(await text('a/b')).toBe('0123456789');
    expect(await text('a/b', { offset: 3, length: 4 })).toBe('3456');
    expect(await text('a/b', { offset: 10, length: 0 })).toBe('');
    const into = new Uint8Array(20);
    const part = await store.get('a/b', { range: { offset: 8, length: 2 }, into });
    expect([part.buffer === into.buffer, Buffer.from(part).toString()]).toEqual([true, '89']);
    expect(await store.head('a/b')).toMatchObject({ size: 10 });
  });

  test.each([
    [8, 3],
    [10, 1],
    [11, 0],
    [-1, 2],
  ])('are not read beyond their end: %i, %i', async (offset, length) => {
    await store.put('a', bytes('0123456789'));
    await expect(store.get('a', { range: { offset, length } })).rejects.toThrow(RangeError);
  });

  test('that are missing are reported as such, or ignored', async () => {
    await store.put('a/b', bytes('x'));
    await expect(store.get('c')).rejects.toThrow(ObjectNotFound);
    await expect(store.get('a')).rejects.toThrow(ObjectNotFound);
    expect(await store.head('a')).toBeUndefined();
    await store.delete('c');
    expect(await keys('')).toEqual(['a/b']);
  });

  test.each(['../out', 'a//b', '', 'a/./b', 'a\0b', 'a\\b'])('have no key %j', async (key) => {
    await expect(store.get(key)).rejects.toThrow(InvalidObjectKey);
    await expect(store.put(key, bytes('x'))).rejects.toThrow(InvalidObjectKey);
    await expect(store.delete(key)).rejects.toThrow(InvalidObjectKey);
    await expect(store.head(key)).rejects.toThrow(InvalidObjectKey);
    expect(await opened.all()).toEqual([]);
  });

  test('that were replaced or deleted are never answered as they were, and have another tag', async () => {
    await store.put('a', bytes('old value'));
    expect(await text('a', { offset: 0, length: 3 })).toBe('old');
    const before = await store.head('a');
    expect((await store.head('a'))?.tag).toBe(before?.tag);
    await store.put('a', bytes('new value'));
    expect(await text('a', { offset: 0, length: 3 })).toBe('new');
    expect((await store.head('a'))?.tag).not.toBe(before?.tag);
    await store.delete('a');
    await expect(store.get('a')).rejects.toThrow(ObjectNotFound);
  });

  test('are listed in byte order, by any prefix', async () => {
    for (const key of ['a/c', 'a.b', 'a/b/d', 'a0', 'b']) await store.put(key, bytes('x'));
    expect(await keys('')).toEqual(['a.b', 'a/b/d', 'a/c', 'a0', 'b']);
    expect(await keys('a/')).toEqual(['a/b/d', 'a/c']);
    expect(await keys('a')).toEqual(['a.b', 'a/b/d', 'a/c', 'a0']);
    expect(await keys('nothing/')).toEqual([]);
  });

  test.each([
    ['early', 10],
    ['in a later part', 18_000_000],
  ])('whose source fails %s leave the old one and nothing else', async (_when, size) => {
    await store.put('a', bytes('old'));
    async function* failing() {
      yield new Uint8Array(size);
      await Promise.resolve();
      throw new Error('source broke');
    }
    await expect(store.put('a', failing())).rejects.toThrow('source broke');
    expect(await text('a')).toBe('old');
    expect(await opened.all()).toEqual(['a']);
  });

  test('are neither read nor written for a caller that is gone', async () => {
    await store.put('a', bytes('x'));
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(store.get('a', { signal })).rejects.toThrow('gone');
    async function* body() {
      yield bytes('y');
    }
    await expect(store.put('a', body(), { signal })).rejects.toThrow('gone');
    expect(await text('a')).toBe('x');
  });
});
