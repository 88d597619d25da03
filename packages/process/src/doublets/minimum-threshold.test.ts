import { expect, test } from 'vitest';
import { noteDifferences } from '@cellfolio/model/testing';
import reference from '../samples-reference.json' with { type: 'json' };
import { minimumThreshold } from './minimum-threshold.ts';

test('the threshold between two modes is that of scikit-image, and there is none where it finds none', () => {
  const actual = reference.thresholds.map(({ values }) => minimumThreshold(Float64Array.from(values)) ?? NaN);
  const expected = reference.thresholds.map(({ threshold }) => threshold ?? NaN);
  expect(actual.map(Number.isNaN)).toEqual(expected.map(Number.isNaN));
  expect(expected.filter(Number.isNaN)).toHaveLength(1);
  noteDifferences('doublet-thresholds', actual, expected, 1);
  const apart = expected.map((threshold, at) => Math.abs(threshold - actual[at]!) || 0);
  expect(Math.max(...apart)).toBeLessThan(1e-9);
});

test('values that are all alike have no threshold', () => {
  expect(minimumThreshold(new Float64Array(30).fill(0.2))).toBeUndefined();
});
