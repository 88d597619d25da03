import { expect, test } from 'vitest';
import { ByteCache } from './byte-cache.ts';

const cacheOf = (limit: number) => new ByteCache<string, Uint8Array>(limit, (value) => value.length);

test('the least recently used value goes first, and the bytes stay under the limit', () => {
  const cache = cacheOf(10);
  cache.set('a', new Uint8Array(4));
  cache.set('b', new Uint8Array(4));
  cache.get('a');
  cache.set('c', new Uint8Array(4));
  expect([cache.get('a')?.length, cache.get('b'), cache.get('c')?.length]).toEqual([4, undefined, 4]);
  expect(cache.use.bytes).toBe(8);
});

test('a value larger than the whole cache is not kept and pushes nothing out', () => {
  const cache = cacheOf(10);
  cache.set('a', new Uint8Array(4));
  cache.set('b', new Uint8Array(11));
  expect([cache.get('a')?.length, cache.get('b')]).toEqual([4, undefined]);
});

test('a value set again is counted once', () => {
  const cache = cacheOf(10);
  cache.set('a', new Uint8Array(6));
  cache.set('a', new Uint8Array(7));
  expect(cache.use.bytes).toBe(7);
});

test('values whose keys match are forgotten, and their bytes are free', () => {
  const cache = cacheOf(10);
  cache.set('a|1', new Uint8Array(3));
  cache.set('b|1', new Uint8Array(4));
  cache.forget((key) => key.startsWith('a|'));
  expect([cache.get('a|1'), cache.get('b|1')?.length, cache.use.bytes]).toEqual([undefined, 4, 4]);
});

test('what is found, missed and pushed out is counted; what is forgotten was not pushed out', () => {
  const cache = cacheOf(10);
  cache.set('a', new Uint8Array(6));
  cache.set('b', new Uint8Array(6));
  cache.get('a');
  cache.get('b');
  cache.get('b');
  cache.forget((key) => key === 'b');
  expect(cache.use).toEqual({ hits: 2, misses: 1, evictions: 1, bytes: 0, limit: 10 });
});
