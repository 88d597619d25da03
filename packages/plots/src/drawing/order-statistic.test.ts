import { expect, test } from 'vitest';
import { seeded } from '../mixture.test-data.ts';
import { orderStatistic, percentile } from './order-statistic.ts';

const uniform = seeded(5);
const kinds: Readonly<Record<string, (i: number) => number>> = {
  'random values': () => uniform() - 0.5,
  'few distinct values': () => Math.floor(3 * uniform()),
  'rising values': (i) => i,
  'falling values': (i) => -i,
  'one value': () => 7,
  'an organ pipe': (i) => Math.min(i, 500 - i),
};

test.each(Object.keys(kinds))('of %s every rank is that of the sorted list', (kind) => {
  for (const count of [1, 2, 3, 10, 501]) {
    const values = Float64Array.from({ length: count }, (_, i) => kinds[kind]!(i));
    const sorted = values.slice().sort();
    for (const rank of [0, 1, count >> 1, count - 2, count - 1]) {
      if (rank < 0 || rank >= count) continue;
      const moved = values.slice();
      expect(orderStatistic(moved, rank)).toBe(sorted[rank]);
      expect(Math.max(...moved.subarray(0, rank + 1))).toBe(sorted[rank]);
      expect(moved.sort()).toEqual(sorted);
    }
  }
});

// numpy 2.4.6: np.percentile([3, -1, 4, 1, -5, 9, 2, 6], [0, 1, 25, 50, 99, 100])
test.each([
  [0, -5],
  [0.01, -4.72],
  [0.25, 0.5],
  [0.5, 2.5],
  [0.99, 8.79],
  [1, 9],
])('the percentile at %f is that of numpy', (part, expected) => {
  expect(percentile(Float64Array.of(3, -1, 4, 1, -5, 9, 2, 6), part)).toBeCloseTo(expected, 12);
});

test('no values have no percentile', () => {
  expect(percentile(new Float64Array(0), 0.5)).toBeNaN();
});
