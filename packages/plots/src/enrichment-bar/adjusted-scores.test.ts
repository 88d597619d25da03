import { expect, test } from 'vitest';
import { adjustedScores } from './adjusted-scores.ts';

test('a score is minus the decimal logarithm of the adjusted p', () => {
  const [ten, one, tiny] = adjustedScores([{ adjustedP: 0.1 }, { adjustedP: 1 }, { adjustedP: 1e-300 }], 3);
  expect(ten).toBeCloseTo(1, 12);
  expect(Object.is(one, 0)).toBe(true);
  expect(tiny).toBeCloseTo(300, 9);
});

test('p that underflow are adjusted as Benjamini and Hochberg have it, in logarithms', () => {
  const terms = [-400, -390, -389.9].map((exponent) => ({ adjustedP: 0, logP: exponent * Math.LN10 }));
  const scores = adjustedScores(terms, 300);
  // Rank 1: 1e-400 * 300; rank 2: 1e-390 * 150, but no more than rank 3: 10 ** -389.9 * 100.
  expect(scores[0]).toBeCloseTo(400 - Math.log10(300), 9);
  expect(scores[1]).toBeCloseTo(Math.max(390 - Math.log10(150), 389.9 - 2), 9);
  expect(scores[2]).toBeCloseTo(387.9, 9);
});

test('of two p the greater never scores more, however close', () => {
  const terms = Array.from({ length: 40 }, (_, i) => ({ adjustedP: 0, logP: -900 + 0.01 * i }));
  const scores = adjustedScores(terms.toReversed(), 40).toReversed();
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});

test('the same rule on p that do not underflow gives the adjusted p themselves', () => {
  const p = [1e-20, 3e-19, 4e-19, 1e-5, 0.2];
  const adjusted = p.map((_, i) =>
    Math.min(1, ...p.slice(i).map((value, k) => (value * p.length) / (i + k + 1))),
  );
  const known = adjustedScores(
    adjusted.map((adjustedP) => ({ adjustedP })),
    p.length,
  );
  // All p a 1e-300th of these: the first three underflow, and lie 300 higher.
  const shifted = p.slice(0, 3).map((value) => ({ adjustedP: 0, logP: Math.log(value) - 300 * Math.LN10 }));
  const scores = adjustedScores(shifted, p.length);
  scores.forEach((score, i) => expect(score).toBeCloseTo(known[i]! + 300, 9));
});

test('an adjusted p of 0 without its logarithm scores what is left of it', () => {
  expect(adjustedScores([{ adjustedP: 0 }], 1)[0]).toBeCloseTo(307.65, 2);
  expect(adjustedScores([{ adjustedP: 0, logP: -Infinity }], 1)[0]).toBeCloseTo(307.65, 2);
});
