import { expect, test } from 'vitest';
import { parseShardIndex, shardIndexBytes, shardIndexSize } from './shard-index.ts';

test('inner chunks appended one after the other are found again, absent ones have no length', () => {
  const bytes = shardIndexBytes([10, 20], 3);
  expect(bytes.length).toBe(shardIndexSize(3));
  const index = parseShardIndex(bytes, 30 + bytes.length);
  expect([...index.offsets]).toEqual([0, 10, 0]);
  expect([...index.lengths]).toEqual([10, 20, 0]);
});

test('a flipped bit and a chunk outside the shard are refused', () => {
  const bytes = shardIndexBytes([10, 20], 3);
  expect(() => parseShardIndex(bytes, 29 + bytes.length)).toThrow('does not lie inside');
  bytes[3]! ^= 1;
  expect(() => parseShardIndex(bytes, 30 + bytes.length)).toThrow('checksum');
});
