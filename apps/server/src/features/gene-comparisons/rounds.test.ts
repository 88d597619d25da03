import { expect, test } from 'vitest';
import { roundsOf } from './rounds.ts';

test('a round has as many parts as there is room for, in their order', () => {
  expect(roundsOf([4, 4, 4, 1, 9, 2], 9)).toEqual([
    { from: 0, to: 2 },
    { from: 2, to: 4 },
    { from: 4, to: 5 },
    { from: 5, to: 6 },
  ]);
});

test('a part that is larger than a round has one of its own', () => {
  expect(roundsOf([20, 1], 9)).toEqual([
    { from: 0, to: 1 },
    { from: 1, to: 2 },
  ]);
  expect(roundsOf([20], 9)).toEqual([{ from: 0, to: 1 }]);
});
