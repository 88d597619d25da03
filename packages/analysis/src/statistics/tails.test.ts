import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { float64, readReference, type Packed } from '../markers/testing/reference.ts';
import { normalUpperTail, studentTwoSidedTail } from './tails.ts';

interface TailsReference {
  normal: { z: Packed; tail: Packed };
  student: { t: Packed; degrees: Packed; tail: Packed };
}

const { normal, student } = readReference<TailsReference>(new URL('tails-reference.json', import.meta.url));

function relativeError(actual: number, expected: number): number {
  noteDifferences('tails', [actual], [expected]);
  return expected === 0 ? actual / 1e-300 : Math.abs(actual - expected) / Math.max(expected, 1e-300);
}

test("the normal tail agrees with scipy's to 1e-12 of its size, down to 1e-300", () => {
  const [z, tail] = [float64(normal.z), float64(normal.tail)];
  expect(Math.min(...tail)).toBeLessThan(1e-299);
  for (let i = 0; i < z.length; i++) {
    expect(`${z[i]}: ${relativeError(normalUpperTail(z[i]!), tail[i]!) < 1e-12}`).toBe(`${z[i]}: true`);
    expect(normalUpperTail(-z[i]!)).toBeCloseTo(1 - tail[i]!, 14);
  }
});

test("Student's tail agrees with scipy's to 1e-7 of its size, down to 1e-300", () => {
  const [t, degrees, tail] = [float64(student.t), float64(student.degrees), float64(student.tail)];
  let deep = 0;
  for (let row = 0; row < degrees.length; row++) {
    for (let i = 0; i < t.length; i++) {
      const expected = 2 * tail[row * t.length + i]!;
      if (expected > 1e-300 && expected < 1e-200) deep++;
      const actual = studentTwoSidedTail(t[i]!, degrees[row]!);
      const error = relativeError(actual, expected);
      expect(error < 1e-7 || `t ${t[i]}, ${degrees[row]} degrees: ${actual} instead of ${expected}`).toBe(
        true,
      );
      expect(studentTwoSidedTail(-t[i]!, degrees[row]!)).toBe(actual);
    }
  }
  expect(deep).toBeGreaterThan(5);
});

test('tails at the ends are exact', () => {
  expect(normalUpperTail(0)).toBe(0.5);
  expect(normalUpperTail(Infinity)).toBe(0);
  expect(normalUpperTail(-Infinity)).toBe(1);
  expect(normalUpperTail(NaN)).toBeNaN();
  expect(studentTwoSidedTail(0, 7)).toBe(1);
  expect(studentTwoSidedTail(Infinity, 7)).toBe(0);
  expect(studentTwoSidedTail(-Infinity, 7)).toBe(0);
  expect(studentTwoSidedTail(1e200, 3)).toBe(0);
  // One degree of freedom is Cauchy's distribution: 2 / (π t) for large t.
  expect(studentTwoSidedTail(1e200, 1) / (2e-200 / Math.PI)).toBeCloseTo(1, 12);
  for (const [t, degrees] of [
    [NaN, 3],
    [1, NaN],
    [1, 0],
    [1, -2],
  ] as const) {
    expect(studentTwoSidedTail(t, degrees)).toBeNaN();
  }
});
