import type { Design } from '../pseudobulk/design.ts';
import {
  type GeneSampleMatrix,
  librarySizes,
  logCountsPerMillion,
  selectGenes,
} from '../pseudobulk/gene-sample-matrix.ts';
import { pValueHistogram, type CountsRefusal } from '../pseudobulk/pseudobulk-test.ts';
import { sampleMap, type SampleMap } from '../pseudobulk/sample-map.ts';
import { normalUpperTail } from '../statistics/tails.ts';
import { countedGenes } from './counted-genes.ts';
import type { DispersionTrend } from './dispersion-trend.ts';
import {
  dispersionPrior,
  genewiseDispersions,
  type DispersionPrior,
  type FittedSamples,
} from './dispersions.ts';
import { geneFits, type GeneFits } from './gene-fits.ts';
import { filteredTests } from './independent-filter.ts';
import { outlierGenes, replaceOutliers } from './outliers.ts';

interface WaldTest {
  /** Unshrunken log2 fold change; NaN, like all results of the gene, if its likelihood has no maximum. */
  readonly effects: Float64Array;
  readonly errors: Float64Array;
  readonly statistics: Float64Array;
  /** Two-sided; NaN for genes whose result depends on an outlier. */
  readonly pValues: Float64Array;
  /** Benjamini and Hochberg; NaN without a p-value and for genes with a mean below `minMean`. */
  readonly adjusted: Float64Array;
  readonly minMean: number;
}

export interface NegativeBinomialTest {
  /** Rows of the tested genes, ascending; all columns below are in this order. */
  readonly genes: Int32Array;
  readonly sizeFactors: Float64Array;
  /** Counts of each sample in these genes; the effective sizes are size factors times their mean. */
  readonly librarySizes: Float64Array;
  readonly effectiveSizes: Float64Array;
  readonly residualDegrees: number;
  /** Mean counts divided by size factors: DESeq2's baseMean. */
  readonly means: Float64Array;
  readonly dispersions: {
    /** Dispersions: gene-wise; by the trend; and as tested. The variance of a count is mean + dispersion · mean². */
    readonly genewise: Float64Array;
    readonly expected: Float64Array;
    readonly final: Float64Array;
    readonly trend: DispersionTrend;
    readonly priorVariance: number;
  };
  readonly distances: Float64Array;
  /** Indices in `genes` of those with replaced counts, and of those without a p-value because of an outlier. */
  readonly replaced: Int32Array;
  readonly outliers: Int32Array;
  readonly contrasts: readonly WaldTest[];
  readonly map: SampleMap;
  /** Per contrast, the number of genes in each twentieth of the p-value range 0 to 1. */
  readonly histograms: readonly Int32Array[];
}

/**
 * Tests sums of raw counts, genes × samples, for contrasts of a design by the negative binomial model of Love, Huber
 * and Anders (2014), with the numbers of PyDESeq2: size factors, shared dispersions, Wald tests, outliers by Cook's
 * distance, and independent filtering. If every gene has a zero, size factors are those of `poscounts`. Throws
 * NotCounts, also for counts that are not whole numbers. Threads can run the same steps by blocks of genes:
 * `countedGenes`, `genewiseDispersions` per block, `dispersionPrior` of all, `geneFits` per block, `testedFits` of all.
 */
export function negativeBinomialTest(
  counts: GeneSampleMatrix,
  design: Design,
  contrasts: readonly Float64Array[],
): { result: NegativeBinomialTest } | { refusal: CountsRefusal } {
  const inputs = countedGenes(counts);
  if ('refusal' in inputs) return inputs;
  const samples = { design, sizeFactors: inputs.sizeFactors };
  const tested = selectGenes(counts, inputs.genes);
  const genewise = genewiseDispersions(tested, samples);
  const prior = dispersionPrior(genewise, samples);
  const first = geneFits(tested, samples, contrasts, prior, genewise);
  return { result: testedFits(counts, samples, contrasts, { genes: inputs.genes, prior, first }) };
}

