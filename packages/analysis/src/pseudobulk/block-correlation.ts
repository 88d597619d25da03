import type { Design } from './design.ts';
import type { GeneSampleMatrix } from './gene-sample-matrix.ts';
import { OrthogonalFactor } from './orthogonal-factor.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

/** Limits of the within-block correlation, and the share of genes trimmed from the mean at each end, as in limma. */
const largest = 0.99;
const leastMargin = 0.01;
const trim = 0.15;
/**
 * Approximate maximum number of multiplications; beyond it a regular subset of genes is used, since all would take
 * minutes.
 */
const maxWork = 4e9;
const leastGenes = 200;

/**
 * Correlation of samples within blocks, estimated from all genes: limma's `duplicateCorrelation` with value `weights`.
 * Each gene's residual and block variances are estimated by restricted maximum likelihood; their shares are averaged as
 * hyperbolic arctangents, trimming 15 % at each end. With more than some 50 blocks and many genes, a regular subset of
 * genes is used. 0 if no block has two samples or the design contains the blocks; NaN if there are too few samples.
 * `blocks`: any number per sample.
 */
export function consensusCorrelation(
  { geneCount, sampleCount: n, values }: GeneSampleMatrix,
  design: Design,
  blocks: ArrayLike<number>,
  weights?: Float64Array,
): number {
  const { codes, sizes } = blockCodes(blocks);
  const maxSize = Math.max(...sizes);
  if (maxSize < 2) return 0;
  const p = design.columns.length;
  const factor = new OrthogonalFactor(n, p);
  const indicators = sizes.map((_, block) => Float64Array.from(codes, (own) => Number(own === block)));
  design.columns.forEach((column, j) => factor.columns.set(column, j * n));
  factor.factor();
  const isHeld = indicators.every((indicator) => {
    const rotated = indicator.slice();
    factor.rotate(rotated);
    return rotated.subarray(p).every((value) => Math.abs(value) < 1e-8);
  });
  if (isHeld) return 0;
  if (n <= p + 2 || sizes.length < 2 || sizes.length >= n - 1) return NaN;
  const minShare = 1 / (1 - maxSize) + leastMargin;
  const row = new Float64Array(n);
  const atanhShares: number[] = [];
  const work = 10 * sizes.length ** 3 + 2 * n * sizes.length * (p + sizes.length);
  const step = Math.max(1, Math.ceil(geneCount / Math.max(leastGenes, Math.floor(maxWork / work))));
  for (let gene = 0; gene < geneCount; gene += step) {
    const base = gene * n;
    for (let i = 0; i < n; i++) row[i] = values[base + i]!;
    if (weights) {
      for (let i = 0; i < n; i++) row[i]! *= Math.sqrt(weights[base + i]!);
      for (let j = 0; j < p; j++) {
        const column = design.columns[j]!;
        for (let i = 0; i < n; i++) {
          factor.columns[j * n + i] = Math.sqrt(weights[base + i]!) * column[i]!;
        }
      }
      factor.factor();
    }
    const [residual, block] = varianceComponents(factor, indicators, row);
    const share = block / (residual + block);
    if (!Number.isNaN(share)) atanhShares.push(Math.atanh(Math.min(largest, Math.max(minShare, share))));
  }
  atanhShares.sort((one, other) => one - other);
  const left = Math.floor(atanhShares.length * trim);
  const trimmed = atanhShares.slice(left, atanhShares.length - left);
  return Math.tanh(trimmed.reduce((sum, value) => sum + value, 0) / trimmed.length);
}

function blockCodes(blocks: ArrayLike<number>): { codes: readonly number[]; sizes: readonly number[] } {
  const codeOf = new Map<number, number>();
  const sizes: number[] = [];
  const codes = Array.from(blocks, (block) => {
    const code = codeOf.get(block) ?? codeOf.size;
    codeOf.set(block, code);
    sizes[code] = (sizes[code] ?? 0) + 1;
    return code;
  });
  return { codes, sizes };
}

/**
 * Residual and block variance of one gene, as statmod's `mixedModel2Fit` with `only.varcomp`: along the principal axes
 * of the blocks, the residuals of the design have squares whose expectation is the residual variance plus a multiple of
 * the block variance.
 */
function varianceComponents(
  factor: OrthogonalFactor,
  indicators: readonly Float64Array[],
  row: Float64Array,
): [residual: number, block: number] {
  const { rowCount: n, columnCount: p } = factor;
  factor.rotate(row);
  const left = row.subarray(p);
  const rotated = indicators.map((indicator) => {
    const own = indicator.slice();
    factor.rotate(own);
    return own.subarray(p);
  });
  const count = rotated.length;
  const products = new Float64Array(count * count);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++)
      products[i * count + j] = products[j * count + i] = dot(rotated[i]!, rotated[j]!);
  }
  const { values, vectors } = symmetricEigen(products, count);
  const axes: number[] = [];
  const squares: number[] = [];
  let rest = dot(left, left);
  for (let at = 0; at < count; at++) {
    if (axes.length === n - p || !(values[at]! > 1e-12 * values[0]!)) break;
    let along = 0;
    for (let block = 0; block < count; block++) along += vectors[at]![block]! * dot(rotated[block]!, left);
    axes.push(values[at]!);
    squares.push(along ** 2 / values[at]!);
    rest -= squares.at(-1)!;
  }
  return gammaFit({ axes, squares, others: n - p - axes.length, rest: Math.max(0, rest) });
}

