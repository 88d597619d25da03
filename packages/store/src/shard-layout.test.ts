import { expect, test } from 'vitest';
import { chunksPerShard, shardCount, shardLayout } from './shard-layout.ts';

test('160 million entries of at most 100,000 a gene fill ten shards of 512 inner chunks', () => {
  const layout = shardLayout(160_000_000, 100_000);
  expect(layout).toEqual({ valueCount: 160_000_000, innerLength: 32_768, shardLength: 16_777_216 });
  expect(chunksPerShard(layout)).toBe(512);
  expect(shardCount(layout)).toBe(10);
});

test('a shard is never shorter than the largest gene, so that no gene touches three', () => {
  expect(shardLayout(200_000_000, 16_777_217).shardLength).toBe(33_554_432);
});

test('small matrices get one shard of their size, tiny and empty ones one inner chunk', () => {
  expect(shardLayout(40_000, 10)).toEqual({ valueCount: 40_000, innerLength: 32_768, shardLength: 65_536 });
  expect(shardLayout(100, 10)).toEqual({ valueCount: 100, innerLength: 100, shardLength: 100 });
  expect(shardCount(shardLayout(0, 0))).toBe(0);
});
