import { expect, test } from 'vitest';
import { SeededBits } from './seeded-bits.ts';

test('draws do not depend on how many are taken at a time', () => {
  const whole = new Uint32Array(10);
  new SeededBits(5).drawInto(whole);
  const parts = new SeededBits(5);
  const first = new Uint32Array(4);
  const second = new Uint32Array(6);
  parts.drawInto(first);
  parts.drawInto(second);
  expect([...first, ...second]).toEqual([...whole]);
});

test('uniform draws have the mean and spread of uniform numbers, normal ones of normal numbers', () => {
  const bits = new SeededBits(9);
  const moments = (draw: () => number) => {
    const values = Array.from({ length: 20_000 }, draw);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return { mean, variance };
  };
  const uniform = moments(() => bits.uniform());
  expect(uniform.mean).toBeCloseTo(0.5, 1);
  expect(uniform.variance).toBeCloseTo(1 / 12, 2);
  const normal = moments(() => bits.normal());
  expect(Math.abs(normal.mean)).toBeLessThan(0.03);
  expect(normal.variance).toBeCloseTo(1, 1);
});
