import { expect, test } from 'vitest';
import { mismatches, numbersOf, reference } from './testing/reference.ts';
import { variancePrior } from './variance-prior.ts';

test.each(reference.priors)('$variance.length variances have the prior of fitFDist', (referencePrior) => {
  const variances = numbersOf(referencePrior.variance);
  const plain = variancePrior(variances, 4);
  const trend = variancePrior(variances, 4, numbersOf(referencePrior.mean));
  const trendScales = numbersOf(referencePrior.trendScale);
  expect(
    mismatches({
      df2: [Float64Array.of(plain.degrees), referencePrior.df2],
      scale: [plain.scales.subarray(0, 1), referencePrior.scale],
      'df2 of the trend': [Float64Array.of(trend.degrees), referencePrior.trendDf2],
      'scale of the trend': [trend.scales.subarray(0, trendScales.length), referencePrior.trendScale],
    }),
  ).toEqual([]);
});

test('a covariate that is the same for all genes is no trend', () => {
  const variances = Float64Array.of(0.2, 0.5, 0.9, 3, 0.4);
  expect(variancePrior(variances, 4, new Float64Array(5).fill(2))).toEqual(variancePrior(variances, 4));
});

test('variances that are all zero, and a single one, have a prior without NaN', () => {
  const { degrees, scales } = variancePrior(new Float64Array(4), 3);
  expect(degrees).toBe(Infinity);
  expect(scales[0]).toBeGreaterThan(0);
  expect(variancePrior(Float64Array.of(0.7), 3)).toEqual({ degrees: 0, scales: Float64Array.of(0.7) });
});
