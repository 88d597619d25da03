import { expect, test } from 'vitest';
import { median, quantile, ratioOf } from './statistics.ts';

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[10, 9], 9.5],
  [[7], 7],
])('the median of %o is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test('the median of nothing is not a number', () => {
  expect(median([])).toBeNaN();
});

test('the ratio is above 1 where ours is the faster, and one slow run does not decide it', () => {
  expect(ratioOf([1, 1, 100], [20, 21, 19])).toBe(20);
});

test('a quantile is the smallest value that so many are at most', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect([
    quantile(hundred, 0.95),
    quantile(hundred, 0.5),
    quantile(hundred, 1),
    quantile(hundred, 0),
  ]).toEqual([95, 50, 100, 1]);
  expect(quantile([], 0.5)).toBeNaN();
});
