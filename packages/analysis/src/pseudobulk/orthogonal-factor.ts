/**
 * QR factorisation by Householder reflections of an n × p matrix, p ≤ n, for least squares; reusable without new
 * memory.
 */
export class OrthogonalFactor {
  readonly rowCount: number;
  readonly columnCount: number;
  /** Column-major: the matrix to factor; afterwards the reflections, with R above the diagonal. */
  readonly columns: Float64Array;
  readonly #diagonal: Float64Array;
  readonly #norms: Float64Array;

  constructor(rowCount: number, columnCount: number) {
    this.rowCount = rowCount;
    this.columnCount = columnCount;
    this.columns = new Float64Array(rowCount * columnCount);
    this.#diagonal = new Float64Array(columnCount);
    this.#norms = new Float64Array(columnCount);
  }

  factor(): void {
    const { rowCount: n, columnCount: p, columns } = this;
    for (let k = 0; k < p; k++) {
      const base = k * n;
      let square = 0;
      for (let i = k; i < n; i++) square += columns[base + i]! ** 2;
      const head = columns[base + k]!;
      // The sign that adds to the head, so that nothing cancels.
      const length = head > 0 ? -Math.sqrt(square) : Math.sqrt(square);
      columns[base + k] = head - length;
      this.#diagonal[k] = length;
      this.#norms[k] = length * (length - head);
      for (let j = k + 1; j < p; j++) this.#reflect(k, columns, j * n);
    }
  }

  /** Replaces n values at `offset` by Qᵗ · values: the first p are the effects, the rest the residuals. */
  rotate(values: Float64Array, offset = 0): void {
    for (let k = 0; k < this.columnCount; k++) this.#reflect(k, values, offset);
  }

  #reflect(k: number, values: Float64Array, offset: number): void {
    const { rowCount: n, columns } = this;
    const norm = this.#norms[k]!;
    if (norm === 0) return;
    const base = k * n;
    let product = 0;
    for (let i = k; i < n; i++) product += columns[base + i]! * values[offset + i]!;
    const share = product / norm;
    for (let i = k; i < n; i++) values[offset + i]! -= share * columns[base + i]!;
  }

  /** Solves R · b = effects in place of the first p values at `offset`. */
  solve(effects: Float64Array, offset = 0): void {
    const { rowCount: n, columnCount: p, columns } = this;
    for (let k = p - 1; k >= 0; k--) {
      let rest = effects[offset + k]!;
      for (let j = k + 1; j < p; j++) rest -= columns[j * n + k]! * effects[offset + j]!;
      effects[offset + k] = rest / this.#diagonal[k]!;
    }
  }

  /** Solves Rᵗ · z = weights in place; |z|² is the unscaled variance of the contrast with these weights. */
  solveTransposed(weights: Float64Array): void {
    const { rowCount: n, columnCount: p, columns } = this;
    for (let k = 0; k < p; k++) {
      let rest = weights[k]!;
      for (let j = 0; j < k; j++) rest -= columns[k * n + j]! * weights[j]!;
      weights[k] = rest / this.#diagonal[k]!;
    }
  }
}
