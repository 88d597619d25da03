import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { readReference } from '../markers/testing/reference.ts';
import { fQuantile, fUpperTail } from './f-tails.ts';
import { findRoot } from './find-root.ts';
import { digamma, trigamma, trigammaInverse } from './polygamma.ts';
import { median, quantileOf } from './quantile.ts';
import { studentQuantile } from './tails.ts';

const { gamma, f, chiSquare, fQuantiles, student } = readReference<{
  /** x, then first and second derivative of log gamma. */
  gamma: readonly (readonly [number, number, number])[];
  /** f, numerator and denominator degrees, upper tail. */
  f: readonly (readonly [number, number, number, number])[];
  /** f, numerator degrees, upper tail for infinite denominator degrees. */
  chiSquare: readonly (readonly [number, number, number])[];
  /** Upper tail, numerator and denominator degrees, f. */
  fQuantiles: readonly (readonly [number, number, number, number])[];
  /** Two-sided tail, degrees, t. */
  student: readonly (readonly [number, number, number])[];
}>(new URL('distributions-reference.json', import.meta.url));

const error = (actual: number, expected: number) => {
  noteDifferences('distributions', [actual], [expected]);
  return Math.abs(actual / expected - 1);
};

test.each(gamma)('the derivatives of the logarithm of gamma at %d are those of scipy', (x, first, second) => {
  expect(error(digamma(x), first)).toBeLessThan(1e-12);
  expect(error(trigamma(x), second)).toBeLessThan(1e-13);
  expect(error(trigammaInverse(second), x)).toBeLessThan(1e-6);
});

test('a trigamma of zero is that of infinity', () => {
  expect(trigammaInverse(0)).toBe(Infinity);
});

test.each(f)('the tail of F beyond %d with %d and %d degrees of freedom is that of scipy', (...row) => {
  const [value, degrees, below, upper] = row;
  expect(error(fUpperTail(value, degrees, below), upper)).toBeLessThan(1e-9);
});

test.each(chiSquare)(
  'the tail of F beyond %d with %d and infinite degrees of freedom is that of scipy',
  (...row) => {
    const [value, degrees, upper] = row;
    expect(error(fUpperTail(value, degrees, Infinity), upper)).toBeLessThan(1e-11);
  },
);

test.each(fQuantiles)(
  'the quantile of F for the tail %d with %d and %d degrees is that of scipy',
  (...row) => {
    const [tail, degrees, below, value] = row;
    expect(error(fQuantile(tail, degrees, below), value)).toBeLessThan(1e-8);
  },
);

test('tails of F at the ends are exact, and NaN where they are none', () => {
  expect(fUpperTail(0, 2, 3)).toBe(1);
  expect(fUpperTail(Infinity, 2, 3)).toBe(0);
  for (const [value, degrees, below] of [
    [NaN, 2, 3],
    [-1, 2, 3],
    [1, 0, 3],
    [1, 2, NaN],
  ] as const) {
    expect(fUpperTail(value, degrees, below)).toBeNaN();
  }
});

test.each(student)(
  'the quantile of Student for the tail %d with %d degrees of freedom is that of scipy',
  (...row) => {
    const [tail, degrees, t] = row;
    expect(error(studentQuantile(tail, degrees), t)).toBeLessThan(1e-9);
  },
);

test('quantiles of Student at the ends are exact, and NaN where they are none', () => {
  expect(studentQuantile(1, 4)).toBe(0);
  expect(studentQuantile(0, 4)).toBe(Infinity);
  expect(studentQuantile(1.1, 4)).toBeNaN();
  expect(studentQuantile(0.5, 0)).toBeNaN();
});

test('a root is found in few steps, at an end as well', () => {
  let evaluations = 0;
  const cube = (x: number) => {
    evaluations++;
    return x ** 3 - 8;
  };
  expect(findRoot(cube, [0, 100])).toBeCloseTo(2, 12);
  expect(evaluations).toBeLessThan(60);
  expect(findRoot((x) => x, [0, 1])).toBe(0);
});

test('quantiles lie between neighbours on a line', () => {
  expect(quantileOf(Float64Array.of(1, 2, 4, 8), 0.75)).toBe(5);
  expect(median(Float64Array.of(9, 1, 4, 2))).toBe(3);
  expect(median(new Float64Array(0))).toBeNaN();
});
