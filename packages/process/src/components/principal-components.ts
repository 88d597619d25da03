import { threadResult } from '../thread-result.ts';
import { seededRandom, seeds } from '../random.ts';
import type { EntryRows } from './entry-rows.ts';
import { gramRows, gramStarts, type GeneShare } from './gram-rows.ts';
import type { GramJob } from './gram-worker.ts';
import { covarianceOperator, denseOperator, scoresAlong, type Operator, evenly } from './operators.ts';
import { symmetricEigen, type Eigenpairs } from './symmetric-eigen.ts';
import { componentsKernel, lanes } from './components-kernel.ts';

export interface PrincipalComponents {
  components: number;
  coordinates: Float64Array;
  /** Axes of length 1, component after component, and the variance along each (n - 1 in the denominator). */
  axes: Float64Array;
  variances: Float64Array;
}

/** Maximum number of genes whose covariances are held: 128 MiB. */
export const maxDenseGenes = 4096;
/** Less work is done sooner than a thread starts. */
const minPairsOfThread = 100_000_000;
const expectedPasses = 50;
const [covariancesDone, vectorsDone] = [0.7, 0.9];

/**
 * First principal components of cells x genes, each gene centred: exact, and the same with any number of threads. The
 * sign of a component is arbitrary. `components`: at most the number of genes, and less than that of cells.
 * `onProgress`: completed share, from 0 to 1.
 */
export async function principalComponents(
  rows: EntryRows,
  components: number,
  threads: number,
  onProgress: (done: number) => void = () => undefined,
): Promise<PrincipalComponents> {
  const means = meansOf(rows);
  const eigenpairs = await eigenpairsOf(rows, means, { components, threads, onProgress });
  return {
    components,
    coordinates: scoresAlong(rows, means, eigenpairs, (done) =>
      onProgress(vectorsDone + (1 - vectorsDone) * done),
    ),
    axes: eigenpairs.vectors,
    variances: eigenpairs.values,
  };
}

async function eigenpairsOf(
  rows: EntryRows,
  means: Float64Array,
  {
    components,
    threads,
    onProgress,
  }: { components: number; threads: number; onProgress: (done: number) => void },
): Promise<Eigenpairs> {
  const { geneCount } = rows;
  const writeCovariance = () =>
    covariance(rows, means, threads, (done) => onProgress(covariancesDone * done));
  if (geneCount > basisSize(components)) {
    const operator = isSoonerDense(rows)
      ? withProgress(denseOperator(geneCount, await writeCovariance()), onProgress, covariancesDone)
      : withProgress(covarianceOperator(rows, means), onProgress, 0);
    return leadingEigenpairs(operator, components);
  }
  const whole = new Float64Array(geneCount * geneCount);
  (await writeCovariance())(whole);
  const { values, vectors } = symmetricEigen(whole, geneCount);
  return { values: values.slice(0, components), vectors: vectors.slice(0, components * geneCount) };
}

/** Wraps the operator to report every pass. Their number is unknown: each is a fraction of the rest. */
function withProgress(operator: Operator, onProgress: (done: number) => void, from: number): Operator {
  let left = vectorsDone - from;
  return {
    ...operator,
    apply: (panel, to) => {
      operator.apply(panel, to);
      left *= 1 - 1 / expectedPasses;
      onProgress(vectorsDone - left);
    },
  };
}

/**
 * Whether computing and repeatedly applying the covariances is faster than applying the entries. Costs are measured
 * nanoseconds.
 */
function isSoonerDense(rows: EntryRows): boolean {
  const { cellCount, geneCount, pointers } = rows;
  if (geneCount > maxDenseGenes) return false;
  return pairsOf(rows) + expectedPasses * 2 * geneCount ** 2 < expectedPasses * (7 * pointers[cellCount]!);
}

function pairsOf({ cellCount, pointers }: EntryRows): number {
  let pairs = 0;
  for (let cell = 0; cell < cellCount; cell++) pairs += (pointers[cell + 1]! - pointers[cell]!) ** 2 / 2;
  return pairs;
}

function meansOf({ cellCount, geneCount, words, values }: EntryRows): Float64Array {
  const means = new Float64Array(geneCount);
  for (let at = 0; at < words.length; at += 2) means[words[at + 1]!]! += values[at]!;
  return means.map((sum) => sum / cellCount);
}

/** Covariances of the genes (n - 1 in the denominator); the returned function writes them in place, row after row. */
async function covariance(
  rows: EntryRows,
  means: Float64Array,
  threads: number,
  onPart: (done: number) => void,
): Promise<(into: Float64Array) => void> {
  const { cellCount, geneCount } = rows;
  const step = Math.max(1, Math.min(threads, Math.floor(pairsOf(rows) / minPairsOfThread)));
  const [own, ...others] = Array.from({ length: step }, (_, first): GeneShare => ({ first, step }));
  const begun = others.map((share) =>
    threadResult<GramJob, Float64Array>(new URL('./gram-worker.ts', import.meta.url), { rows, share }),
  );
  const parts = [gramRows(rows, own!, onPart), ...(await Promise.all(begun))];
  return (into) => {
    for (const [first, sums] of parts.entries()) {
      const starts = gramStarts(geneCount, { first, step });
      for (let gene = first; gene < geneCount; gene += step) {
        const from = starts[gene]! - gene;
        const centre = cellCount * means[gene]!;
        for (let other = gene; other < geneCount; other++) {
          const value = (sums[from + other]! - centre * means[other]!) / (cellCount - 1);
          into[gene * geneCount + other] = value;
          into[other * geneCount + gene] = value;
        }
      }
    }
  };
}

