import { diffuseModule, kernelOf, type WasmMemory } from '@cellfolio/kernels';
import type { Network } from '../leiden.ts';
import { symmetricEigen } from '../components/symmetric-eigen.ts';
import { seededRandom, seeds } from '../random.ts';

interface DiffuseKernel {
  step(
    ends: number,
    stop: number,
    edge: number,
    rows: number,
    results: number,
    a: number,
    b: number,
    c: number,
  ): void;
}

const diffuseKernel = kernelOf<DiffuseKernel>(diffuseModule);

/** Vectors iterated together: the two wanted ones, and others close to them that would slow convergence. */
export const width = 8;
const bytes = { row: 4 * width, edge: 8, address: 4 };
/**
 * Degree of each round's polynomial, and the part of the spectrum that it damps in the first round, before anything is
 * known of the graph.
 */
const degree = 24;
const firstCut = 0.6;
const maxRounds = 8;
/** Enough for a start: umap-learn uses 1e-4 with scipy. */
const tolerance = 1e-3;

/**
 * The two leading eigenvectors, after the trivial one, of D^(-1/2) W D^(-1/2): those of the smallest eigenvalues of the
 * normalised Laplacian. The network must be connected and have more than `width` nodes. Subspace iteration, filtered by
 * Chebyshev polynomials (Zhou et al. 2006, doi:10.1016/j.jcp.2006.03.017). If more than two eigenvalues nearly agree,
 * the vectors are some of those that belong to them. The same network gives the same vectors. Returns n x 2, node after
 * node.
 */
export function leadingVectors(network: Network): Float32Array {
  const { count } = network;
  const { memory, multiply } = operatorOf(network);
  const trivial = Float64Array.from(network.sizes, Math.sqrt);
  const length = Math.sqrt(network.sizes.reduce((sum, size) => sum + size, 0));
  for (let node = 0; node < count; node++) trivial[node]! /= length;
  const random = seededRandom(seeds.umapVectors);
  const views = [0, 1].map((at) => new Float32Array(memory.buffer, at * bytes.row * count, width * count));
  let [vectors, images] = views as [Float32Array, Float32Array];
  for (let at = 0; at < vectors.length; at++) vectors[at] = random() - 0.5;
  let cut = firstCut;
  for (let round = 0; round < maxRounds; round++) {
    // What lies between -1 and the cut stays as small as it is, and what lies above grows: Chebyshev's recurrence.
    const [scale, shift] = [2 / (cut + 1), (cut - 1) / (cut + 1)];
    multiply(vectors, images, scale, -shift, 0);
    for (let power = 1; power < degree; power++) {
      [vectors, images] = [images, vectors];
      multiply(vectors, images, 2 * scale, -2 * shift, -1);
    }
    [vectors, images] = [images, vectors];
    makeOrthonormal(vectors, trivial);
    multiply(vectors, images, 1, 0, 0);
    const eigen = symmetricEigen(productsOf(vectors, images), width);
    turned(vectors, eigen.vectors);
    turned(images, eigen.vectors);
    if (remainderOf(vectors, images, eigen.values) < tolerance) break;
    cut = Math.max(0, eigen.values.at(-1)!);
  }
  return Float32Array.from({ length: 2 * count }, (_, at) => vectors[width * (at >> 1) + (at & 1)]!);
}

/** results = a S rows + b rows + c results, for n x 8 matrices at the start of the memory. */
type Multiply = (rows: Float32Array, results: Float32Array, a: number, b: number, c: number) => void;

function operatorOf({ count, starts, others, weights, sizes }: Network): {
  memory: WasmMemory;
  multiply: Multiply;
} {
  const ends = 2 * bytes.row * count;
  const edge = ends + bytes.address * count;
  const { kernel, memory } = diffuseKernel(edge + bytes.edge * others.length);
  new Int32Array(memory.buffer, ends, count).set(starts.subarray(1).map((end) => edge + bytes.edge * end));
  const words = new Int32Array(memory.buffer, edge, 2 * others.length);
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  for (let node = 0; node < count; node++) {
    for (let at = starts[node]!; at < starts[node + 1]!; at++) {
      const other = others[at]!;
      words[2 * at] = bytes.row * other;
      floats[2 * at + 1] = weights[at]! / Math.sqrt(sizes[node]! * sizes[other]!);
    }
  }
  return {
    memory,
    multiply: (rows, results, a, b, c) =>
      kernel.step(ends, edge, edge, rows.byteOffset, results.byteOffset, a, b, c),
  };
}

/** Gram-Schmidt, with the trivial vector, of length 1, as the first. */
function makeOrthonormal(vectors: Float32Array, trivial: Float64Array): void {
  for (let column = 0; column < width; column++) {
    // Twice: of a column that hardly differs from those before it the first time leaves what is rounded.
    for (let pass = 0; pass < 2; pass++) {
      const shares = new Float64Array(column + 1);
      for (let node = 0; node < trivial.length; node++) {
        const value = vectors[width * node + column]!;
        shares[column]! += value * trivial[node]!;
        for (let other = 0; other < column; other++) shares[other]! += value * vectors[width * node + other]!;
      }
      let square = 0;
      for (let node = 0; node < trivial.length; node++) {
        let value = vectors[width * node + column]! - shares[column]! * trivial[node]!;
        for (let other = 0; other < column; other++) value -= shares[other]! * vectors[width * node + other]!;
        vectors[width * node + column] = value;
        square += value * value;
      }
      const scale = square === 0 ? 0 : 1 / Math.sqrt(square);
      for (let at = column; at < vectors.length; at += width) vectors[at]! *= scale;
    }
  }
}

function productsOf(vectors: Float32Array, images: Float32Array): Float64Array {
  const products = new Float64Array(width * width);
  for (let row = 0; row < vectors.length; row += width) {
    for (let i = 0; i < width; i++) {
      const value = vectors[row + i]!;
      for (let j = i; j < width; j++) products[width * i + j]! += value * images[row + j]!;
    }
  }
  for (let i = 0; i < width; i++)
    for (let j = 0; j < i; j++) products[width * i + j] = products[width * j + i]!;
  return products;
}

/** Products of each row with each axis, one axis after the other. */
function turned(rows: Float32Array, axes: Float64Array): void {
  const sums = new Float64Array(width);
  for (let row = 0; row < rows.length; row += width) {
    sums.fill(0);
    for (let i = 0; i < width; i++) {
      const value = rows[row + i]!;
      for (let j = 0; j < width; j++) sums[j]! += value * axes[width * j + i]!;
    }
    rows.set(sums, row);
  }
}

/** Length of S v - λ v, the maximum of the first two. */
function remainderOf(vectors: Float32Array, images: Float32Array, values: Float64Array): number {
  const squares = [0, 0];
  for (let row = 0; row < vectors.length; row += width) {
    for (const at of [0, 1]) squares[at]! += (images[row + at]! - values[at]! * vectors[row + at]!) ** 2;
  }
  return Math.sqrt(Math.max(...squares));
}
