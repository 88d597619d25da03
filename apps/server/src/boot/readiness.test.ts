import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@cellfolio/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Readiness } from './readiness.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-readiness-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const database = { pool: { query: async () => ({ rows: [] }) } } as unknown as Database;

function store(failing?: Error) {
  const held = new Map<string, Uint8Array>();
  const calls: string[] = [];
  const call = (name: string) => {
    calls.push(name);
    if (failing) throw failing;
  };
  return {
    calls,
    held,
    head: async (key: string) => {
      call('head');
      return held.has(key) ? { size: held.get(key)!.length, tag: 't' } : undefined;
    },
    get: async (key: string) => {
      call('get');
      return held.get(key)!;
    },
    put: async (key: string, body: unknown) => {
      call('put');
      held.set(key, body as Uint8Array);
    },
  };
}

test('the readiness check writes and reads the object store once, and then only looks up the object', async () => {
  const objects = store();
  const readiness = new Readiness(folder, database, objects);
  for (let time = 0; time < 3; time++) expect(await readiness.missing()).toBeUndefined();
  expect(objects.calls).toEqual(['put', 'get', 'head', 'head']);
  objects.held.clear();
  expect(await readiness.missing()).toBeUndefined();
  expect(objects.calls.slice(4)).toEqual(['head', 'put', 'get']);
});

test('a bucket that does not exist is named, and other failures of the store are', async () => {
  const missing = async (error: Error) => new Readiness(folder, database, store(error)).missing();
  const cause = Object.assign(new Error('no'), { name: 'NoSuchBucket' });
  expect(await missing(new Error('could not write', { cause }))).toBe(
    'The bucket of OBJECT_STORE_URL does not exist.',
  );
  expect(await missing(new Error('refused'))).toBe('The object store is unavailable.');
});

test('a store that loses or changes what it was given is not ready', async () => {
  const objects = { ...store(), get: async () => new Uint8Array(3) };
  expect(await new Readiness(folder, database, objects).missing()).toBe(
    'The object store does not return what it was given.',
  );
});
