import { expect, test } from 'vitest';
import { geneBlocks, planEntries, planPieces } from './read-plan.ts';

/** Shards of 4 inner chunks of 10 values each; every chunk takes 7 bytes. */
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

const wholeLayout = { valueCount: 100, innerLength: 10, shardLength: 40 };
/** Genes of 4, 3, 13, 0, 30, 45 and 5 entries. */
const indptr = Float64Array.of(0, 4, 7, 20, 20, 50, 95, 100);

test('genes in the same inner chunk share a run, and a gene is cut where its inner chunks are', () => {
  expect(planPieces(wholeLayout, indptr, Int32Array.of(0, 2), { chunks: 8, gap: 0 })).toEqual([
    {
      start: 0,
      end: 20,
      wanted: new Set([0, 1]),
      pieces: [
        { place: 0, start: 0, end: 4 },
        { place: 1, start: 7, end: 10 },
        { place: 1, start: 10, end: 20 },
      ],
    },
  ]);
});

test('a run ends at its shard, at its limit and at a gap; unwanted inner chunks are marked', () => {
  const spans = (rows: number[], limits: { chunks: number; gap: number }) =>
    planPieces(wholeLayout, indptr, Int32Array.from(rows), limits).map(
      ({ start, end, wanted }) => `${start}-${end}: ${[...wanted].join()}`,
    );
  expect(spans([4], { chunks: 8, gap: 0 })).toEqual(['20-40: 0,1', '40-50: 0']);
  expect(spans([5], { chunks: 2, gap: 0 })).toEqual(['50-70: 0,1', '70-80: 0', '80-100: 0,1']);
  expect(spans([0, 6], { chunks: 8, gap: 1 })).toEqual(['0-10: 0', '90-100: 0']);
  expect(spans([0, 4], { chunks: 8, gap: 0 })).toEqual(['0-10: 0', '20-40: 0,1', '40-50: 0']);
  expect(spans([0, 4], { chunks: 8, gap: 1 })).toEqual(['0-40: 0,2,3', '40-50: 0']);
});

test('genes without entries need nothing', () => {
  expect(planPieces(wholeLayout, indptr, Int32Array.of(3), { chunks: 8, gap: 0 })).toEqual([]);
});

test.each([[[1, 0]], [[2, 2]], [[-1]], [[7]]])('genes %j are refused', (rows) => {
  expect(() => planPieces(wholeLayout, indptr, Int32Array.from(rows), { chunks: 8, gap: 0 })).toThrow(
    RangeError,
  );
});

const starts = Float64Array.of(0, 4, 4, 7, 20, 21, 21);

test('genes are gathered up to the given number of entries', () => {
  expect(geneBlocks(starts, 7)).toEqual([
    { from: 0, to: 3 },
    { from: 3, to: 4 },
    { from: 4, to: 6 },
  ]);
});

test('a gene with more entries than that is a block of its own', () => {
  expect(geneBlocks(starts, 3, 2, 5)).toEqual([
    { from: 2, to: 3 },
    { from: 3, to: 4 },
    { from: 4, to: 5 },
  ]);
});

test('every gene is in one block, those without entries too', () => {
  expect(geneBlocks(new Float64Array(4), 1)).toEqual([{ from: 0, to: 3 }]);
  expect(geneBlocks(starts, 1e9)).toEqual([{ from: 0, to: 6 }]);
  expect(geneBlocks(starts, 5, 6, 6)).toEqual([]);
  expect(geneBlocks(Float64Array.of(0), 5)).toEqual([]);
});

test.each([
  [0, 0, 6],
  [NaN, 0, 6],
  [5, -1, 6],
  [5, 3, 2],
  [5, 0, 7],
  [5, 0.5, 6],
])('%d entries from gene %d to %d are refused', (maxEntries, from, to) => {
  expect(() => geneBlocks(starts, maxEntries, from, to)).toThrow(RangeError);
});
