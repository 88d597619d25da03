import { expect, test } from 'vitest';
import { combinationCounts, setCombinations, setComposition } from './set-overlap.ts';

const mask = (...bits: number[]) => ({
  bits: Uint8Array.from(bits),
  count: bits.reduce((sum, bit) => sum + bit, 0),
});

test('every cell is in one combination of the sets, and the counts of all add up to the cells', () => {
  const combinations = setCombinations([mask(1, 1, 0, 0, 1), mask(0, 1, 1, 0, 1), undefined], 5);
  expect(Array.from(combinations)).toEqual([0b101, 0b111, 0b110, 0b100, 0b111]);
  const counts = combinationCounts(combinations, 3);
  expect(Array.from(counts)).toEqual([0, 0, 0, 0, 1, 1, 1, 2]);
});

test('masks of another dataset and more than eight sets are refused', () => {
  expect(() => setCombinations([mask(1, 0)], 3)).toThrow('A mask of 2 cells does not fit 3 cells.');
  expect(() =>
    setCombinations(
      Array.from({ length: 9 }, () => undefined),
      3,
    ),
  ).toThrow(RangeError);
});

test('cells of each set are counted in each category, those in none apart', () => {
  const combinations = setCombinations([mask(1, 1, 0, 1), undefined], 4);
  const column = { codes: Int8Array.of(0, 1, 1, -1), categories: ['a', 'b', 'empty'] };
  expect([...setComposition(combinations, 2, column)]).toEqual([1, 1, 1, 2, 0, 0, 1, 1]);
  expect(() => setComposition(combinations, 2, { ...column, codes: new Int8Array(3) })).toThrow(RangeError);
});
