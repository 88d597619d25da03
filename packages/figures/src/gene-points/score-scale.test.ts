import { expect, test } from 'vitest';
import { scoreScale } from './score-scale.ts';

test('a score has the adjusted p of its gene, whatever its sign, and one between two genes one between theirs', () => {
  const scale = scoreScale(Float64Array.of(-4, 2, 0), Float64Array.of(1e-6, 1e-2, 1));
  expect(scale.pAt(4)).toBeCloseTo(1e-6, 12);
  expect(Math.log10(scale.pAt(3))).toBeCloseTo(-4, 10);
  expect(scale.scoreAt(1e-6)).toBeCloseTo(4, 10);
  for (const p of [0.5, 0.05, 1e-3, 1e-5]) expect(scale.pAt(scale.scoreAt(p)) / p).toBeCloseTo(1, 10);
  // Beyond the surest gene nothing is known.
  expect([scale.pAt(9), scale.scoreAt(1e-9)]).toEqual([expect.closeTo(1e-6, 12), 4]);
});

test('a p that falls in no order, none at all, and one too small for a number are kept in bounds', () => {
  const scale = scoreScale(Float64Array.of(1, 2, 3, 40, NaN), Float64Array.of(0.1, 0.4, 0.01, 0, 0.5));
  // The gene of score 2 has a greater p than that of score 1.
  expect(scale.pAt(2)).toBeCloseTo(0.1, 10);
  expect(scale.pAt(40)).toBeGreaterThan(0);
  const empty = scoreScale(new Float64Array(0), new Float64Array(0));
  expect([empty.scoreAt(0.05), empty.pAt(3)]).toEqual([0, 1]);
});
