import { expect, test } from 'vitest';
import { geneBlocks } from './gene-blocks.ts';

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
])('%d entries from gene %d to %d are refused', (most, from, to) => {
  expect(() => geneBlocks(starts, most, from, to)).toThrow(RangeError);
});
