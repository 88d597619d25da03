import { symmetricEigen } from '../pseudobulk/symmetric-eigen.ts';
import { LegacyRandomState } from '../random/legacy-random-state.ts';

/** Writes the product of a symmetric matrix and `vector` to `product`. */
export type Multiply = (vector: Float64Array, product: Float64Array) => void;

export interface Eigenpairs {
  readonly values: Float64Array;
  /** Unit length; the entry largest in absolute value is positive. */
  readonly vectors: readonly Float64Array[];
}

/** State of an iteration. Its arrays are in shared memory, so that it can move between threads between two steps. */
export interface EigenState {
  readonly n: number;
  readonly count: number;
  readonly size: number;
  /** size + 1 orthonormal vectors, concatenated, of which the first column + 1 are set. */
  readonly basis: Float64Array;
  /** size × size: projection of the matrix onto the basis. */
  readonly projected: Float64Array;
  /** Norm of A v - λ v below which a pair has converged. */
  readonly tolerance: number;
  readonly column: number;
  readonly restarts: number;
  readonly turn?: Turn | undefined;
  readonly pairs?: Eigenpairs;
}

interface Turn {
  /** Descending for the result. */
  values: Float64Array;
  proportions: readonly Float64Array[];
  isLast: boolean;
  done: number;
}

class NotConverged extends Error {
  override readonly name = 'NotConverged';
}

/** Basis vectors beyond those requested; a restart costs the vectors kept times those built. */
const furtherVectors = 30;
const maxRestarts = 1000;
/** The largest |λ| is about 1: the error in v is this tolerance over the gap to the next λ. */
const defaultTolerance = 1e-11;
/** Remainders this short are rounding errors: the basis spans all that the matrix reaches from the first vector. */
const nothing = 1e-13;
/** Entries per vector combined at a time, so that they stay in the cache. */
const combinedRows = 256;
const rowsOfStep = 64 * combinedRows;

/**
 * Eigenvalues largest in absolute value and their eigenvectors of a symmetric n × n matrix with a norm of about 1:
 * Lanczos iteration with full reorthogonalisation, done twice, and thick restarts (Wu and Simon 2000,
 * doi:10.1137/S0895479898334605). The start vector has a fixed seed, so the result is reproducible. Throws
 * NotConverged.
 */
export function largestEigenpairs(
  multiply: Multiply,
  n: number,
  pairCount: number,
  tolerance = defaultTolerance,
): Eigenpairs {
  let state = beginEigenpairs(n, pairCount, tolerance);
  while (!state.pairs) state = nextEigenStep(multiply, state);
  return state.pairs;
}

export function beginEigenpairs(n: number, pairCount: number, tolerance = defaultTolerance): EigenState {
  const count = Math.min(pairCount, n);
  const size = Math.min(n, 2 * count + furtherVectors);
  const basis = sharedNumbers((size + 1) * n);
  drawVector(basis.subarray(0, n), 0);
  const projected = sharedNumbers(size * size);
  return { n, count, size, basis, projected, tolerance, column: 0, restarts: 0 };
}

/**
 * Adds one basis vector: a matrix product and its orthogonalisation; after the last vector, computes a part of the
 * result or of the restart. Modifies the arrays of the state. Throws NotConverged.
 */
export function nextEigenStep(multiply: Multiply, state: EigenState): EigenState {
  if (state.turn) return turned(state, state.turn);
  const { n, basis, projected, size, column } = state;
  const vectors = (count: number) =>
    Array.from({ length: count }, (_, at) => basis.subarray(at * n, (at + 1) * n));
  const before = vectors(column + 1);
  const next = basis.subarray((column + 1) * n, (column + 2) * n);
  multiply(before[column]!, next);
  for (let pass = 0; pass < 2; pass++) {
    takeOut(next, before).forEach((share, row) => {
      projected[row * size + column]! += share;
      if (row !== column) projected[column * size + row]! += share;
    });
  }
  let rest = lengthOf(next);
  if (rest < nothing) {
    rest = 0;
    drawVector(next, state.restarts * size + column + 1);
    for (let pass = 0; pass < 2; pass++) takeOut(next, before);
  }
  scale(next, lengthOf(next));
  return column + 1 < size ? { ...state, column: column + 1 } : atEndOfBasis(state, rest);
}

function atEndOfBasis(state: EigenState, rest: number): EigenState {
  const { n, count, size, projected, tolerance, restarts } = state;
  const { values, vectors } = symmetricEigen(projected, size);
  const order = Array.from(values.keys()).toSorted((i, j) => Math.abs(values[j]!) - Math.abs(values[i]!));
  const isDone = order.slice(0, count).every((at) => rest * Math.abs(vectors[at]![size - 1]!) < tolerance);
  const isLast = isDone || size === n;
  if (!isLast && restarts === maxRestarts)
    throw new NotConverged(`The eigenvalues of ${n} rows did not converge in ${maxRestarts} restarts.`);
  // `symmetricEigen` has them falling.
  const selected = isLast
    ? order.slice(0, count).toSorted((i, j) => i - j)
    : order.slice(0, count + Math.floor((size - count) / 3));
  const turn = {
    values: Float64Array.from(selected, (at) => values[at]!),
    proportions: selected.map((at) => vectors[at]!),
    isLast,
    done: 0,
  };
  return { ...state, turn };
}

