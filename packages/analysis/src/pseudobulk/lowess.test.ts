import { expect, test } from 'vitest';
import { lowess } from './lowess.ts';
import { mismatches, numbersOf, reference } from './testing/reference.ts';

test.each(reference.curves)("$x.length points have the curve of R's lowess", ({ x, y, line }) => {
  expect(mismatches({ curve: [lowess(numbersOf(x), numbersOf(y), 0.5), line] })).toEqual([]);
});

test('one point and points of one x are their own curve and their mean', () => {
  expect(lowess(Float64Array.of(3), Float64Array.of(7), 0.5)).toEqual(Float64Array.of(7));
  expect(lowess(new Float64Array(0), new Float64Array(0), 0.5)).toHaveLength(0);
  // Two neighbours of the same x have no window to be weighted in: each keeps its value.
  expect(Array.from(lowess(Float64Array.of(1, 1), Float64Array.of(2, 2), 0.5))).toEqual([2, 2]);
});
