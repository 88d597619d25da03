import { expect, test } from 'vitest';
import { adjustedRandIndex } from './adjusted-rand-index.ts';

// Expected values from sklearn.metrics.adjusted_rand_score.
test.each([
  ['the same under other numbers', [0, 0, 1, 1], [1, 1, 0, 0], 1],
  ['one cluster each', [0, 0, 0], [0, 0, 0], 1],
  ['a cluster cut in two', [0, 0, 1, 2], [0, 0, 1, 1], 0.571_428_571_428_571_4],
  ['every pair parted', [0, 0, 1, 1], [0, 1, 0, 1], -0.5],
])('%s', (_, a, b, expected) => {
  expect(adjustedRandIndex(a, b)).toBeCloseTo(expected, 12);
  expect(adjustedRandIndex(b, a)).toBeCloseTo(expected, 12);
});
