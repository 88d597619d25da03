import type { Design } from '../pseudobulk/design.ts';

/** Factorisation L · Lᵗ of a small symmetric positive definite matrix; reusable without new memory. */
export class Cholesky {
  readonly size: number;
  /** Row-major input; after factoring it holds L on and below the diagonal. */
  readonly matrix: Float64Array;

  constructor(size: number) {
    this.size = size;
    this.matrix = new Float64Array(size * size);
  }

  /** Fills the matrix with Xᵗ · diag(weights) · X and adds `ridge` to its diagonal. */
  fill(
    { columns, sampleCount }: Pick<Design, 'columns' | 'sampleCount'>,
    weights: Float64Array,
    ridge = 0,
  ): void {
    const { size, matrix } = this;
    for (let a = 0; a < size; a++) {
      const one = columns[a]!;
      for (let b = 0; b <= a; b++) {
        const other = columns[b]!;
        let sum = a === b ? ridge : 0;
        for (let i = 0; i < sampleCount; i++) sum += weights[i]! * one[i]! * other[i]!;
        matrix[a * size + b] = sum;
        matrix[b * size + a] = sum;
      }
    }
  }

  factor(): void {
    const { size, matrix } = this;
    for (let a = 0; a < size; a++) {
      for (let b = 0; b <= a; b++) {
        let rest = matrix[a * size + b]!;
        for (let k = 0; k < b; k++) rest -= matrix[a * size + k]! * matrix[b * size + k]!;
        matrix[a * size + b] = a === b ? Math.sqrt(rest) : rest / matrix[b * size + b]!;
      }
    }
  }

  /** Solves L · z = values in place; |z|² is the inverse's quadratic form. */
  solveLower(values: Float64Array): void {
    const { size, matrix } = this;
    for (let a = 0; a < size; a++) {
      let rest = values[a]!;
      for (let k = 0; k < a; k++) rest -= matrix[a * size + k]! * values[k]!;
      values[a] = rest / matrix[a * size + a]!;
    }
  }

  /** Solves matrix · x = values in place. */
  solve(values: Float64Array): void {
    const { size, matrix } = this;
    this.solveLower(values);
    for (let a = size - 1; a >= 0; a--) {
      let rest = values[a]!;
      for (let k = a + 1; k < size; k++) rest -= matrix[k * size + a]! * values[k]!;
      values[a] = rest / matrix[a * size + a]!;
    }
  }
}
