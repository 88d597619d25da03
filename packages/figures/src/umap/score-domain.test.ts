import { expect, test } from 'vitest';
import { maskOf, seeded } from '../mixture.test-data.ts';
import { scoreDomain, orderStatistic, percentile } from './score-domain.ts';

function bell(seed: number, cells: number, outliers: readonly number[]): number[] {
  const uniform = seeded(seed);
  const scores = Array.from({ length: cells }, () => uniform() + uniform() + uniform() - 1.5);
  outliers.forEach((outlier, i) => (scores[(i * 37 + seed) % cells] = outlier));
  return scores;
}

test.each([1, 2, 3, 4, 5, 6])(
  'both ends lie at the 1st and 99th percentile where outliers stretch them (%i)',
  (seed) => {
    const cells = 400 * seed;
    const scores = bell(seed, cells, [10 ** seed, -(10 ** seed)]);
    const { domain } = scoreDomain(Float64Array.from(scores));
    expect([domain.clippedLow, domain.clippedHigh]).toEqual([true, true]);
    const sorted = [...scores].sort((a, b) => a - b);
    const at = (part: number): number => {
      const rank = part * (cells - 1);
      const below = Math.floor(rank);
      return sorted[below]! + (sorted[below + 1]! - sorted[below]!) * (rank - below);
    };
    expect(domain.low).toBeCloseTo(at(0.01), 12);
    expect(domain.high).toBeCloseTo(at(0.99), 12);
    expect([domain.min, domain.max]).toEqual([Math.min(...scores), Math.max(...scores)]);
  },
);

test('an outlier of 1e300 does not blind the bar to the other scores', () => {
  const { domain } = scoreDomain(Float64Array.from(bell(9, 2000, [1e300])));
  expect(domain.clippedHigh).toBe(true);
  expect(domain.high).toBeLessThan(1.5);
  expect(domain.high).toBeGreaterThan(1);
});

test('scores without outliers keep their whole range', () => {
  const scores = Float64Array.from({ length: 1000 }, (_, i) => i / 999 - 0.25);
  expect(scoreDomain(scores)).toEqual({
    scored: 1000,
    domain: { low: -0.25, high: 0.75, min: -0.25, max: 0.75, clippedLow: false, clippedHigh: false },
  });
});

test('of fewer than 200 cells every score counts', () => {
  const { domain } = scoreDomain(Float64Array.from(bell(3, 199, [50])));
  expect(domain.high).toBe(50);
  expect(domain.clippedHigh).toBe(false);
});

test('many cells of one score and a few of another keep both ends', () => {
  const scores = new Float64Array(1000);
  scores.set([1, 1, 1], 500);
  expect(scoreDomain(scores).domain).toEqual({
    low: 0,
    high: 1,
    min: 0,
    max: 1,
    clippedLow: false,
    clippedHigh: false,
  });
});

test('NaN, infinite scores and cells outside the mask are not scored', () => {
  const scores = Float64Array.of(NaN, 1, Infinity, 3, -Infinity, 200);
  const { scored, domain } = scoreDomain(scores, maskOf([1, 1, 1, 1, 1, 0]));
  expect(scored).toBe(2);
  expect([domain.low, domain.high]).toEqual([1, 3]);
  expect(scoreDomain(new Float64Array(5).fill(NaN))).toMatchObject({
    scored: 0,
    domain: { low: 0, high: 0 },
  });
});

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
