import { symmetricEigen } from '../pseudobulk/symmetric-eigen.ts';
import { LegacyRandomState } from '../random/legacy-random-state.ts';

/** Writes the product of a symmetric matrix and `vector` to `product`. */
export type Multiply = (vector: Float64Array, product: Float64Array) => void;

export interface Eigenpairs {
  /** Falling. */
  readonly values: Float64Array;
  /** Of length 1, the entry that is largest in size positive. */
  readonly vectors: readonly Float64Array[];
}

/** The iteration did not end, as for a matrix that is none of numbers. */
export class NotConverged extends Error {
  override readonly name = 'NotConverged';
}

/** Vectors beyond those asked for; a restart costs as much as the vectors kept times those built. */
const furtherVectors = 30;
const maxRestarts = 1000;
/** Length of A v - λ v, where the largest λ in size is about 1: an error of this over the gap to the next λ is left in v. */
const defaultTolerance = 1e-11;
/** A remainder this short is what rounding leaves: the vectors so far hold all that the matrix reaches from the first. */
const nothing = 1e-13;

/**
 * The eigenvalues largest in size, and their eigenvectors, of a symmetric matrix of n rows with a norm of about 1: Lanczos'
 * iteration, all vectors made orthogonal to all before twice, restarted from the best (thick restart: Wu and Simon
 * 2000, doi:10.1137/S0895479898334605). The first vector is drawn with a fixed seed, so that the same matrix has the same result.
 * Throws NotConverged.
 */
export function largestEigenpairs(
  multiply: Multiply,
  n: number,
  wanted: number,
  tolerance = defaultTolerance,
): Eigenpairs {
  const count = Math.min(wanted, n);
  const size = Math.min(n, 2 * count + furtherVectors);
  const random = new LegacyRandomState(0);
  const basis = [unitVector(randomVector(random, n))];
  const projected = new Float64Array(size * size);
  let kept = 0;
  for (let restart = 0; restart < maxRestarts; restart++) {
    const rest = extend({ multiply, basis, projected, size, random }, kept);
    const { values, vectors } = symmetricEigen(projected, size);
    const order = Array.from(values.keys()).toSorted((i, j) => Math.abs(values[j]!) - Math.abs(values[i]!));
    const isDone = order.slice(0, count).every((at) => rest * Math.abs(vectors[at]![size - 1]!) < tolerance);
    if (isDone || size === n) {
      // `symmetricEigen` has them falling.
      const best = order.slice(0, count).toSorted((i, j) => i - j);
      return {
        values: Float64Array.from(best, (at) => values[at]!),
        vectors: best.map((at) => withSign(combined(basis, vectors[at]!))),
      };
    }
    kept = count + Math.floor((size - count) / 3);
    const next = order.slice(0, kept);
    const last = basis[size]!;
    basis.splice(0, Infinity, ...next.map((at) => combined(basis, vectors[at]!)), last);
    projected.fill(0);
    next.forEach((at, place) => (projected[place * size + place] = values[at]!));
  }
  throw new NotConverged(`The eigenvalues of ${n} rows did not converge in ${maxRestarts} restarts.`);
}

interface Space {
  readonly multiply: Multiply;
  /** Orthogonal vectors of length 1, to which more are added up to size + 1. */
  readonly basis: Float64Array[];
  /** size × size: the matrix as seen by the basis. */
  readonly projected: Float64Array;
  readonly size: number;
  readonly random: LegacyRandomState;
}

/** Adds vectors from `kept` on. Returns the length of what the matrix makes of the last beyond the basis. */
function extend({ multiply, basis, projected, size, random }: Space, kept: number): number {
  let rest = 0;
  for (let column = kept; column < size; column++) {
    const next = new Float64Array(basis[0]!.length);
    multiply(basis[column]!, next);
    for (let pass = 0; pass < 2; pass++) {
      takeOut(next, basis.slice(0, column + 1)).forEach((share, row) => {
        projected[row * size + column]! += share;
        if (row !== column) projected[column * size + row]! += share;
      });
    }
    rest = lengthOf(next);
    if (rest < nothing) {
      rest = 0;
      next.set(randomVector(random, next.length));
      for (let pass = 0; pass < 2; pass++) takeOut(next, basis);
    }
    basis[column + 1] = unitVector(next);
  }
  return rest;
}

/**
 * Makes a vector orthogonal to some of length 1 that are orthogonal to each other, but for rounding; returns its shares along
 * those. Four at a time: sums that do not wait for each other, and a quarter of the ways through the vector.
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

/** The basis in the proportions given; vectors of the basis beyond those are left out. */
function combined(basis: readonly Float64Array[], proportions: Float64Array): Float64Array {
  const sum = new Float64Array(basis[0]!.length);
  proportions.forEach((share, at) => {
    const one = basis[at]!;
    for (let i = 0; i < sum.length; i++) sum[i]! += share * one[i]!;
  });
  return sum;
}

function withSign(vector: Float64Array): Float64Array {
  const largest = vector.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
  return largest < 0 ? vector.map((value) => -value) : vector;
}

function randomVector(random: LegacyRandomState, n: number): Float64Array {
  return Float64Array.from({ length: n }, () => random.nextUint32() / 2 ** 32 - 0.5);
}

function unitVector(vector: Float64Array): Float64Array {
  const length = lengthOf(vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

function lengthOf(vector: Float64Array): number {
  let square = 0;
  for (let i = 0; i < vector.length; i++) square += vector[i]! * vector[i]!;
  return Math.sqrt(square);
}
