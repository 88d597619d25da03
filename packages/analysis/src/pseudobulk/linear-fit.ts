import type { Design } from './design.ts';
import type { GeneSampleMatrix } from './gene-sample-matrix.ts';
import type { BlockWhitening } from './block-correlation.ts';
import { OrthogonalFactor } from './orthogonal-factor.ts';

export interface LinearFit {
  geneCount: number;
  residualDegrees: number;
  /** Genes × coefficients, gene-major. */
  coefficients: Float64Array;
  sigma: Float64Array;
  /** Unweighted mean of each gene's values: limma's Amean. */
  means: Float64Array;
  contrastCount: number;
  /** Genes × contrasts, gene-major. */
  effects: Float64Array;
  /** Genes × contrasts: standard error of each effect for a residual standard deviation of 1. */
  unscaled: Float64Array;
  /** Per gene, the scaled mean square of its effects: F for a residual variance of 1. NaN without contrasts. */
  jointSquares: Float64Array;
}

/**
 * Least squares per gene, as limma's `lmFit`, and of contrasts of the coefficients (linearly independent weight
 * vectors). `weights`: of the values, genes × samples. Standard errors of contrasts are exact even with weights;
 * limma's `contrasts.fit` assumes equal coefficient correlations for all genes, and agrees if the contrast is a
 * coefficient of the design (`contrastAsCoef`). With `blocks` of correlated samples it is generalised least squares, as
 * `gls.series`. The design must have full rank and fewer coefficients than samples, as `designOf` ensures.
 */
export function linearFit(
  { geneCount, sampleCount, values }: GeneSampleMatrix,
  design: Design,
  {
    weights,
    contrasts = [],
    blocks,
  }: {
    weights?: Float64Array;
    contrasts?: readonly Float64Array[];
    blocks?: BlockWhitening | undefined;
  } = {},
): LinearFit {
  const p = design.columns.length;
  const k = contrasts.length;
  const residualDegrees = sampleCount - p;
  const coefficients = new Float64Array(geneCount * p);
  const sigma = new Float64Array(geneCount);
  const means = new Float64Array(geneCount);
  const effects = new Float64Array(geneCount * k);
  const unscaled = new Float64Array(geneCount * k);
  const jointSquares = new Float64Array(geneCount);
  const factor = new OrthogonalFactor(sampleCount, p);
  const spread = new ContrastSpread(factor, contrasts);
  if (!weights) {
    design.columns.forEach((column, j) => {
      factor.columns.set(column, j * sampleCount);
      blocks?.whiten(factor.columns.subarray(j * sampleCount, (j + 1) * sampleCount));
    });
    factor.factor();
    spread.update();
  }
  const row = new Float64Array(sampleCount);
  const roots = new Float64Array(sampleCount).fill(1);
  for (let gene = 0; gene < geneCount; gene++) {
    const base = gene * sampleCount;
    if (weights) {
      for (let i = 0; i < sampleCount; i++) roots[i] = Math.sqrt(weights[base + i]!);
      for (let j = 0; j < p; j++) {
        const column = design.columns[j]!;
        for (let i = 0; i < sampleCount; i++) factor.columns[j * sampleCount + i] = roots[i]! * column[i]!;
        blocks?.whiten(factor.columns.subarray(j * sampleCount, (j + 1) * sampleCount));
      }
      factor.factor();
      spread.update();
    }
    let sum = 0;
    for (let i = 0; i < sampleCount; i++) {
      const value = values[base + i]!;
      sum += value;
      row[i] = roots[i]! * value;
    }
    means[gene] = sum / sampleCount;
    blocks?.whiten(row);
    factor.rotate(row);
    let square = 0;
    for (let i = p; i < sampleCount; i++) square += row[i]! ** 2;
    sigma[gene] = Math.sqrt(square / residualDegrees);
    factor.solve(row);
    const own = row.subarray(0, p);
    coefficients.set(own, gene * p);
    spread.write(
      own,
      effects.subarray(gene * k, (gene + 1) * k),
      unscaled.subarray(gene * k, (gene + 1) * k),
    );
    jointSquares[gene] = spread.meanSquare();
  }
  return {
    geneCount,
    residualDegrees,
    coefficients,
    sigma,
    means,
    contrastCount: k,
    effects,
    unscaled,
    jointSquares,
  };
}

class ContrastSpread {
  readonly #factor: OrthogonalFactor;
  readonly #contrasts: readonly Float64Array[];
  /** Zᵗ = contrasts · R⁻¹: its row lengths are the standard errors, Zᵗ Z the covariances. */
  readonly #errors: Float64Array[];
  readonly #joint: OrthogonalFactor;
  readonly #effects: Float64Array;

  constructor(factor: OrthogonalFactor, contrasts: readonly Float64Array[]) {
    this.#factor = factor;
    this.#contrasts = contrasts;
    this.#errors = contrasts.map((contrast) => contrast.slice());
    this.#joint = new OrthogonalFactor(factor.columnCount, contrasts.length);
    this.#effects = new Float64Array(contrasts.length);
  }

  /** Call after factoring the design. */
  update(): void {
    this.#errors.forEach((error, at) => {
      error.set(this.#contrasts[at]!);
      this.#factor.solveTransposed(error);
      this.#joint.columns.set(error, at * error.length);
    });
    if (this.#errors.length > 1) this.#joint.factor();
  }

  write(coefficients: Float64Array, effects: Float64Array, unscaled: Float64Array): void {
    this.#contrasts.forEach((contrast, at) => {
      let [effect, square] = [0, 0];
      for (let j = 0; j < contrast.length; j++) {
        effect += contrast[j]! * coefficients[j]!;
        square += this.#errors[at]![j]! ** 2;
      }
      effects[at] = effect;
      unscaled[at] = Math.sqrt(square);
      this.#effects[at] = effects.length === 1 ? effect / unscaled[at] : effect;
    });
  }

  /** effectsᵗ (Zᵗ Z)⁻¹ effects divided by their number, for the effects written last. */
  meanSquare(): number {
    const count = this.#effects.length;
    if (count > 1) this.#joint.solveTransposed(this.#effects);
    return this.#effects.reduce((sum, effect) => sum + effect * effect, 0) / count;
  }
}
