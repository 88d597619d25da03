import { expect, test } from 'vitest';
import { createRandom, negativeBinomial } from './seeded-random.ts';

const draws = 40_000;

function moments(draw: () => number): { mean: number; variance: number } {
  const values = Array.from({ length: draws }, draw);
  const mean = values.reduce((sum, value) => sum + value, 0) / draws;
  return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / draws };
}

test('the same seed gives the same stream and another seed another', () => {
  const first = createRandom('a');
  const again = createRandom('a');
  const other = createRandom('b');
  const stream = Array.from({ length: 5 }, () => first.uniform());
  expect(Array.from({ length: 5 }, () => again.uniform())).toEqual(stream);
  expect(Array.from({ length: 5 }, () => other.uniform())).not.toEqual(stream);
});

test('uniform, normal, gamma and beta draws have the moments of their distributions', () => {
  const random = createRandom('moments');
  expect(moments(random.uniform).variance).toBeCloseTo(1 / 12, 2);
  const normal = moments(random.normal);
  expect(normal.mean).toBeCloseTo(0, 1);
  expect(normal.variance).toBeCloseTo(1, 1);
  for (const shape of [0.5, 3]) {
    const gamma = moments(() => random.gamma(shape));
    expect(gamma.mean / shape).toBeCloseTo(1, 1);
    expect(gamma.variance / shape).toBeCloseTo(1, 1);
  }
  expect(moments(() => random.beta(2, 3)).mean).toBeCloseTo(0.4, 2);
});

test.each([0.05, 0.8, 12, 90])(
  'negative-binomial counts of mean %d have mean and variance as they should',
  (mean) => {
    const random = createRandom(`counts ${mean}`);
    const size = 3;
    const { mean: observed, variance } = moments(() => negativeBinomial(random, mean, size));
    expect(Math.abs(observed / mean - 1)).toBeLessThan(0.05);
    expect(Math.abs(variance / (mean + mean ** 2 / size) - 1)).toBeLessThan(0.1);
  },
);
