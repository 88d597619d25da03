/** Eigenvalues, the greatest first, and their vectors of length 1: `size` numbers each, in the same order. */
export interface Eigenpairs {
  values: Float64Array;
  vectors: Float64Array;
}

/** Maximum QL rounds for one eigenvalue; the average is two. */
const maxRounds = 60;

/**
 * All eigenpairs of a small symmetric matrix of `size` x `size`: tridiagonal by Householder reflections, then diagonal
 * by the QL method with implicit shifts (Golub and Van Loan, Matrix Computations, chapter 8.3).
 */
export function symmetricEigen(matrix: Float64Array, size: number): Eigenpairs {
  const { diagonal, beside, vectors } = tridiagonal(Float64Array.from(matrix), size);
  diagonalise(diagonal, beside, vectors);
  const order = Array.from(diagonal.keys()).toSorted((a, b) => diagonal[b]! - diagonal[a]! || a - b);
  const sorted = new Float64Array(size * size);
  for (const [at, from] of order.entries())
    sorted.set(vectors.subarray(from * size, (from + 1) * size), at * size);
  return { values: Float64Array.from(order, (at) => diagonal[at]!), vectors: sorted };
}

interface Tridiagonal {
  diagonal: Float64Array;
  /** Off-diagonal: number i is between i and i + 1. */
  beside: Float64Array;
  /** Row after row, the basis vectors in which the matrix is tridiagonal. */
  vectors: Float64Array;
}

/** Overwrites `a`. */
function tridiagonal(a: Float64Array, n: number): Tridiagonal {
  const beside = new Float64Array(n);
  // The reflection of step k, v of length √2 from k + 1 on, is kept in row k of `a`, above the diagonal.
  const product = new Float64Array(n);
  for (let k = 0; k < n - 1; k++) {
    const v = a.subarray(k * n, (k + 1) * n);
    let square = 0;
    for (let i = k + 1; i < n; i++) square += v[i]! * v[i]!;
    const length = Math.sqrt(square);
    const first = v[k + 1]!;
    beside[k] = first > 0 ? -length : length;
    if (length === 0) continue;
    v[k + 1] = first - beside[k]!;
    const factor = Math.sqrt(1 / (square - first * beside[k]!));
    for (let i = k + 1; i < n; i++) v[i]! *= factor;
    let along = 0;
    for (let i = k + 1; i < n; i++) {
      let sum = 0;
      for (let j = k + 1; j < n; j++) sum += a[i * n + j]! * v[j]!;
      product[i] = sum;
      along += sum * v[i]!;
    }
    for (let i = k + 1; i < n; i++) product[i]! -= (along / 2) * v[i]!;
    for (let i = k + 1; i < n; i++) {
      const [one, other] = [v[i]!, product[i]!];
      for (let j = k + 1; j < n; j++) a[i * n + j]! -= one * product[j]! + other * v[j]!;
    }
  }
  const diagonal = Float64Array.from({ length: n }, (_, i) => a[i * n + i]!);
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  // Vector i is row i: the reflections from the last to the first, each on the elements from k + 1 on.
  for (let k = n - 2; k >= 0; k--) {
    if (beside[k] === 0) continue;
    for (let i = k + 1; i < n; i++) {
      let sum = 0;
      for (let j = k + 1; j < n; j++) sum += vectors[i * n + j]! * a[k * n + j]!;
      for (let j = k + 1; j < n; j++) vectors[i * n + j]! -= sum * a[k * n + j]!;
    }
  }
  return { diagonal, beside, vectors };
}

function diagonalise(diagonal: Float64Array, beside: Float64Array, vectors: Float64Array): void {
  const n = diagonal.length;
  // What is beside the diagonal is nothing below the rounding of the whole matrix.
  let nothing = 0;
  for (let i = 0; i < n; i++)
    nothing = Math.max(nothing, Number.EPSILON * (Math.abs(diagonal[i]!) + Math.abs(beside[i]!)));
  for (let from = 0; from < n; from++) {
    for (let round = 0; ; round++) {
      let end = from;
      while (end < n - 1 && Math.abs(beside[end]!) > nothing) end++;
      if (end === from) break;
      if (round === maxRounds) throw new Error('The eigenvalues of a symmetric matrix were not found.');
      rotate(from, end);
    }
  }

  function rotate(from: number, end: number): void {
    const half = (diagonal[from + 1]! - diagonal[from]!) / (2 * beside[from]!);
    const root = Math.hypot(half, 1);
    let shifted = diagonal[end]! - diagonal[from]! + beside[from]! / (half + (half < 0 ? -root : root));
    let [sine, cosine, correction] = [1, 1, 0];
    for (let i = end - 1; i >= from; i--) {
      const turned = sine * beside[i]!;
      const left = cosine * beside[i]!;
      const length = Math.hypot(turned, shifted);
      beside[i + 1] = length;
      if (length === 0) {
        diagonal[i + 1]! -= correction;
        beside[end] = 0;
        return;
      }
      sine = turned / length;
      cosine = shifted / length;
      shifted = diagonal[i + 1]! - correction;
      const sum = (diagonal[i]! - shifted) * sine + 2 * cosine * left;
      correction = sine * sum;
      diagonal[i + 1] = shifted + correction;
      shifted = cosine * sum - left;
      const [one, other] = [i * n, (i + 1) * n];
      for (let j = 0; j < n; j++) {
        const a = vectors[one + j]!;
        const b = vectors[other + j]!;
        vectors[other + j] = sine * a + cosine * b;
        vectors[one + j] = cosine * a - sine * b;
      }
    }
    diagonal[from]! -= correction;
    beside[from] = shifted;
    beside[end] = 0;
  }
}
