import { expect, test } from 'vitest';
import { planEntries } from './gene-plan.ts';
import type { ShardIndex } from './shard-index.ts';

/** Shards of 4 inner chunks of 10 values each; chunk i of each shard takes 5 + i bytes. */
const layout = { valueCount: 75, innerLength: 10, shardLength: 40 };
const full: ShardIndex = { offsets: Float64Array.of(0, 5, 11, 18), lengths: Uint32Array.of(5, 6, 7, 8) };
const shards = [full, full];

test('a gene inside one inner chunk is one read of that chunk', () => {
  expect(planEntries(layout, shards, 12, 15)).toEqual([
    {
      shard: 0,
      range: { offset: 5, length: 6 },
      chunks: [{ offset: 0, length: 6, from: 2, to: 5, into: 0 }],
    },
  ]);
});

test('a gene over several inner chunks is one read of the bytes they share', () => {
  expect(planEntries(layout, shards, 9, 30)).toEqual([
    {
      shard: 0,
      range: { offset: 0, length: 18 },
      chunks: [
        { offset: 0, length: 5, from: 9, to: 10, into: 0 },
        { offset: 5, length: 6, from: 0, to: 10, into: 1 },
        { offset: 11, length: 7, from: 0, to: 10, into: 11 },
      ],
    },
  ]);
});

test('a gene over two shards is one read of each', () => {
  expect(planEntries(layout, shards, 38, 51)).toEqual([
    {
      shard: 0,
      range: { offset: 18, length: 8 },
      chunks: [{ offset: 0, length: 8, from: 8, to: 10, into: 0 }],
    },
    {
      shard: 1,
      range: { offset: 0, length: 11 },
      chunks: [
        { offset: 0, length: 5, from: 0, to: 10, into: 2 },
        { offset: 5, length: 6, from: 0, to: 1, into: 12 },
      ],
    },
  ]);
});

test('a gene without entries needs no read, wherever it lies', () => {
  for (const at of [0, 10, 40, 75]) expect(planEntries(layout, shards, at, at)).toEqual([]);
});

test('a gene that ends where an inner chunk or a shard ends does not touch the next', () => {
  expect(planEntries(layout, shards, 0, 10).map(({ range }) => range)).toEqual([{ offset: 0, length: 5 }]);
  expect(planEntries(layout, shards, 30, 40)).toHaveLength(1);
});

test('an inner chunk that is not stored is an error, not a row of zeros', () => {
  const holed = { offsets: full.offsets, lengths: Uint32Array.of(5, 0, 7, 8) };
  expect(() => planEntries(layout, [holed, full], 0, 20)).toThrow(RangeError);
  expect(() => planEntries(layout, [full], 38, 51)).toThrow(RangeError);
});
