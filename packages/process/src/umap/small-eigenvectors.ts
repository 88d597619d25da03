const maxSweeps = 30;

/**
 * Eigenvalues of a symmetric matrix, falling, and its eigenvectors, of length 1, as the columns of `turn`: by Jacobi's
 * rotations, for matrices of a few rows.
 */
export function smallEigenvectors(
  matrix: Float64Array,
  size: number,
): { readonly values: Float64Array; readonly turn: Float64Array } {
  const a = Float64Array.from(matrix);
  const v = new Float64Array(size * size);
  for (let i = 0; i < size; i++) v[i * size + i] = 1;
  for (let sweep = 0; sweep < maxSweeps; sweep++) {
    let rotated = false;
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        const apart = a[p * size + q]!;
        if (Math.abs(apart) <= Number.EPSILON * Math.hypot(a[p * size + p]!, a[q * size + q]!)) continue;
        rotated = true;
        const half = (a[q * size + q]! - a[p * size + p]!) / (2 * apart);
        const tangent = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.sqrt(half * half + 1));
        const cosine = 1 / Math.sqrt(tangent * tangent + 1);
        rotateColumns(a, size, p, q, cosine, tangent * cosine);
        rotateRows(a, size, p, q, cosine, tangent * cosine);
        rotateColumns(v, size, p, q, cosine, tangent * cosine);
      }
    }
    if (!rotated) break;
  }
  const order = Array.from({ length: size }, (_, at) => at).toSorted(
    (i, j) => a[j * size + j]! - a[i * size + i]!,
  );
  return {
    values: Float64Array.from(order, (at) => a[at * size + at]!),
    turn: Float64Array.from(v, (_, at) => v[at - (at % size) + order[at % size]!]!),
  };
}

function rotateColumns(m: Float64Array, size: number, p: number, q: number, cosine: number, sine: number) {
  for (let row = 0; row < m.length; row += size) {
    const [left, right] = [m[row + p]!, m[row + q]!];
    m[row + p] = cosine * left - sine * right;
    m[row + q] = sine * left + cosine * right;
  }
}

function rotateRows(m: Float64Array, size: number, p: number, q: number, cosine: number, sine: number) {
  for (let column = 0; column < size; column++) {
    const [left, right] = [m[p * size + column]!, m[q * size + column]!];
    m[p * size + column] = cosine * left - sine * right;
    m[q * size + column] = sine * left + cosine * right;
  }
}
