/** Sweeps that no matrix of this kind needs. */
const maxSweeps = 60;

/**
 * Eigenvalues, falling, and eigenvectors of a symmetric matrix of n rows, by Jacobi's rotations (Golub and Van Loan,
 * section 8.5): n³ steps a sweep and some ten sweeps, for a few hundred rows.
 */
export function symmetricEigen(
  matrix: Float64Array,
  n: number,
): { values: Float64Array; vectors: Float64Array[] } {
  const a = matrix.slice();
  // Row by row the eigenvectors, so that rotations run along memory.
  const vectors = Array.from({ length: n }, (_, row) => new Float64Array(n).fill(1, row, row + 1));
  const whole = a.reduce((sum, value) => sum + value * value, 0);
  for (let sweep = 0; sweep < maxSweeps; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) for (let q = 0; q < p; q++) off += 2 * a[p * n + q]! ** 2;
    if (off <= 1e-30 * whole) break;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) rotate(a, n, vectors, [p, q]);
  }
  const order = Array.from({ length: n }, (_, at) => at).sort((i, j) => a[j * n + j]! - a[i * n + i]!);
  return {
    values: Float64Array.from(order, (at) => a[at * n + at]!),
    vectors: order.map((at) => vectors[at]!),
  };
}

/** Makes the entry of rows p and q zero. */
function rotate(
  a: Float64Array,
  n: number,
  vectors: readonly Float64Array[],
  [p, q]: readonly [number, number],
): void {
  const entry = a[p * n + q]!;
  if (entry === 0) return;
  const half = (a[q * n + q]! - a[p * n + p]!) / (2 * entry);
  const tangent = (half >= 0 ? 1 : -1) / (Math.abs(half) + Math.sqrt(1 + half * half));
  const cosine = 1 / Math.sqrt(1 + tangent * tangent);
  const sine = tangent * cosine;
  for (let k = 0; k < n; k++) {
    const [one, other] = [a[k * n + p]!, a[k * n + q]!];
    a[k * n + p] = cosine * one - sine * other;
    a[k * n + q] = sine * one + cosine * other;
  }
  const [first, second] = [vectors[p]!, vectors[q]!];
  for (let k = 0; k < n; k++) {
    const [one, other] = [a[p * n + k]!, a[q * n + k]!];
    a[p * n + k] = cosine * one - sine * other;
    a[q * n + k] = sine * one + cosine * other;
    const [x, y] = [first[k]!, second[k]!];
    first[k] = cosine * x - sine * y;
    second[k] = sine * x + cosine * y;
  }
}
