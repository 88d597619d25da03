import { expect, test } from 'vitest';
import { moveLargestToEnd, quantileAmong, quantileOf } from './quantile.ts';

function numbers(count: number): Float64Array {
  let state = 7;
  return Float64Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * 50);
  });
}

test.each([0, 1, 2, 3, 10, 301])(
  'quantiles of %i numbers are the same without their being sorted',
  (count) => {
    const values = numbers(count);
    const original = values.slice();
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      expect(quantileAmong(values, share)).toBe(quantileOf(values.toSorted(), share));
    }
    expect(values).toEqual(original);
  },
);

test.each([1, 20, 300])('the %i largest come last, the least of them first', (count) => {
  const values = numbers(301);
  const rising = values.toSorted();
  moveLargestToEnd(values, count);
  const place = values.length - count;
  expect(values[place]).toBe(rising[place]);
  expect(values.subarray(place).toSorted()).toEqual(rising.subarray(place));
});
