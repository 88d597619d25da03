import type { Design } from '../pseudobulk/design.ts';
import { OrthogonalFactor } from '../pseudobulk/orthogonal-factor.ts';
import { logBeta } from '../statistics/log-gamma.ts';
import { Cholesky } from './cholesky.ts';

/** Floor of fitted means in the weights: PyDESeq2's `min_mu`. */
export const minMean = 0.5;
/** Added to the diagonal of Xᵗ W X, so that it is always solvable. */
export const ridge = 1e-6;
/** Relative change of the deviance below which a fit has converged. */
const tolerance = 1e-8;
const maxSteps = 250;
/** If the ridge increases a variance by more than this factor, the ridge alone determines it. */
const heldFrom = 1.01;
/** Natural log fold changes beyond this indicate divergence. */
const maxCoefficient = 30;

/**
 * Negative binomial model of a gene with a given dispersion: log mean = design · coefficients + log size factor, by
 * iteratively reweighted least squares (Love, Huber and Anders 2014, equations 1, 2 and 18 to 20). One instance per
 * design fits gene after gene; its arrays hold the last gene.
 */
export class GeneModel {
  /** Natural logarithms. */
  readonly coefficients: Float64Array;
  /** Per sample, without the floor. */
  readonly means: Float64Array;
  /** Per sample: the weight of its count in its fitted value. */
  readonly leverages: Float64Array;
  readonly #design: Design;
  readonly #sizeFactors: Float64Array;
  readonly #start: OrthogonalFactor;
  readonly #information: Cholesky;
  readonly #weights: Float64Array;
  readonly #floored: Float64Array;
  readonly #row: Float64Array;
  readonly #next: Float64Array;
  #ranAway = false;

