import { expect, test } from 'vitest';
import { thinnedValues } from './thinned-values.ts';

const cellCount = 2000;
const cells = Int32Array.from({ length: cellCount }, (_, cell) => cell);
/** One gene with the same count in all cells, which have 100 times as many. */
const gene = (count: number, firstGene = 0) => ({
  cellCount,
  firstGene,
  starts: Float64Array.of(0, cellCount),
  cells,
  values: new Float32Array(cellCount).fill(count),
});
const thinning = (count: number, chance: number) => ({
  totals: new Float64Array(cellCount).fill(100 * count),
  chances: new Float64Array(cellCount).fill(chance),
});
/** The counts that are left, from the values. */
const leftOf = (count: number, chance: number, firstGene = 0) =>
  Array.from(thinnedValues(gene(count, firstGene), thinning(count, chance)).values, (value) =>
    Math.round((Math.expm1(value) * chance * 100 * count) / 1e4),
  );
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const covariance = (one: readonly number[], other: readonly number[]) => {
  const [ofOne, ofOther] = [mean(one), mean(other)];
  return mean(one.map((value, at) => (value - ofOne) * (other[at]! - ofOther)));
};
const variance = (values: readonly number[]) => covariance(values, values);

// Up to 1,000 counts are drawn one by one.
test.each([1, 7, 400, 5000])(
  'of %i counts as many are left as a binomial number has, within five standard errors',
  (count) => {
    const left = leftOf(count, 0.3);
    const expected = { mean: count * 0.3, variance: count * 0.3 * 0.7 };
    expect(Math.abs(mean(left) - expected.mean)).toBeLessThan(5 * Math.sqrt(expected.variance / cellCount));
    // The standard error of a variance, kurtosis of a single draw among them.
    const error = Math.sqrt((2 * expected.variance ** 2 + expected.variance) / cellCount);
    expect(Math.abs(variance(left) - expected.variance)).toBeLessThan(5 * error);
    expect(Math.max(...left)).toBeLessThanOrEqual(count);
  },
);

test('cells that keep all their counts have the values of the usual normalisation', () => {
  const { values } = thinnedValues(gene(3), thinning(3, 1));
  expect(new Set(values)).toEqual(new Set([Math.fround(Math.log1p(100))]));
});

test('what is kept depends on the gene and the cell, and not on the block that the gene is in', () => {
  const block = {
    cellCount,
    firstGene: 4,
    starts: Float64Array.of(0, cellCount, 2 * cellCount),
    cells: Int32Array.of(...cells, ...cells),
    values: new Float32Array(2 * cellCount).fill(5),
  };
  const both = thinnedValues(block, thinning(5, 0.4)).values;
  const second = thinnedValues(gene(5, 5), thinning(5, 0.4)).values;
  expect(both.slice(cellCount)).toEqual(second);
  expect(both.slice(0, cellCount)).not.toEqual(second);
  const [one, other] = [leftOf(5, 0.4, 4), leftOf(5, 0.4, 5)];
  expect(Math.abs(covariance(one, other) / variance(one))).toBeLessThan(0.1);
});

test('totals of other cells are refused', () => {
  expect(() => thinnedValues(gene(1), { totals: new Float64Array(3), chances: new Float64Array(3) })).toThrow(
    RangeError,
  );
});
