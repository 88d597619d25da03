import type { GeneSampleMatrix } from '../pseudobulk/gene-sample-matrix.ts';
import {
  finalDispersions,
  genewiseDispersions,
  type DispersionPrior,
  type FittedSamples,
  type GenewiseDispersions,
} from './dispersions.ts';
import { GeneModel } from './gene-model.ts';
import { replicatesOf } from './replicates.ts';
import { robustDispersion } from './rough-dispersions.ts';

export interface GeneFits {
  readonly baseMeans: Float64Array;
  readonly genewise: Float64Array;
  readonly expected: Float64Array;
  readonly final: Float64Array;
  /** One per contrast, in natural logarithms; NaN for genes whose likelihood has no maximum. */
  readonly effects: readonly Float64Array[];
  readonly errors: readonly Float64Array[];
  /** Genes × samples: Cook's distances (1977), the influence of each count on the fit. */
  readonly distances: Float64Array;
}

export function geneFits(
  counts: GeneSampleMatrix,
  samples: FittedSamples,
  contrasts: readonly Float64Array[],
  prior: DispersionPrior,
  genewise: GenewiseDispersions = genewiseDispersions(counts, samples),
): GeneFits {
  const { geneCount, sampleCount, values } = counts;
  const { design, sizeFactors } = samples;
  const { expected, final } = finalDispersions(counts, genewise, samples, prior);
  const model = new GeneModel(design, sizeFactors);
  const replicates = replicatesOf(design);
  const effects = contrasts.map(() => new Float64Array(geneCount));
  const errors = contrasts.map(() => new Float64Array(geneCount));
  const distances = new Float64Array(values.length);
  for (let gene = 0; gene < geneCount; gene++) {
    const base = gene * sampleCount;
    const row = values.subarray(base, base + sampleCount);
    model.fit(row, final[gene]!);
    const isEndless = model.isEndless;
    contrasts.forEach((contrast, at) => {
      effects[at]![gene] = errors[at]![gene] = NaN;
      if (isEndless) return;
      effects[at]![gene] = contrast.reduce((sum, weight, j) => sum + weight * model.coefficients[j]!, 0);
      errors[at]![gene] = Math.sqrt(model.contrastVariance(contrast, final[gene]!));
    });
    const robust = robustDispersion(
      row.map((count, i) => count / sizeFactors[i]!),
      replicates,
    );
    for (let i = 0; i < sampleCount; i++) {
      const [mean, leverage] = [model.means[i]!, model.leverages[i]!];
      const pearson = (row[i]! - mean) ** 2 / (mean + robust * mean * mean);
      // A count that alone decides on its mean has no distance.
      distances[base + i] = ((pearson / design.columns.length) * leverage) / (1 - leverage) ** 2 || 0;
    }
  }
  const { baseMeans, dispersions } = genewise;
  return { baseMeans, genewise: dispersions, expected, final, effects, errors, distances };
}