/** A vector has converged if the operator rotates it by at most this share of the maximum eigenvalue. */
const tolerance = 1e-9;
/** Extra vectors kept, so that the wanted ones converge sooner. */
const spare = 20;
/** Cells of types took 4, noise alone 14. After this many the result is taken as it is. */
const maxRestarts = 200;
/** Relative length below which a vector inside the basis has only rounding left. */
const nothing = 1e-13;

function basisSize(count: number): number {
  return 2 * lanes * Math.ceil((count + spare) / lanes);
}

/**
 * The `count` greatest eigenvalues of an operator with more than `basisSize(wanted)` rows, none of them negative but
 * for rounding, and their vectors: block Lanczos with full orthogonalisation, restarted with the best vectors (Wu and
 * Simon 2000, doi:10.1137/S0895479898334605). Equal eigenvalues have separate vectors. Always starts from the same
 * numbers.
 */
function leadingEigenpairs(operator: Operator, count: number): Eigenpairs {
  const basis = new Basis(operator, basisSize(count));
  const keep = basisSize(count) / 2;
  for (let restart = 0; ; restart++) {
    basis.fill();
    const pairs = symmetricEigen(basis.projected(), basis.count);
    basis.become(pairs, keep);
    if (restart === maxRestarts || basis.leftOf(pairs, count) <= tolerance * pairs.values[0]!)
      return { values: pairs.values.slice(0, count), vectors: basis.first(count) };
  }
}

class Basis {
  count = 0;
  readonly #operator: Operator;
  readonly #capacity: number;
  readonly #kernel: ReturnType<typeof componentsKernel>['kernel'];
  readonly #vectors: Float64Array;
  /** The next panel, orthonormal to all vectors; the operator's product with it; and its products with the vectors. */
  readonly #next: Float64Array;
  readonly #applied: Float64Array;
  readonly #products: Float64Array;
  /** Rows of `#capacity` numbers: the operator within the basis. */
  readonly #within: Float64Array;
  /** Component of the operator's latest product outside the basis: `lanes` x `lanes`, in terms of the next panel. */
  #outside: Float64Array = new Float64Array(lanes * lanes);
  readonly #random = seededRandom(seeds.components);
  #longest = 0;

