import { expect, test } from 'vitest';
import { intraclassCorrelation } from './intraclass-correlation.ts';

const classes = (values: readonly (readonly number[])[]) => ({
  counts: values.map((list) => list.length),
  sums: values.map((list) => list.reduce((sum, value) => sum + value, 0)),
  squares: values.map((list) => list.reduce((sum, value) => sum + value ** 2, 0)),
});

test('the ratings of Shrout and Fleiss (1979, table 2) have their ICC(1) of 0.17', () => {
  const ratings = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
  ];
  // 11.24 between and 6.26 within the targets: (11.24 - 6.26) / (11.24 + 3 · 6.26).
  expect(intraclassCorrelation(classes(ratings))).toBeCloseTo(0.1657, 4);
  // A class without members changes nothing.
  expect(intraclassCorrelation(classes([...ratings, []]))).toBeCloseTo(0.1657, 4);
});

test('classes that are all alike inside have 1, and those that are only alike in their means less than 0', () => {
  expect(intraclassCorrelation(classes([[1, 1], [2, 2, 2], [5]]))).toBe(1);
  expect(
    intraclassCorrelation(
      classes([
        [0, 2],
        [0, 2],
        [0, 2],
      ]),
    ),
  ).toBeLessThan(0);
});

test('one class, classes of one, and values that are all the same have no correlation', () => {
  expect(intraclassCorrelation(classes([[1, 2, 3]]))).toBeNaN();
  expect(intraclassCorrelation(classes([[1], [2]]))).toBeNaN();
  expect(
    intraclassCorrelation(
      classes([
        [1, 1],
        [1, 1],
      ]),
    ),
  ).toBeNaN();
});