/** Squares along the axes of the blocks; `rest` is the sum over the `others` axes, which blocks do not affect. */
interface AxisSquares {
  axes: readonly number[];
  squares: readonly number[];
  others: number;
  rest: number;
}

const maxSteps = 20;
const tolerance = 1e-6;

/**
 * Estimates both variances by Fisher scoring of a gamma model with an identity link and Levenberg damping: statmod's
 * `glmgam.fit` step for step, including its stopping rule, on which limma's numbers depend.
 */
function gammaFit({ axes, squares, others, rest }: AxisSquares): [number, number] {
  const count = axes.length + others;
  const total = squares.reduce((sum, one) => sum + one, rest);
  const meanAxis = axes.reduce((sum, one) => sum + one, 0) / count;
  const spread = axes.reduce((sum, one) => sum + (one - meanAxis) ** 2, others * meanAxis ** 2);
  const joint = axes.reduce((sum, one, at) => sum + (one - meanAxis) * squares[at]!, -meanAxis * rest);
  let block = spread > 0 ? joint / spread : 0;
  let residual = total / count - block * meanAxis;
  if (!(count > 2 && axes.length > 1 && spread / (count - 1) > 1e-15)) return [residual, block];
  const isPossible = () =>
    (others === 0 || residual >= 0) && axes.every((axis) => residual + block * axis >= 0);
  if (!isPossible()) [residual, block] = [total / count, 0];
  const deviance = () => {
    if (!isPossible()) return Infinity;
    let sum = others === 0 ? 0 : rest / residual + others * Math.log(residual);
    for (let at = 0; at < axes.length; at++) {
      const mean = residual + block * axes[at]!;
      sum += squares[at]! / mean + Math.log(mean);
    }
    return 2 * sum;
  };
  let now = deviance();
  let damping = 0;
  for (let step = 1; step <= maxSteps + 1; step++) {
    const means = axes.map((axis) => residual + block * axis);
    const maxSquare = Math.max(...means.map((mean) => mean ** 2), others > 0 ? residual ** 2 : 0);
    const variance = (mean: number) => Math.max(mean ** 2, maxSquare / 1000);
    let [ones, cross, double, first, second] = [0, 0, 0, 0, 0];
    if (others > 0) {
      ones = others / variance(residual);
      first = (rest - others * residual) / variance(residual);
    }
    for (let at = 0; at < axes.length; at++) {
      const [axis, mean] = [axes[at]!, means[at]!];
      const weight = 1 / variance(mean);
      const slope = (squares[at]! - mean) * weight;
      ones += weight;
      cross += weight * axis;
      double += weight * axis * axis;
      first += slope;
      second += slope * axis;
    }
    const information = Math.max(ones, double);
    if (step === 1) damping = Math.abs((ones + double) / 2) / 2;
    const [oldResidual, oldBlock, before] = [residual, block, now];
    let gain = 0;
    let tries = 0;
    for (;;) {
      tries++;
      const [a, d] = [ones + damping, double + damping];
      const determinant = a * d - cross * cross;
      const byResidual = (d * first - cross * second) / determinant;
      const byBlock = (a * second - cross * first) / determinant;
      residual = oldResidual + byResidual;
      block = oldBlock + byBlock;
      gain = first * byResidual + second * byBlock;
      now = deviance();
      if (now <= before) break;
      if (damping / information > 1e15) return [oldResidual, oldBlock];
      damping *= 2;
    }
    if (tries === 1) damping /= 10;
    if (gain < tolerance) break;
  }
  return [residual, block];
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i]! * other[i]!;
  return sum;
}

/** Decorrelates samples of blocks with a common correlation: their values, and the columns of their design. */
export class BlockWhitening {
  /** Per sample, the earlier samples of its block. */
  readonly #before: readonly (readonly number[])[];
  readonly #correlation: number;

  /** `correlation`: below 1, and above -1 / (samples of the largest block - 1). */
  constructor(blocks: ArrayLike<number>, correlation: number) {
    const samplesByBlock = new Map<number, number[]>();
    this.#before = Array.from(blocks, (block, sample) => {
      const own = samplesByBlock.get(block) ?? [];
      samplesByBlock.set(block, [...own, sample]);
      return own;
    });
    this.#correlation = correlation;
  }

  /**
   * Multiplies the values in place by the inverse Cholesky factor of the correlation matrix: removes what a sample
   * shares with earlier ones of its block and restores the variance of the rest.
   */
  whiten(values: Float64Array): void {
    const rho = this.#correlation;
    const original = values.slice();
    this.#before.forEach((before, sample) => {
      const count = before.length;
      if (count === 0) return;
      // The best guess from k equally correlated values is their sum times rho / (1 + (k - 1) rho).
      const weight = rho / (1 + (count - 1) * rho);
      let shared = 0;
      for (const one of before) shared += weight * original[one]!;
      values[sample] = (original[sample]! - shared) / Math.sqrt(1 - weight * rho * count);
    });
  }
}
