import { expect, test } from 'vitest';
import { planEntries } from './gene-plan.ts';

/** Shards of 4 inner chunks of 10 values each, of which each takes 7 bytes. */
const layout = { valueCount: 75, innerLength: 10, shardLength: 40 };
const plan = (start: number, end: number) => planEntries(layout, 7, start, end);

test('a gene inside one inner chunk is one read of that chunk', () => {
  expect(plan(12, 15)).toEqual([
    { shard: 0, range: { offset: 7, length: 7 }, chunks: [{ offset: 0, from: 2, to: 5, into: 0 }] },
  ]);
});

test('a gene over several inner chunks is one read of the bytes they share', () => {
  expect(plan(9, 30)).toEqual([
    {
      shard: 0,
      range: { offset: 0, length: 21 },
      chunks: [
        { offset: 0, from: 9, to: 10, into: 0 },
        { offset: 7, from: 0, to: 10, into: 1 },
        { offset: 14, from: 0, to: 10, into: 11 },
      ],
    },
  ]);
});

test('a gene over two shards is one read of each', () => {
  expect(plan(38, 51)).toEqual([
    { shard: 0, range: { offset: 21, length: 7 }, chunks: [{ offset: 0, from: 8, to: 10, into: 0 }] },
    {
      shard: 1,
      range: { offset: 0, length: 14 },
      chunks: [
        { offset: 0, from: 0, to: 10, into: 2 },
        { offset: 7, from: 0, to: 1, into: 12 },
      ],
    },
  ]);
});

test('a gene without entries needs no read, wherever it lies', () => {
  for (const at of [0, 10, 40, 75]) expect(plan(at, at)).toEqual([]);
});

test('a gene that ends where an inner chunk or a shard ends does not touch the next', () => {
  expect(plan(0, 10).map(({ range }) => range)).toEqual([{ offset: 0, length: 7 }]);
  expect(plan(30, 40)).toHaveLength(1);
});