  constructor(design: Design, sizeFactors: Float64Array) {
    const { sampleCount: n, columns } = design;
    this.#design = design;
    this.#sizeFactors = sizeFactors;
    this.coefficients = new Float64Array(columns.length);
    this.means = new Float64Array(n);
    this.leverages = new Float64Array(n);
    this.#weights = new Float64Array(n);
    this.#floored = new Float64Array(n);
    this.#row = new Float64Array(n);
    this.#next = new Float64Array(columns.length);
    this.#information = new Cholesky(columns.length);
    this.#start = new OrthogonalFactor(n, columns.length);
    columns.forEach((column, at) => this.#start.columns.set(column, at * n));
    this.#start.factor();
  }

  fit(counts: Float64Array, dispersion: number): void {
    this.#ranAway = false;
    this.#leastSquares(counts, dispersion);
    const constant = likelihoodConstant(counts, dispersion);
    let deviance = 1000;
    for (let step = 1; ; step++) {
      this.#improve(counts);
      if (step === maxSteps || this.#next.some((value) => !(Math.abs(value) <= maxCoefficient))) {
        this.#ranAway = true;
        this.#leastSquares(counts, dispersion);
        this.#climb(counts, dispersion);
        break;
      }
      this.coefficients.set(this.#next);
      this.#predict(dispersion);
      const last = deviance;
      deviance = 2 * (constant + this.#likelihood(counts, dispersion, this.#floored));
      if (Math.abs(deviance - last) / (Math.abs(deviance) + 0.1) <= tolerance) break;
    }
    this.#setLeverages();
  }

  /**
   * Whether the last fitted means differ more than counts can: the likelihood then has no maximum, and no effect is an
   * estimate.
   */
  get isEndless(): boolean {
    const logs = this.means.map(Math.log);
    return Math.max(...logs) - Math.min(...logs) > maxCoefficient;
  }

  contrastVariance(contrast: Float64Array, dispersion: number): number {
    const [information, weights, next] = [this.#information, this.#weights, this.#next];
    const { sampleCount, columns } = this.#design;
    for (let i = 0; i < sampleCount; i++) weights[i] = this.means[i]! / (1 + this.means[i]! * dispersion);
    information.fill(this.#design, weights, ridge);
    information.factor();
    next.set(contrast);
    information.solve(next);
    // The ridge is no information: it counts in the inverse alone.
    let variance = 0;
    for (let i = 0; i < sampleCount; i++) {
      let effect = 0;
      for (let j = 0; j < columns.length; j++) effect += columns[j]![i]! * next[j]!;
      variance += weights[i]! * effect * effect;
    }
    // In a diverging fit the ridge may be all that holds it: without the ridge its error would be far too small.
    const ridgeVariance = contrast.reduce((sum, weight, j) => sum + weight * next[j]!, 0);
    return this.#ranAway && ridgeVariance > heldFrom * variance ? ridgeVariance : variance;
  }

  #leastSquares(counts: Float64Array, dispersion: number): void {
    const row = this.#row;
    for (let i = 0; i < counts.length; i++) row[i] = Math.log(counts[i]! / this.#sizeFactors[i]! + 0.1);
    this.#start.rotate(row);
    this.#start.solve(row);
    this.coefficients.set(row.subarray(0, this.coefficients.length));
    this.#predict(dispersion);
  }

  #predict(dispersion: number): void {
    const { sampleCount, columns } = this.#design;
    for (let i = 0; i < sampleCount; i++) {
      let log = 0;
      for (let j = 0; j < columns.length; j++) log += this.coefficients[j]! * columns[j]![i]!;
      this.means[i] = this.#sizeFactors[i]! * Math.exp(log);
      this.#floored[i] = Math.max(this.means[i]!, minMean);
      this.#weights[i] = this.#floored[i]! / (1 + this.#floored[i]! * dispersion);
    }
  }

  #improve(counts: Float64Array): void {
    const { sampleCount, columns } = this.#design;
    const [weights, floored, next] = [this.#weights, this.#floored, this.#next];
    this.#information.fill(this.#design, weights, ridge);
    this.#information.factor();
    next.fill(0);
    for (let i = 0; i < sampleCount; i++) {
      const mean = floored[i]!;
      const target = Math.log(mean / this.#sizeFactors[i]!) + (counts[i]! - mean) / mean;
      for (let j = 0; j < columns.length; j++) next[j]! += weights[i]! * target * columns[j]![i]!;
    }
    this.#information.solve(next);
  }

  /**
   * Fallback for diverging steps: maximises the penalised likelihood, which is concave, halving steps until they
   * improve.
   */
  #climb(counts: Float64Array, dispersion: number): void {
    const { sampleCount, columns } = this.#design;
    const posterior = () =>
      this.#likelihood(counts, dispersion, this.means) -
      0.5 * ridge * this.coefficients.reduce((sum, value) => sum + value * value, 0);
    let best = posterior();
    for (let step = 0; step < maxSteps; step++) {
      const from = this.coefficients.slice();
      const change = from.map((value) => -ridge * value);
      for (let i = 0; i < sampleCount; i++) {
        const mean = this.means[i]!;
        const pull = (counts[i]! - mean) / (1 + dispersion * mean);
        this.#weights[i] = mean / (1 + dispersion * mean);
        for (let j = 0; j < columns.length; j++) change[j]! += pull * columns[j]![i]!;
      }
      this.#information.fill(this.#design, this.#weights, ridge);
      this.#information.factor();
      this.#information.solve(change);
      const last = best;
      for (let share = 1; share > 1e-10; share /= 2) {
        for (let j = 0; j < from.length; j++) this.coefficients[j] = from[j]! + share * change[j]!;
        this.#predict(dispersion);
        best = posterior();
        if (best >= last) break;
      }
      if (!(best - last > 1e-12 * (Math.abs(best) + 0.1))) break;
    }
  }

  /** Log likelihood without the terms that do not depend on the means. */
  #likelihood(counts: Float64Array, dispersion: number, means: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < counts.length; i++) {
      const scaled = dispersion * means[i]!;
      const log = Math.log1p(scaled);
      sum -= log / dispersion + (counts[i]! > 0 ? counts[i]! * (log - Math.log(scaled)) : 0);
    }
    return sum;
  }

  #setLeverages(): void {
    const { sampleCount, columns } = this.#design;
    this.#information.fill(this.#design, this.#weights, ridge);
    this.#information.factor();
    for (let i = 0; i < sampleCount; i++) {
      for (let j = 0; j < columns.length; j++) this.#next[j] = columns[j]![i]!;
      this.#information.solveLower(this.#next);
      let square = 0;
      for (let j = 0; j < columns.length; j++) square += this.#next[j]! ** 2;
      this.leverages[i] = this.#weights[i]! * square;
    }
  }
}

/** Log of Γ(y + r) / (y! Γ(r)), summed over counts, with r = 1 / dispersion. */
export function likelihoodConstant(counts: Float64Array, dispersion: number): number {
  const r = 1 / dispersion;
  let sum = 0;
  for (const count of counts) if (count > 0) sum -= logBeta(count + 1, r) + Math.log(count + r);
  return sum;
}
