import type { Design } from '../pseudobulk/design.ts';
import type { GeneSampleMatrix } from '../pseudobulk/gene-sample-matrix.ts';
import { OrthogonalFactor } from '../pseudobulk/orthogonal-factor.ts';
import { trigamma } from '../statistics/polygamma.ts';
import { median } from '../statistics/quantile.ts';
import { DispersionLikelihood } from './dispersion-likelihood.ts';
import { dispersionTrend, trendAt, type DispersionTrend } from './dispersion-trend.ts';
import { GeneModel, minMean } from './gene-model.ts';
import { replicatesOf } from './replicates.ts';
import { roughDispersion } from './rough-dispersions.ts';

export interface FittedSamples {
  readonly design: Design;
  readonly sizeFactors: Float64Array;
}

export interface GenewiseDispersions {
  /** Mean of the counts divided by size factors. */
  readonly baseMeans: Float64Array;
  readonly dispersions: Float64Array;
  /** Genes × samples: means about which dispersions are estimated. */
  readonly fitted: Float64Array;
}

export interface DispersionPrior {
  readonly trend: DispersionTrend;
  /** Variance of the natural log of the true dispersions, at least 0.25. */
  readonly variance: number;
  /** Standard deviation of the log gene-wise dispersions about the trend. */
  readonly spread: number;
}

/** Gene-wise dispersions below this multiple of the minimum are not used to estimate the spread. */
const tellingFrom = 100;
const minPriorVariance = 0.25;
/** Median absolute deviation of the standard normal distribution. */
const normalDeviation = 0.674_489_750_196_081_7;
/** A gene keeps its own dispersion if it is more than this many standard deviations above the trend. */
const outlierFrom = 2;

/** Every gene must have a count. */
export function genewiseDispersions(
  { geneCount, sampleCount, values }: GeneSampleMatrix,
  { design, sizeFactors }: FittedSamples,
): GenewiseDispersions {
  const likelihood = new DispersionLikelihood(design);
  const [minDispersion, maxDispersion] = likelihood.limits;
  const model = new GeneModel(design, sizeFactors);
  const line = new LeastSquares(design);
  // With as many kinds of samples as coefficients, the means of the kinds are the fit.
  const isGrouped = replicatesOf(design).sizes.length === design.columns.length;
  const meanInverse = sizeFactors.reduce((sum, factor) => sum + 1 / factor, 0) / sampleCount;
  const baseMeans = new Float64Array(geneCount);
  const dispersions = new Float64Array(geneCount);
  const fitted = new Float64Array(values.length);
  for (let gene = 0; gene < geneCount; gene++) {
    const counts = values.subarray(gene * sampleCount, (gene + 1) * sampleCount);
    const means = fitted.subarray(gene * sampleCount, (gene + 1) * sampleCount);
    const normalised = counts.map((count, i) => count / sizeFactors[i]!);
    baseMeans[gene] = normalised.reduce((sum, value) => sum + value, 0) / sampleCount;
    const expected = line.fitted(normalised);
    const residualDegrees = sampleCount - design.columns.length;
    const rough = roughDispersion({ values: normalised, fitted: expected, residualDegrees, meanInverse });
    const start = Math.min(maxDispersion, Math.max(minDispersion, rough));
    if (isGrouped) {
      for (let i = 0; i < sampleCount; i++) means[i] = Math.max(sizeFactors[i]! * expected[i]!, minMean);
    } else {
      model.fit(counts, start);
      means.set(model.means);
    }
    dispersions[gene] = likelihood.maximise({ counts, means, start });
  }
  return { baseMeans, dispersions, fitted };
}

/** Estimates the dispersion prior from the gene-wise dispersions (Love, Huber and Anders 2014, equations 6 and 7). */
export function dispersionPrior(
  { baseMeans, dispersions }: Pick<GenewiseDispersions, 'baseMeans' | 'dispersions'>,
  { design }: Pick<FittedSamples, 'design'>,
): DispersionPrior {
  const [minDispersion] = new DispersionLikelihood(design).limits;
  const trend = dispersionTrend(dispersions, baseMeans, minDispersion);
  const telling = dispersions
    .map((dispersion, gene) =>
      dispersion >= tellingFrom * minDispersion
        ? Math.log(dispersion / trendAt(trend, baseMeans[gene]!))
        : NaN,
    )
    .filter((residual) => !Number.isNaN(residual));
  const middle = median(telling);
  const spread =
    telling.length > 0 ? median(telling.map((residual) => Math.abs(residual - middle))) / normalDeviation : 0;
  const chance = trigamma((design.sampleCount - design.columns.length) / 2);
  return { trend, spread, variance: Math.max(spread * spread - chance, minPriorVariance) };
}

/** Expected dispersions and their maximum a posteriori estimates; genes far above the trend keep their own. */
export function finalDispersions(
  { sampleCount, values }: GeneSampleMatrix,
  { baseMeans, dispersions, fitted }: GenewiseDispersions,
  { design }: FittedSamples,
  { trend, variance, spread }: DispersionPrior,
): { expected: Float64Array; final: Float64Array } {
  const likelihood = new DispersionLikelihood(design);
  const expected = baseMeans.map((mean) => trendAt(trend, mean));
  const final = dispersions.map((own, gene) => {
    const start = expected[gene]!;
    if (Math.log(own) > Math.log(start) + outlierFrom * spread) return own;
    const rows = [gene * sampleCount, (gene + 1) * sampleCount] as const;
    const request = { counts: values.subarray(...rows), means: fitted.subarray(...rows), start };
    return likelihood.maximise({ ...request, priorVariance: variance });
  });
  return { expected, final };
}

class LeastSquares {
  readonly #design: Design;
  readonly #factor: OrthogonalFactor;

  constructor(design: Design) {
    this.#design = design;
    this.#factor = new OrthogonalFactor(design.sampleCount, design.columns.length);
    design.columns.forEach((column, at) => this.#factor.columns.set(column, at * design.sampleCount));
    this.#factor.factor();
  }

  fitted(values: Float64Array): Float64Array {
    const effects = values.slice();
    this.#factor.rotate(effects);
    this.#factor.solve(effects);
    return values.map((_, i) =>
      this.#design.columns.reduce((sum, column, at) => sum + effects[at]! * column[i]!, 0),
    );
  }
}
