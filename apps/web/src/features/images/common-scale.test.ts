import { expect, test } from 'vitest';
import { readScale } from './common-scale.tsx';

const unitsOf = (...units: string[]) =>
  readScale(JSON.stringify(units.map((unit) => [unit, 0, 1])))?.map(([unit]) => unit);

test('addresses that were shared earlier have their units in American spelling', () => {
  expect(
    unitsOf(
      'log-normalised',
      'mean log-normalised',
      'centred log ratio (CLR)',
      'mean centred log ratio (CLR)',
      'scores',
    ),
  ).toEqual([
    'log-normalized',
    'mean log-normalized',
    'centered log ratio (CLR)',
    'mean centered log ratio (CLR)',
    'scores',
  ]);
});

test('the titles of a user’s own columns, which are units of their values, stay as they are', () => {
  const titles = ['log-normalised score', 'counts, normalised', 'centred', 'mean of centred counts', 'mean '];
  expect(unitsOf(...titles)).toEqual(titles);
});
