import { expect, test } from 'vitest';
import { seededRandom } from '../random.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

const random = seededRandom(11);
const symmetric = (size: number, element: (row: number, column: number) => number) => {
  const matrix = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      matrix[row * size + column] = element(row, column);
      matrix[column * size + row] = matrix[row * size + column]!;
    }
  }
  return matrix;
};

test.each([
  ['one number', symmetric(1, () => -3)],
  ['two numbers', symmetric(2, (row, column) => row + column + 1)],
  ['any numbers', symmetric(60, () => random() - 0.5)],
  ['numbers of very different size', symmetric(40, (row, column) => 10 ** (-(row + column) / 4) * random())],
  ['nothing but zeros', symmetric(5, () => 0)],
  ['a diagonal with ties', symmetric(9, (row, column) => (row === column ? row % 3 : 0))],
  ['one value for all', symmetric(30, (row, column) => (row === column ? 2 : 1))],
  ['a rank of three', symmetric(25, (row, column) => Math.cos(row - column) + row * column)],
  ['a rank far below its size', symmetric(200, (row, column) => Math.cos(row * column) * Number(row < 9))],
  ['blocks apart', symmetric(12, (row, column) => (row >> 2 === column >> 2 ? 1 + row + column : 0))],
])('vectors of a matrix of %s are orthonormal and only scaled by it', (_, matrix) => {
  const size = Math.sqrt(matrix.length);
  const { values, vectors } = symmetricEigen(matrix, size);
  expect(values.every((value, at) => at === 0 || value <= values[at - 1]!)).toBe(true);
  const scale = Math.max(1e-300, ...values.map(Math.abs));
  const row = (of: Float64Array, at: number) => of.subarray(at * size, (at + 1) * size);
  const product = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  for (let one = 0; one < size; one++) {
    const vector = row(vectors, one);
    for (let other = 0; other <= one; other++)
      expect(product(vector, row(vectors, other))).toBeCloseTo(Number(one === other), 12);
    for (let at = 0; at < size; at++) {
      const off = product(row(matrix, at), vector) - values[one]! * vector[at]!;
      expect(Math.abs(off) / scale).toBeLessThan(1e-13 * size);
    }
  }
});

test.each([
  ['drawn', Float64Array.from({ length: 36 }, (_, at) => Math.sin(1 + (at % 6) * Math.floor(at / 6)))],
  ['of equal eigenvalues', Float64Array.from({ length: 36 }, (_, at) => (at % 7 === 0 ? 3 : 1))],
  ['of zeros', new Float64Array(36)],
])('a small matrix %s times its eigenvectors is these times its eigenvalues', (_, matrix) => {
  const { values, vectors } = symmetricEigen(matrix, 6);
  expect(Array.from(values)).toEqual(Array.from(values).toSorted((a, b) => b - a));
  const vector = (at: number) => Array.from(vectors.subarray(6 * at, 6 * at + 6));
  const dot = (a: readonly number[], b: ArrayLike<number>) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  for (let at = 0; at < 6; at++) {
    for (let i = 0; i < 6; i++) {
      const image = dot(vector(at), matrix.subarray(6 * i, 6 * i + 6));
      expect(image).toBeCloseTo(values[at]! * vector(at)[i]!, 12);
      expect(dot(vector(at), vector(i))).toBeCloseTo(at === i ? 1 : 0, 12);
    }
  }
});
