import { expect, test } from 'vitest';
import { planPieces } from './piece-plan.ts';

const layout = { valueCount: 100, innerLength: 10, shardLength: 40 };
/** Genes of 4, 3, 13, 0, 30, 45 and 5 entries. */
const indptr = Float64Array.of(0, 4, 7, 20, 20, 50, 95, 100);

test('genes in the same inner chunk share a run, and a gene is cut where its inner chunks are', () => {
  expect(planPieces(layout, indptr, Int32Array.of(0, 2), { chunks: 8, gap: 0 })).toEqual([
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

test('a run ends at its shard, at its limit and at a gap; inner chunks that nobody wants are known', () => {
  const spans = (rows: number[], limits: { chunks: number; gap: number }) =>
    planPieces(layout, indptr, Int32Array.from(rows), limits).map(
      ({ start, end, wanted }) => `${start}-${end}: ${[...wanted].join()}`,
    );
  expect(spans([4], { chunks: 8, gap: 0 })).toEqual(['20-40: 0,1', '40-50: 0']);
  expect(spans([5], { chunks: 2, gap: 0 })).toEqual(['50-70: 0,1', '70-80: 0', '80-100: 0,1']);
  expect(spans([0, 6], { chunks: 8, gap: 1 })).toEqual(['0-10: 0', '90-100: 0']);
  expect(spans([0, 4], { chunks: 8, gap: 0 })).toEqual(['0-10: 0', '20-40: 0,1', '40-50: 0']);
  expect(spans([0, 4], { chunks: 8, gap: 1 })).toEqual(['0-40: 0,2,3', '40-50: 0']);
});

test('genes without entries need nothing', () => {
  expect(planPieces(layout, indptr, Int32Array.of(3), { chunks: 8, gap: 0 })).toEqual([]);
});

test.each([[[1, 0]], [[2, 2]], [[-1]], [[7]]])('genes %j are refused', (rows) => {
  expect(() => planPieces(layout, indptr, Int32Array.from(rows), { chunks: 8, gap: 0 })).toThrow(RangeError);
});
