import { expect, test } from 'vitest';
import { LegacyRandomState } from '../random/legacy-random-state.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

const random = new LegacyRandomState(7);

function symmetric(n: number, entry: (i: number, j: number) => number): Float64Array {
  const matrix = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) matrix[i * n + j] = matrix[j * n + i] = entry(i, j);
  }
  return matrix;
}
const randomEntry = () => random.nextUint32() / 2 ** 31 - 1;

test.each([
  ['of one row', symmetric(1, () => -3), 1],
  ['of nothing', symmetric(5, () => 0), 5],
  ['that is diagonal', symmetric(6, (i, j) => (i === j ? (i % 3) - 1 : 0)), 6],
  ['with one value many times', symmetric(7, (i, j) => (i === j ? 2 : 1)), 7],
  ['that is tridiagonal', symmetric(9, (i, j) => (i === j ? i : i - j === 1 ? 0.5 : 0)), 9],
  ['in two blocks', symmetric(8, (i, j) => (i < 4 === j < 4 ? randomEntry() : 0)), 8],
  ['of 60 rows', symmetric(60, randomEntry), 60],
  ['of large numbers', symmetric(12, () => 1e120 * randomEntry()), 12],
  ['of rows of very different size', symmetric(10, (i, j) => randomEntry() * 10 ** -(i + j)), 10],
])(
  'values and vectors of a matrix %s are its own, falling, and the vectors orthogonal',
  (_what, matrix, n) => {
    const { values, vectors } = symmetricEigen(matrix, n);
    const size = Math.max(Number.MIN_VALUE, ...matrix.map(Math.abs)) * n;
    const dot = (one: Float64Array, other: Float64Array) => one.reduce((sum, x, k) => sum + x * other[k]!, 0);
    vectors.forEach((vector, at) => {
      for (let i = 0; i < n; i++) {
        const product = dot(matrix.subarray(i * n, (i + 1) * n), vector);
        expect(Math.abs(product - values[at]! * vector[i]!) / size).toBeLessThan(1e-14);
      }
      vectors.forEach((other, to) => expect(dot(vector, other)).toBeCloseTo(at === to ? 1 : 0, 13));
    });
    expect(Array.from(values)).toEqual(Array.from(values).toSorted((one, other) => other - one));
  },
);