export function testedFits(
  counts: GeneSampleMatrix,
  samples: FittedSamples,
  contrasts: readonly Float64Array[],
  { genes, prior, first }: { genes: Int32Array; prior: DispersionPrior; first: GeneFits },
): NegativeBinomialTest {
  const { geneCount, sampleCount } = counts;
  const { design, sizeFactors } = samples;
  const tested = selectGenes(counts, genes);
  const { fits, replaced, refitted } = withoutOutliers(tested, first, samples, contrasts, prior);
  const outliers = outlierGenes(tested, first.distances, samples, refitted);
  const tests = contrasts.map((_, at) => waldTest(fits, at, outliers, geneCount));
  const sizes = librarySizes(tested);
  const meanSize = sizes.reduce((sum, size) => sum + size, 0) / sampleCount;
  const effectiveSizes = sizeFactors.map((factor) => factor * meanSize);
  return {
    genes,
    sizeFactors,
    librarySizes: sizes,
    effectiveSizes,
    residualDegrees: sampleCount - design.columns.length,
    means: fits.baseMeans,
    dispersions: {
      genewise: fits.genewise,
      expected: fits.expected,
      final: fits.final,
      trend: prior.trend,
      priorVariance: prior.variance,
    },
    distances: Float64Array.from(genes, (_, at) =>
      Math.max(...first.distances.subarray(at * sampleCount, (at + 1) * sampleCount)),
    ),
    replaced,
    outliers,
    contrasts: tests,
    map: sampleMap(logCountsPerMillion(tested, effectiveSizes)),
    histograms: tests.map(({ pValues }) => pValueHistogram(pValues)),
  };
}

/** Refits the genes with replaced outliers, with the same trend and prior. A gene left without counts has no effect. */
function withoutOutliers(
  counts: GeneSampleMatrix,
  first: GeneFits,
  samples: FittedSamples,
  contrasts: readonly Float64Array[],
  prior: DispersionPrior,
): { fits: GeneFits; replaced: Int32Array; refitted: ReadonlySet<number> } {
  const { sampleCount } = counts;
  const { genes: replaced, counts: replacement } = replaceOutliers(counts, first.distances, samples);
  const hasCounts = (at: number) =>
    replacement.values.subarray(at * sampleCount, (at + 1) * sampleCount).some((count) => count > 0);
  const places = Array.from(replaced.keys()).filter(hasCounts);
  const again = geneFits(selectGenes(replacement, places), samples, contrasts, prior);
  const emptied = replaced.filter((_, at) => !hasCounts(at));
  const refitted = places.map((at) => replaced[at]!);
  const merged = (own: Float64Array, others: Float64Array, none?: number) => {
    const answer = own.slice();
    refitted.forEach((gene, at) => (answer[gene] = others[at]!));
    if (none !== undefined) for (const gene of emptied) answer[gene] = none;
    return answer;
  };
  const fits = {
    baseMeans: merged(first.baseMeans, again.baseMeans, 0),
    genewise: merged(first.genewise, again.genewise),
    expected: merged(first.expected, again.expected),
    final: merged(first.final, again.final),
    effects: first.effects.map((own, at) => merged(own, again.effects[at]!, 0)),
    errors: first.errors.map((own, at) => merged(own, again.errors[at]!, 0)),
    distances: first.distances,
  };
  return { fits, replaced, refitted: new Set(refitted) };
}

function waldTest(fits: GeneFits, contrast: number, outliers: Int32Array, geneCount: number): WaldTest {
  const effects = fits.effects[contrast]!.map((effect) => effect / Math.LN2);
  const errors = fits.errors[contrast]!.map((error) => error / Math.LN2);
  const statistics = effects.map((effect, gene) => (effect === 0 ? 0 : effect / errors[gene]!));
  const pValues = statistics.map((statistic) => 2 * normalUpperTail(Math.abs(statistic)));
  for (const gene of outliers) pValues[gene] = NaN;
  // Genes without counts are among the quantiles of the means, with no p-value.
  const all = (values: Float64Array, none: number) => {
    const answer = new Float64Array(geneCount).fill(none);
    answer.set(values);
    return answer;
  };
  const { adjusted, minMean } = filteredTests(all(pValues, NaN), all(fits.baseMeans, 0));
  return { effects, errors, statistics, pValues, adjusted: adjusted.slice(0, pValues.length), minMean };
}