  constructor(operator: Operator, capacity: number) {
    this.#operator = operator;
    this.#capacity = capacity;
    const { size, bytes } = operator;
    const panel = lanes * evenly(size);
    const lengths = [capacity * size, panel, panel, lanes * capacity];
    const { kernel, memory } = componentsKernel(bytes + 8 * lengths.reduce((sum, length) => sum + length, 0));
    operator.begin();
    this.#kernel = kernel;
    let at = bytes;
    const take = (length: number) => {
      const view = new Float64Array(memory.buffer, at, length).fill(0);
      at += view.byteLength;
      return view;
    };
    [this.#vectors, this.#next, this.#applied, this.#products] = lengths.map(take) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    this.#within = new Float64Array(capacity * capacity);
    for (let at = 0; at < lanes * size; at++) this.#next[at] = this.#random() - 0.5;
    this.#orthonormalise(this.#next);
  }

  fill(): void {
    const { size } = this.#operator;
    while (this.count < this.#capacity) {
      for (let lane = 0; lane < lanes; lane++) {
        const to = (this.count + lane) * size;
        for (let at = 0; at < size; at++) this.#vectors[to + at] = this.#next[lanes * at + lane]!;
      }
      this.#operator.apply(this.#next.byteOffset, this.#applied.byteOffset);
      for (let lane = 0; lane < lanes; lane++)
        this.#longest = Math.max(this.#longest, lengthOf(this.#applied, lane));
      const first = this.count;
      this.count += lanes;
      this.#project(this.#applied);
      for (let i = 0; i < this.count; i++) {
        for (let lane = 0; lane < lanes; lane++) {
          const product = this.#products[lanes * i + lane]!;
          this.#within[i * this.#capacity + first + lane] = product;
          this.#within[(first + lane) * this.#capacity + i] = product;
        }
      }
      this.#outside = this.#orthonormalise(this.#applied);
      this.#next.set(this.#applied);
    }
  }

  /** The operator within the basis: symmetric, count x count. */
  projected(): Float64Array {
    return this.#within.slice();
  }

  /** Maximum residual of the first vectors outside the basis; must be called before `become`. */
  leftOf({ vectors }: Eigenpairs, count: number): number {
    let largest = 0;
    for (let vector = 0; vector < count; vector++) {
      const tail = vectors.subarray((vector + 1) * this.#capacity - lanes, (vector + 1) * this.#capacity);
      let square = 0;
      for (let row = 0; row < lanes; row++) {
        let sum = 0;
        for (let column = 0; column < lanes; column++)
          sum += this.#outside[lanes * row + column]! * tail[column]!;
        square += sum * sum;
      }
      largest = Math.max(largest, Math.sqrt(square));
    }
    return largest;
  }

  /** Continues with the first vectors alone, a multiple of `lanes` of them. */
  become({ values, vectors }: Eigenpairs, keep: number): void {
    const { size } = this.#operator;
    const rotated = new Float64Array(keep * size);
    for (let first = 0; first < keep; first += lanes) {
      for (let i = 0; i < this.#capacity; i++)
        for (let lane = 0; lane < lanes; lane++)
          this.#products[lanes * i + lane] = vectors[(first + lane) * this.#capacity + i]!;
      this.#applied.fill(0);
      this.#combine(this.#applied);
      for (let lane = 0; lane < lanes; lane++) {
        const to = (first + lane) * size;
        for (let at = 0; at < size; at++) rotated[to + at] = this.#applied[lanes * at + lane]!;
      }
    }
    this.#vectors.set(rotated);
    this.#within.fill(0);
    for (let i = 0; i < keep; i++) this.#within[i * this.#capacity + i] = values[i]!;
    this.count = keep;
  }

  first(count: number): Float64Array {
    return this.#vectors.slice(0, count * this.#operator.size);
  }

  #project(panel: Float64Array): void {
    const { byteOffset: from } = this.#vectors;
    const width = 8 * this.#operator.size;
    const out = this.#products.byteOffset;
    this.#kernel.multiply(from, from + this.count * width, width, panel.byteOffset, out);
  }

  #combine(panel: Float64Array): void {
    const { byteOffset: from } = this.#vectors;
    const width = 8 * this.#operator.size;
    const numbers = this.#products.byteOffset;
    this.#kernel.combine(from, from + this.count * width, width, numbers, panel.byteOffset);
  }

  /**
   * Makes a panel orthonormal, and orthogonal to all vectors. Returns the original in terms of the result: upper
   * triangular, without the part along the vectors.
   */
  #orthonormalise(panel: Float64Array): Float64Array {
    let whole = identity();
    // Twice is enough, but where little was left of a vector.
    for (let [round, smallest] = [0, 0]; round < 2 || (smallest < 0.5 && round < 5); round++) {
      this.#project(panel);
      for (let at = 0; at < lanes * this.count; at++) this.#products[at]! *= -1;
      this.#combine(panel);
      const triangle = this.#orthonormaliseAlone(panel, nothing * (round === 0 ? this.#longest : 1));
      smallest = Math.min(...Array.from({ length: lanes }, (_, lane) => triangle[lanes * lane + lane]!));
      whole = productOf(triangle, whole);
    }
    return whole;
  }

  /**
   * Orthonormalises a panel, ignoring the vectors. Lanes with only rounding left are replaced: they are 0 in the
   * result.
   */
  #orthonormaliseAlone(panel: Float64Array, minLength: number): Float64Array {
    const triangle = new Float64Array(lanes * lanes);
    const { size } = this.#operator;
    for (let lane = 0; lane < lanes; lane++) {
      for (let before = 0; before < lane; before++) {
        let product = 0;
        for (let at = 0; at < lanes * size; at += lanes) product += panel[at + before]! * panel[at + lane]!;
        for (let at = 0; at < lanes * size; at += lanes) panel[at + lane]! -= product * panel[at + before]!;
        triangle[lanes * before + lane] = product;
      }
      let length = lengthOf(panel, lane);
      if (length <= minLength) {
        for (let at = lane; at < lanes * size; at += lanes) panel[at] = this.#random() - 0.5;
        length = lengthOf(panel, lane);
      } else triangle[lanes * lane + lane] = length;
      for (let at = lane; at < lanes * size; at += lanes) panel[at]! /= length;
    }
    return triangle;
  }
}

function lengthOf(panel: Float64Array, lane: number): number {
  let square = 0;
  for (let at = lane; at < panel.length; at += lanes) square += panel[at]! * panel[at]!;
  return Math.sqrt(square);
}

function identity(): Float64Array {
  return Float64Array.from({ length: lanes * lanes }, (_, at) => Number(at % (lanes + 1) === 0));
}

function productOf(one: Float64Array, other: Float64Array): Float64Array {
  const product = new Float64Array(lanes * lanes);
  for (let row = 0; row < lanes; row++) {
    for (let column = 0; column < lanes; column++) {
      for (let i = 0; i < lanes; i++)
        product[lanes * row + column]! += one[lanes * row + i]! * other[lanes * i + column]!;
    }
  }
  return product;
}
