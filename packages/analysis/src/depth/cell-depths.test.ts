import { expect, test } from 'vitest';
import { keptShares, setDepths, writeKept } from './cell-depths.ts';

const codes = Uint16Array.of(0, 0, 1, 1, 2, 3);
const totals = [100, 400, 50, 50, NaN, 9];

test('counts per cell are geometric means of each set and of the others, without cells of no set or no number', () => {
  const { cells, counts, others } = setDepths(totals, { codes, setCount: 3 });
  expect([...cells]).toEqual([2, 2, 0]);
  expect(counts[0]).toBeCloseTo(200, 10);
  expect(counts[1]).toBeCloseTo(50, 10);
  expect(counts[2]).toBeNaN();
  expect(others[0]).toBeCloseTo(50, 10);
  expect(others[1]).toBeCloseTo(200, 10);
  expect(others[2]).toBeCloseTo(100, 10);
});

test('of codes of several parts those of one are looked at', () => {
  const within = { partOf: Uint16Array.of(0, 1, 0, 1, 0, 0), part: 1 };
  expect([...setDepths(totals, { codes, setCount: 2, within }).cells]).toEqual([1, 1]);
});

test('every set keeps as much as brings it to the one with the fewest counts', () => {
  const sets = { codes, setCount: 3 };
  const shares = keptShares(setDepths(totals, sets));
  expect(shares[0]).toBeCloseTo(0.25, 12);
  expect([shares[1], shares[2]]).toEqual([1, 1]);
  const chances = new Float64Array(6).fill(1);
  writeKept(shares, sets, chances);
  expect(Array.from(chances, (share) => Number(share.toFixed(6)))).toEqual([0.25, 0.25, 1, 1, 1, 1]);
});

test('a set of few cells does not decide where another does', () => {
  const depths = { cells: Float64Array.of(50, 9, 40), counts: Float64Array.of(1000, 10, 500) };
  expect([...keptShares(depths)]).toEqual([0.5, 1, 1]);
});
