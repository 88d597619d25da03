import { expect, test } from 'vitest';
import { expressionModel } from './expression-model.ts';

test('the model is the same for the same seed and another for another', () => {
  const means = (seed: number) => [...expressionModel(200, 0.08, seed).means];
  expect(means(1)).toEqual(means(1));
  expect(means(1)).not.toEqual(means(2));
});

test.each([0.02, 0.08, 0.3])('a share of %d of the values is expected to be non-zero', (density) => {
  const { levels, geneCount } = expressionModel(3000, density, 7);
  let sum = 0;
  for (const { detected } of levels) for (const chance of detected) sum += chance / 2 ** 32;
  expect(sum / (levels.length * geneCount)).toBeCloseTo(density, 6);
});

test('few genes are nearly everywhere and most are rare, as in real data', () => {
  const { levels } = expressionModel(20_000, 0.08, 7);
  const chances = [...levels[6]!.detected].map((chance) => chance / 2 ** 32).sort((a, b) => a - b);
  expect(chances[19_990]).toBeGreaterThan(0.9);
  expect(chances[10_000]).toBeLessThan(0.03);
  expect(chances[2000]).toBeLessThan(0.002);
});

test('a deeper cell expresses more genes', () => {
  const expressed = expressionModel(2000, 0.08, 7).levels.map(({ detected }) =>
    detected.reduce((sum, chance) => sum + chance, 0),
  );
  expect(expressed).toEqual([...expressed].sort((a, b) => a - b));
  expect(expressed.at(-1)! / expressed[0]!).toBeGreaterThan(2);
});

test('a density that no matrix of expression has is refused', () => {
  expect(() => expressionModel(10, 0, 1)).toThrow(RangeError);
  expect(() => expressionModel(10, 0.6, 1)).toThrow(RangeError);
});
