import { expect, test } from 'vitest';
import { differencesOf } from './agreement.ts';

test('differences are the largest, absolute and as a part of the reference, or of the least that counts', () => {
  expect(differencesOf('x', [1, 2.5, NaN, Infinity, 0.5], [1, 2, NaN, Infinity, 0], 1)).toEqual({
    of: 'x',
    numbers: 5,
    absolute: 0.5,
    relative: 0.5,
  });
  expect(differencesOf('x', [10.5], [10], 1)).toMatchObject({ absolute: 0.5, relative: 0.05 });
});

test('what is a number on one side alone, or missing, is as far apart as can be', () => {
  const farthest = { absolute: Number.MAX_VALUE, relative: Number.MAX_VALUE };
  expect(differencesOf('x', [1], [NaN], 1)).toMatchObject(farthest);
  expect(differencesOf('x', [1], [1, 2], 1)).toMatchObject(farthest);
  expect(differencesOf('x', [1], [Infinity], 1)).toMatchObject(farthest);
});
