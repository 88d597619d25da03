import type { GeneSampleMatrix } from '../pseudobulk/gene-sample-matrix.ts';
import { createRandom, negativeBinomial } from '../random/seeded-random.ts';
import { trendAt } from './dispersion-trend.ts';
import type { DispersionPrior, FittedSamples } from './dispersions.ts';
import { negativeBinomialTest } from './negative-binomial-test.ts';

/** Genes of a simulated set, and how many of them change, as in docs/false-discoveries.md. */
const simulatedGenes = { all: 600, changed: 60 } as const;
/** Mean and standard deviation of the size of a change, in log2. */
const changeSize = [1.2, 0.3] as const;
/** False discovery rate at which genes are called. */
export const promisedRate = 0.05;

interface SimulatedFrom {
  samples: FittedSamples;
  contrast: Float64Array;
  baseMeans: Float64Array;
  prior: DispersionPrior;
}

/**
 * Share of false positives among the genes that the negative binomial test calls in a simulated set with the samples
 * and design of a comparison, its genes' means, and dispersions that vary about its trend. 0 if none is called.
 */
export function simulatedFalseShare(from: SimulatedFrom, seed: string): number {
  const { samples, contrast } = from;
  const { counts, isChanged } = simulatedCounts(from, seed);
  const answer = negativeBinomialTest(counts, samples.design, [contrast]);
  if ('refusal' in answer) return 0;
  const { genes, contrasts } = answer.result;
  const called = genes.filter((_, at) => contrasts[0]!.adjusted[at]! < promisedRate);
  return called.length === 0 ? 0 : called.filter((gene) => !isChanged(gene)).length / called.length;
}

function simulatedCounts({ samples, contrast, baseMeans, prior }: SimulatedFrom, seed: string) {
  const { design, sizeFactors } = samples;
  const random = createRandom(seed);
  const direction = directionOf(design.columns, contrast);
  const { sampleCount } = design;
  const values = new Float64Array(simulatedGenes.all * sampleCount);
  for (let gene = 0; gene < simulatedGenes.all; gene++) {
    const level = baseMeans[random.integer(baseMeans.length)]!;
    const dispersion = trendAt(prior.trend, level) * Math.exp(Math.sqrt(prior.variance) * random.normal());
    const size = (changeSize[0] + changeSize[1] * random.normal()) * (random.uniform() < 0.5 ? -1 : 1);
    const effect = gene < simulatedGenes.changed ? size * Math.LN2 : 0;
    for (let sample = 0; sample < sampleCount; sample++) {
      const mean = sizeFactors[sample]! * level * Math.exp(effect * direction[sample]!);
      values[gene * sampleCount + sample] = negativeBinomial(random, mean, 1 / dispersion);
    }
  }
  const counts: GeneSampleMatrix = { geneCount: simulatedGenes.all, sampleCount, values };
  return { counts, isChanged: (gene: number) => gene < simulatedGenes.changed };
}

/**
 * Position of each sample along the tested contrast, scaled to -0.5 to 0.5, since numeric columns of a design can have
 * any scale.
 */
function directionOf(columns: readonly Float64Array[], contrast: Float64Array): Float64Array {
  const along = columns[0]!.map((_, sample) =>
    columns.reduce((sum, column, at) => sum + contrast[at]! * column[sample]!, 0),
  );
  const [low, high] = [Math.min(...along), Math.max(...along)];
  return along.map((value) => (value - low) / (high - low || 1) - 0.5);
}
