import { Cholesky } from '../negative-binomial/cholesky.ts';
import type { Design } from '../pseudobulk/design.ts';

export type ModelColumns = Pick<Design, 'columns' | 'sampleCount'>;

/** A step with a smaller expected gain in log likelihood is the last: the next would gain its square. */
const lastGain = 1e-8;
/** Steps with a larger expected gain are checked, and halved until they improve. */
const checkedGain = 1e-2;
const maxSteps = 100;
const maxHalvings = 40;

/**
 * Negative binomial model of a gene with a given dispersion, Poisson with 0: log mean = design · coefficients + offset
 * (McCarthy, Chen and Smyth 2012). The likelihood is concave, so Newton steps, halved if they do not improve, reach its
 * maximum; if a group has no counts, its mean falls until the likelihood no longer changes. One instance per design
 * fits gene after gene; its arrays hold the last gene.
 */
export class CountModel {
  /** Natural logarithms. */
  readonly coefficients: Float64Array;
  readonly means: Float64Array;
  /** Deviance over all samples: twice the log likelihood difference from means equal to the counts. */
  deviance = 0;
  readonly #columns: readonly Float64Array[];
  readonly #design: ModelColumns;
  readonly #offsets: Float64Array;
  readonly #information: Cholesky;
  readonly #weights: Float64Array;
  readonly #step: Float64Array;
  readonly #slope: Float64Array;

  constructor(design: ModelColumns, offsets: Float64Array) {
    const { sampleCount, columns } = design;
    this.#design = design;
    this.#columns = columns;
    this.#offsets = offsets;
    this.coefficients = new Float64Array(columns.length);
    this.means = new Float64Array(sampleCount);
    this.#information = new Cholesky(columns.length);
    this.#weights = new Float64Array(sampleCount);
    this.#step = new Float64Array(columns.length);
    this.#slope = new Float64Array(columns.length);
  }

  /** `start`: coefficients near the maximum, if known; those of the last fit may be passed. */
  fit(counts: Float64Array, dispersion: number, start?: Float64Array): void {
    if (start) this.coefficients.set(start);
    else this.#startLevel(counts);
    this.#predict();
    for (let step = 0; step < maxSteps; step++) {
      const gain = this.#findStep(counts, dispersion);
      // Not a number where the information has no inverse to working precision: the groups left have no counts.
      if (!(gain > 0)) break;
      if (gain < checkedGain) this.#move(1);
      else this.#climb(counts, dispersion);
      if (gain < lastGain) break;
    }
    this.deviance = devianceOf(counts, this.means, dispersion);
  }

  #move(share: number): void {
    const { coefficients } = this;
    for (let j = 0; j < coefficients.length; j++) coefficients[j]! += share * this.#step[j]!;
    this.#predict();
  }

  #climb(counts: Float64Array, dispersion: number): void {
    const before = devianceOf(counts, this.means, dispersion);
    this.#move(1);
    for (let halving = 1; halving <= maxHalvings; halving++) {
      if (devianceOf(counts, this.means, dispersion) <= before) return;
      this.#move(-(0.5 ** halving));
    }
  }

  /** Log determinant of the expected information about the last fitted coefficients. */
  logInformation(dispersion: number): number {
    this.#fillExpected(dispersion);
    const { size, matrix } = this.#information;
    let sum = 0;
    for (let j = 0; j < size; j++) sum += 2 * Math.log(matrix[j * size + j]!);
    return sum;
  }

  /** Variance of a contrast of the last fitted coefficients, by the expected information. */
  contrastVariance(contrast: Float64Array, dispersion: number): number {
    this.#fillExpected(dispersion);
    this.#step.set(contrast);
    this.#information.solveLower(this.#step);
    return this.#step.reduce((sum, value) => sum + value * value, 0);
  }

  #fillExpected(dispersion: number): void {
    const { means } = this;
    for (let i = 0; i < means.length; i++) this.#weights[i] = means[i]! / (1 + dispersion * means[i]!);
    this.#information.fill(this.#design, this.#weights);
    this.#information.factor();
  }

  /** Starts from one level for all samples: least squares would be nearer, but needs logarithms of zeros. */
  #startLevel(counts: Float64Array): void {
    this.coefficients.fill(0);
    let [total, size] = [0, 0];
    for (let i = 0; i < counts.length; i++) {
      total += counts[i]!;
      size += Math.exp(this.#offsets[i]!);
    }
    this.#projectLevel(Math.log(total / size));
  }

  /** Coefficients whose fitted values are nearest to one level; exact if the design has an intercept. */
  #projectLevel(level: number): void {
    this.#weights.fill(1);
    this.#information.fill(this.#design, this.#weights);
    this.#information.factor();
    this.#columns.forEach((column, j) => {
      this.coefficients[j] = level * column.reduce((sum, value) => sum + value, 0);
    });
    this.#information.solve(this.coefficients);
  }

  #predict(): void {
    const { coefficients, means } = this;
    const offsets = this.#offsets;
    const columns = this.#columns;
    for (let i = 0; i < means.length; i++) {
      let log = offsets[i]!;
      for (let j = 0; j < columns.length; j++) log += coefficients[j]! * columns[j]![i]!;
      means[i] = Math.exp(log);
    }
  }

  /** Newton step by the observed information, and half of its expected gain under a quadratic likelihood. */
  #findStep(counts: Float64Array, dispersion: number): number {
    const { means } = this;
    const [columns, weights, step, slope] = [this.#columns, this.#weights, this.#step, this.#slope];
    slope.fill(0);
    for (let i = 0; i < means.length; i++) {
      const spread = 1 + dispersion * means[i]!;
      weights[i] = (means[i]! * (1 + dispersion * counts[i]!)) / (spread * spread);
      const pull = (counts[i]! - means[i]!) / spread;
      for (let j = 0; j < columns.length; j++) slope[j]! += pull * columns[j]![i]!;
    }
    step.set(slope);
    this.#information.fill(this.#design, weights);
    this.#information.factor();
    this.#information.solve(step);
    let gain = 0;
    for (let j = 0; j < step.length; j++) gain += step[j]! * slope[j]!;
    return gain;
  }
}

function devianceOf(counts: Float64Array, means: Float64Array, dispersion: number): number {
  let sum = 0;
  for (let i = 0; i < counts.length; i++) {
    const [count, mean] = [counts[i]!, means[i]!];
    if (dispersion === 0) {
      sum += mean - count + (count > 0 ? count * Math.log(count / mean) : 0);
      continue;
    }
    const log = Math.log1p((dispersion * (count - mean)) / (1 + dispersion * mean));
    sum -= (count + 1 / dispersion) * log - (count > 0 ? count * Math.log(count / mean) : 0);
  }
  return 2 * sum;
}
