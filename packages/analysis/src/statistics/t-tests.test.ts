import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { readReference } from '../markers/testing/reference.ts';
import { pairedTest, welchTest } from './t-tests.ts';

interface Case {
  title: string;
  first: number[];
  second: number[];
  welch: number;
  paired?: number;
}

const cases = readReference<Case[]>(new URL('t-tests-reference.json', import.meta.url));

const error = (actual: number, expected: number) => {
  noteDifferences('t-tests', [actual], [expected]);
  return Math.abs(actual / expected - 1);
};

test.each(cases)("Welch's test of $title is scipy's to 1e-6", ({ first, second, welch }) => {
  expect(error(welchTest(first, second).p, welch)).toBeLessThan(1e-6);
});

test.each(cases.filter(({ paired }) => paired !== undefined))(
  "the test of pairs of $title is scipy's to 1e-6",
  ({ first, second, paired }) => {
    expect(error(pairedTest(first, second).p, paired!)).toBeLessThan(1e-6);
  },
);

test('one value on a side, or one pair, cannot be tested', () => {
  expect(welchTest([1], [2, 3]).p).toBeNaN();
  expect(welchTest([1, 2], [3]).p).toBeNaN();
  expect(pairedTest([1], [2]).p).toBeNaN();
});

test('differences without any variance are certain, and no difference is none', () => {
  expect(pairedTest([2, 3], [1, 2])).toEqual({ difference: 1, p: 0 });
  expect(welchTest([1, 1], [1, 1])).toEqual({ difference: 0, p: 1 });
});
