import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { InvalidObjectKey, ObjectNotFound } from './errors.ts';
import { FileObjectStore } from './file-object-store.ts';

let root: string;
let store: FileObjectStore;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellfolio-objects-'));
  store = new FileObjectStore(join(root, 'inside'));
});

afterEach(async () => {
  await store.close();
  await rm(root, { recursive: true });
});

const bytes = (text: string) => Buffer.from(text);
const text = async (key: string, range?: { offset: number; length: number }) =>
  Buffer.from(await store.get(key, range ? { range } : {})).toString();

async function keys(prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const key of store.list(prefix)) found.push(key);
  return found;
}

test('an object is read whole and in ranges', async () => {
  await store.put('a/b', bytes('0123456789'));
  expect(await text('a/b')).toBe('0123456789');
  expect(await text('a/b', { offset: 3, length: 4 })).toBe('3456');
  expect(await text('a/b', { offset: 10, length: 0 })).toBe('');
  expect(await store.head('a/b')).toMatchObject({ size: 10 });
});

test('a range outside the object is an error, not fewer bytes', async () => {
  await store.put('a', bytes('0123456789'));
  for (const range of [
    { offset: 8, length: 3 },
    { offset: -1, length: 2 },
  ]) {
    await expect(store.get('a', { range })).rejects.toThrow(RangeError);
  }
});

test.each(['../out', 'a/../../out', '/etc/passwd', 'a//b', 'a/', '.', 'a/./b', 'a\0b', '', 'a\\..\\b'])(
  'the key %j is refused by every method',
  async (key) => {
    await writeFile(join(root, 'out'), 'secret');
    await expect(store.get(key)).rejects.toThrow(InvalidObjectKey);
    await expect(store.put(key, bytes('x'))).rejects.toThrow(InvalidObjectKey);
    await expect(store.delete(key)).rejects.toThrow(InvalidObjectKey);
    await expect(store.head(key)).rejects.toThrow(InvalidObjectKey);
    expect(await readdir(root)).toEqual(['out']);
  },
);

test('a prefix cannot list outside the root', async () => {
  await expect(keys('../')).rejects.toThrow(InvalidObjectKey);
});

test('an absent object and a folder are both not found', async () => {
  await store.put('a/b', bytes('x'));
  await expect(store.get('c')).rejects.toThrow(ObjectNotFound);
  await expect(store.get('a')).rejects.toThrow(ObjectNotFound);
  await expect(store.get('a/b/c')).rejects.toThrow(ObjectNotFound);
  expect(await store.head('a')).toBeUndefined();
  await store.delete('c');
});

test('an object that was replaced or deleted is never answered from the old file', async () => {
  await store.put('a', bytes('old value'));
  expect(await text('a', { offset: 0, length: 3 })).toBe('old');
  await store.put('a', bytes('new value'));
  expect(await text('a', { offset: 0, length: 3 })).toBe('new');
  await store.delete('a');
  await expect(store.get('a')).rejects.toThrow(ObjectNotFound);
});

test('keys are listed in byte order, by any prefix', async () => {
  for (const key of ['a/c', 'a.b', 'a/b/d', 'a0', 'b']) await store.put(key, bytes('x'));
  expect(await keys('')).toEqual(['a.b', 'a/b/d', 'a/c', 'a0', 'b']);
  expect(await keys('a/')).toEqual(['a/b/d', 'a/c']);
  expect(await keys('a')).toEqual(['a.b', 'a/b/d', 'a/c', 'a0']);
  expect(await keys('a/b')).toEqual(['a/b/d']);
  expect(await keys('nothing/')).toEqual([]);
});

test('an object whose source fails midway leaves the old one and nothing else', async () => {
  await store.put('a', bytes('old'));
  async function* failing() {
    yield bytes('half');
    await Promise.resolve();
    throw new Error('source broke');
  }
  await expect(store.put('a', failing())).rejects.toThrow('source broke');
  expect(await text('a')).toBe('old');
  expect(await readdir(join(root, 'inside'))).toEqual(['a']);
});

test('more files than are kept open are read at the same time, over and over', async () => {
  const names = Array.from({ length: 150 }, (_, i) => `f/${i}`);
  await Promise.all(names.map((name) => store.put(name, bytes(name))));
  for (let round = 0; round < 3; round++) {
    expect(await Promise.all(names.map((name) => text(name)))).toEqual(names);
  }
  const open = process.platform === 'linux' ? (await readdir('/proc/self/fd')).length : 0;
  expect(open).toBeLessThan(64 + 64);
});

test('a cancelled read does not start', async () => {
  await store.put('a', bytes('x'));
  await expect(store.get('a', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
});
