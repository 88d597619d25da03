import { expect, test } from 'vitest';
import { ByteCache } from './byte-cache.ts';

test('the least recently used values give way to new ones', () => {
  const cache = new ByteCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  cache.get('a');
  cache.set('c', 'C', 4);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
  expect(cache.bytes).toBe(8);
});

test('a value larger than the budget is not kept and evicts nothing', () => {
  const cache = new ByteCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('big', 'B', 11);
  expect(cache.get('a')).toBe('A');
  expect(cache.get('big')).toBeUndefined();
});

test('replacing a value frees what it held', () => {
  const cache = new ByteCache<string>(10);
  cache.set('a', 'A', 9);
  cache.set('a', 'A', 3);
  expect(cache.bytes).toBe(3);
});
