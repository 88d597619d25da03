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
  const allKeys: string[] = [];
  for await (const key of store.list(prefix)) allKeys.push(key);
  return allKeys;
}

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

test('more files than are kept open are read at the same time, over and over', async () => {
  const openFiles = async () => (process.platform === 'linux' ? (await readdir('/proc/self/fd')).length : 0);
  const names = Array.from({ length: 150 }, (_, i) => `f/${i}`);
  const before = await openFiles();
  await Promise.all(names.map((name) => store.put(name, bytes(name))));
  for (let round = 0; round < 3; round++) {
    expect(await Promise.all(names.map((name) => text(name)))).toEqual(names);
  }
  expect((await openFiles()) - before).toBeLessThan(64 + 16);
});
