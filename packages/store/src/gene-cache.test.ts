import { expect, test } from 'vitest';
import { GeneCache } from './gene-cache.ts';

const gene = (entries: number) => ({
  cellCount: entries,
  cells: new Int32Array(entries),
  values: new Float32Array(entries),
});
const dataset = { id: 'a.h5ad', version: 'v1' };

test('the genes of all datasets share one budget, and the least recently used one goes first', () => {
  const cache = new GeneCache(20_000);
  const other = { id: 'b.h5ad', version: 'v1' };
  cache.set(dataset, 1, gene(1000));
  cache.set(other, 1, gene(1000));
  cache.get(dataset, 1);
  cache.set(other, 2, gene(1000));
  expect([cache.get(dataset, 1), cache.get(other, 1), cache.get(other, 2)].map(Boolean)).toEqual([
    true,
    false,
    true,
  ]);
  expect(cache.use.bytes).toBeLessThanOrEqual(20_000);
});

test('a dataset is forgotten at one version or at all, and others of a similar name are kept', () => {
  const cache = new GeneCache(1_000_000);
  const newer = { id: 'a.h5ad', version: 'v2' };
  const similar = { id: 'a.h5ad2', version: 'v1' };
  for (const one of [dataset, newer, similar]) cache.set(one, 3, gene(1));
  cache.forget('a.h5ad', 'v1');
  expect([cache.get(dataset, 3), cache.get(newer, 3)].map(Boolean)).toEqual([false, true]);
  cache.forget('a.h5ad');
  expect([cache.get(newer, 3), cache.get(similar, 3)].map(Boolean)).toEqual([false, true]);
});