function turned(state: EigenState, turn: Turn): EigenState {
  const { n, size, basis, projected, restarts } = state;
  const { values, proportions, isLast } = turn;
  const done = Math.min(n, turn.done + rowsOfStep);
  combine(state, proportions, turn.done, done);
  if (done < n) return { ...state, turn: { ...turn, done } };
  if (isLast) {
    const vectors = proportions.map((_, place) => withSign(basis.subarray(place * n, (place + 1) * n)));
    return { ...state, turn: undefined, pairs: { values, vectors } };
  }
  basis.copyWithin(values.length * n, size * n, (size + 1) * n);
  projected.fill(0);
  values.forEach((value, place) => (projected[place * size + place] = value));
  return { ...state, turn: undefined, column: values.length, restarts: restarts + 1 };
}

/** Replaces the first basis vectors by combinations with the given coefficients, in the entries [start, end). */
function combine(
  { n, size, basis }: Pick<EigenState, 'n' | 'size' | 'basis'>,
  proportions: readonly Float64Array[],
  start: number,
  end: number,
): void {
  const sums = new Float64Array(proportions.length * combinedRows);
  for (let from = start; from < end; from += combinedRows) {
    const rows = Math.min(combinedRows, end - from);
    sums.fill(0);
    for (let to = 0; to < proportions.length; to++) {
      const shares = proportions[to]!;
      const own = to * combinedRows;
      let at = 0;
      // Four at a time: a quarter of the ways through the sums.
      for (; at + 4 <= size; at += 4) {
        const [a, b, c, d] = [shares[at]!, shares[at + 1]!, shares[at + 2]!, shares[at + 3]!];
        const first = at * n + from;
        for (let row = 0; row < rows; row++) {
          const place = first + row;
          sums[own + row]! +=
            a * basis[place]! + b * basis[place + n]! + c * basis[place + 2 * n]! + d * basis[place + 3 * n]!;
        }
      }
      for (; at < size; at++) {
        const [share, first] = [shares[at]!, at * n + from];
        for (let row = 0; row < rows; row++) sums[own + row]! += share * basis[first + row]!;
      }
    }
    for (let to = 0; to < proportions.length; to++) {
      const own = to * combinedRows;
      basis.set(sums.subarray(own, own + rows), to * n + from);
    }
  }
}

/**
 * Makes a vector orthogonal to orthonormal ones, up to rounding; returns its components along them. Four at a time:
 * independent sums, and a quarter of the passes over the vector.
 */
function takeOut(vector: Float64Array, units: readonly Float64Array[]): Float64Array {
  const shares = new Float64Array(units.length);
  let at = 0;
  for (; at + 4 <= units.length; at += 4) {
    const [one, two, three, four] = [units[at]!, units[at + 1]!, units[at + 2]!, units[at + 3]!];
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let i = 0; i < vector.length; i++) {
      const value = vector[i]!;
      a += value * one[i]!;
      b += value * two[i]!;
      c += value * three[i]!;
      d += value * four[i]!;
    }
    for (let i = 0; i < vector.length; i++) {
      vector[i]! -= a * one[i]! + b * two[i]! + c * three[i]! + d * four[i]!;
    }
    shares.set([a, b, c, d], at);
  }
  for (; at < units.length; at++) shares[at] = takeOutOne(vector, units[at]!);
  return shares;
}

function takeOutOne(vector: Float64Array, unit: Float64Array): number {
  let share = 0;
  for (let i = 0; i < vector.length; i++) share += vector[i]! * unit[i]!;
  for (let i = 0; i < vector.length; i++) vector[i]! -= share * unit[i]!;
  return share;
}

function withSign(vector: Float64Array): Float64Array {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) {
    if (Math.abs(vector[i]!) > Math.abs(largest)) largest = vector[i]!;
  }
  if (largest < 0) scale(vector, -1);
  return vector;
}

function drawVector(vector: Float64Array, seed: number): void {
  const random = new LegacyRandomState(seed);
  for (let i = 0; i < vector.length; i++) vector[i] = random.nextUint32() / 2 ** 32 - 0.5;
  scale(vector, lengthOf(vector));
}

function scale(vector: Float64Array, divisor: number): void {
  if (divisor !== 0) for (let i = 0; i < vector.length; i++) vector[i]! /= divisor;
}

function lengthOf(vector: Float64Array): number {
  let square = 0;
  for (let i = 0; i < vector.length; i++) square += vector[i]! * vector[i]!;
  return Math.sqrt(square);
}

function sharedNumbers(count: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(8 * count));
}
