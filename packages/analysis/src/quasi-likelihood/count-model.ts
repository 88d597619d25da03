import { Cholesky } from '../negative-binomial/cholesky.ts';
import type { Design } from '../pseudobulk/design.ts';

/** The columns of a model and its samples, or of some of them. */
export type ModelColumns = Pick<Design, 'columns' | 'sampleCount'>;

/** Expected gain of a step in log likelihood below which it is the last: the next would gain its square. */
const lastGain = 1e-8;
/** From here on a step is checked, and halved until it gains. */
const checkedGain = 1e-2;
const maxSteps = 100;
const maxHalvings = 40;

/**
 * The negative binomial model of a gene with a given dispersion, Poisson's with 0: log mean = design · coefficients +
 * offset (McCarthy, Chen and Smyth 2012). The likelihood is concave, so that Newton's steps, halved where they do not
 * gain, lead to its highest point; where a group has no counts, its mean falls until the likelihood no longer changes.
 * One is made for a design and fitted gene after gene: the arrays hold the gene fitted last.
 */
export class CountModel {
  /** In natural logarithms. */
  readonly coefficients: Float64Array;
  /** Fitted mean of each sample. */
  readonly means: Float64Array;
  /** Deviance of all samples: twice the difference to the log likelihood of means equal to the counts. */
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

  /** @param start coefficients near the highest point, if any are known: those fitted last may be given. */
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

  /** Logarithm of the determinant of the expected information about the coefficients fitted last. */
  logInformation(dispersion: number): number {
    this.#fillExpected(dispersion);
    const { size, matrix } = this.#information;
    let sum = 0;
    for (let j = 0; j < size; j++) sum += 2 * Math.log(matrix[j * size + j]!);
    return sum;
  }

  /** Variance of a contrast of the coefficients fitted last, by the expected information. */
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

  /** The start: least squares would be nearer, but a level for all samples has no logarithm of zero. */
  #startLevel(counts: Float64Array): void {
    this.coefficients.fill(0);
    let [total, size] = [0, 0];
    for (let i = 0; i < counts.length; i++) {
      total += counts[i]!;
      size += Math.exp(this.#offsets[i]!);
    }
    this.#projectLevel(Math.log(total / size));
  }

  /** Coefficients whose fitted values are nearest to one level; exactly that where the design has an intercept. */
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

  /** Newton's step by the observed information, and half of what it would gain were the likelihood a parabola. */
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

/** Twice the log likelihood ratio of counts: of means that equal them against these means. */
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
