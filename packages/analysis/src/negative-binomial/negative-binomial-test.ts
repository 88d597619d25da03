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
import { fQuantile } from '../statistics/f-tails.ts';
import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { median, quantileOf } from '../statistics/quantile.ts';
import { countedGenes } from './counted-genes.ts';
import { type DispersionTrend, trimmedMean } from './dispersion-trend.ts';
import {
  dispersionPrior,
  genewiseDispersions,
  type DispersionPrior,
  type FittedSamples,
} from './dispersions.ts';
import { geneFits, type GeneFits } from './gene-fits.ts';
import { replicated, replicatesOf } from './replicates.ts';

interface WaldTest {
  /** Unshrunken log2 fold change; NaN, like all results of the gene, if its likelihood has no maximum. */
  effects: Float64Array;
  errors: Float64Array;
  statistics: Float64Array;
  /** Two-sided; NaN for genes whose result depends on an outlier. */
  pValues: Float64Array;
  /** Benjamini and Hochberg; NaN without a p-value and for genes with a mean below `minMean`. */
  adjusted: Float64Array;
  minMean: number;
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

/** Minimum replicates for replacing an outlier by the estimate from the others: DESeq2's default. */
const replacedFrom = 7;
/** With fewer replicates no outlier can be identified. */
const judgedFrom = 3;
/** A count exceeded by this many others is not an outlier. */
const exceeding = 3;
const trim = 0.2;

/**
 * Cook's distance above which a count is an outlier: the 99 % quantile of the F distribution with matching degrees of
 * freedom.
 */
function distanceCutoff({ design }: FittedSamples): number {
  return fQuantile(0.01, design.columns.length, design.sampleCount - design.columns.length);
}

/**
 * Genes with an outlier, and their counts; in samples with enough replicates outliers are replaced by the trimmed mean
 * of all samples.
 */
function replaceOutliers(
  counts: GeneSampleMatrix,
  distances: Float64Array,
  samples: FittedSamples,
): { genes: Int32Array; counts: GeneSampleMatrix } {
  const { geneCount, sampleCount } = counts;
  const replaceable = replicated(replicatesOf(samples.design), replacedFrom);
  const cutoff = distanceCutoff(samples);
  const standsOut = (gene: number, sample: number) => distances[gene * sampleCount + sample]! > cutoff;
  const genes = replaceable.includes(true)
    ? Int32Array.from({ length: geneCount }, (_, gene) => gene).filter((gene) =>
        replaceable.some((_, sample) => standsOut(gene, sample)),
      )
    : new Int32Array(0);
  const replacement = selectGenes(counts, genes);
  genes.forEach((gene, at) => {
    const row = replacement.values.subarray(at * sampleCount, (at + 1) * sampleCount);
    const middle = trimmedMean(
      row.map((count, sample) => count / samples.sizeFactors[sample]!),
      trim,
    );
    for (let sample = 0; sample < sampleCount; sample++) {
      if (!replaceable[sample] || !standsOut(gene, sample)) continue;
      row[sample] = Math.trunc(middle * samples.sizeFactors[sample]!);
    }
  });
  return { genes, counts: replacement };
}

/**
 * Genes whose result depends on an outlier, so that they get no p-value: a count among three or more replicates is an
 * outlier, and fewer than three counts exceed the most extreme one. In `refitted` genes, replaced counts are ignored.
 */
function outlierGenes(
  { geneCount, sampleCount, values }: GeneSampleMatrix,
  distances: Float64Array,
  samples: FittedSamples,
  refitted: ReadonlySet<number>,
): Int32Array {
  const replicates = replicatesOf(samples.design);
  const judged = replicated(replicates, judgedFrom);
  const replaceable = replicated(replicates, replacedFrom);
  const cutoff = distanceCutoff(samples);
  return Int32Array.from({ length: geneCount }, (_, gene) => gene).filter((gene) => {
    const own = distances.subarray(gene * sampleCount, (gene + 1) * sampleCount);
    const row = values.subarray(gene * sampleCount, (gene + 1) * sampleCount);
    const isReplaced = (sample: number) => refitted.has(gene) && replaceable[sample]!;
    if (!own.some((distance, sample) => judged[sample]! && !isReplaced(sample) && distance > cutoff))
      return false;
    const furthest = own.indexOf(Math.max(...own));
    return row.filter((count) => count > row[furthest]!).length < exceeding;
  });
}

const thresholds = 50;
const maxFiltered = 0.95;
/** Share of the thresholds used by the local regression at each. */
const span = 0.2;
const robustPasses = 3;
/** If no threshold gives more rejections than this, nothing is filtered. */
const fewRejections = 10;

interface FilteredTests {
  /** NaN for filtered genes and for those without a p-value. */
  adjusted: Float64Array;
  /** Genes with a lower mean were filtered out. */
  minMean: number;
}

/**
 * P-values adjusted by Benjamini and Hochberg over the genes above a mean count: among 50 quantiles of the means, the
 * lowest threshold that rejects nearly as many genes as the best one (Love, Huber and Anders 2014; Bourgon, Gentleman
 * and Huber 2010). `rate`: false discovery rate at which rejections are counted.
 */
function filteredTests(pValues: Float64Array, means: Float64Array, rate = 0.05): FilteredTests {
  const empty = means.filter((mean) => mean === 0).length / means.length;
  const end = empty < maxFiltered ? maxFiltered : 1;
  const shares = Float64Array.from(
    { length: thresholds },
    (_, i) => empty + (i * (end - empty)) / (thresholds - 1),
  );
  const rising = means.slice().sort();
  const cutoffs = shares.map((share) => quantileOf(rising, share));
  const adjusted = Array.from(cutoffs, (cutoff) => adjustedAbove(pValues, means, cutoff));
  const rejected = Float64Array.from(adjusted, (values) => values.filter((value) => value < rate).length);
  const chosen = thresholdOf(shares, rejected);
  return { adjusted: adjusted[chosen]!, minMean: cutoffs[chosen]! };
}

function adjustedAbove(pValues: Float64Array, means: Float64Array, cutoff: number): Float64Array {
  const used = Int32Array.from(pValues.keys()).filter(
    (gene) => means[gene]! >= cutoff && !Number.isNaN(pValues[gene]),
  );
  const answer = new Float64Array(pValues.length).fill(NaN);
  const own = benjaminiHochberg(Float64Array.from(used, (gene) => pValues[gene]!));
  used.forEach((gene, at) => (answer[gene] = own[at]!));
  return answer;
}

function thresholdOf(shares: Float64Array, rejected: Float64Array): number {
  if (Math.max(...rejected) <= fewRejections) return 0;
  const curve = smoothed(shares, rejected);
  const squares = rejected.map((count, i) => (count - curve[i]!) ** 2).filter((_, i) => rejected[i]! > 0);
  const deviation = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
  const enough = Math.max(...curve) - deviation;
  return Math.max(
    0,
    rejected.findIndex((count) => count > enough),
  );
}

/**
 * Cleveland's robust locally weighted regression (1979) as in PyDESeq2, which differs from R's `lowess` in window width
 * and number of passes.
 */
function smoothed(x: Float64Array, y: Float64Array): Float64Array {
  const near = Math.ceil(span * x.length);
  const curve = new Float64Array(x.length);
  let robustness = new Float64Array(x.length).fill(1);
  for (let pass = 0; pass < robustPasses; pass++) {
    for (let i = 0; i < x.length; i++) {
      const distances = x.map((value) => Math.abs(value - x[i]!));
      const reach = Math.max(1e-12, distances.slice().sort()[near]!);
      const weights = distances.map(
        (distance, at) => robustness[at]! * (1 - Math.min(1, distance / reach) ** 3) ** 3,
      );
      curve[i] = lineAt(i, { x, y, weights });
    }
    const residuals = y.map((value, i) => value - curve[i]!);
    const scale = median(residuals.map(Math.abs));
    robustness = residuals.map((residual) => {
      const share = scale === 0 ? Number(residual !== 0) : Math.max(-1, Math.min(1, residual / (6 * scale)));
      return (1 - share ** 2) ** 2;
    });
  }
  return curve;
}

function lineAt(
  i: number,
  { x, y, weights }: { x: Float64Array; y: Float64Array; weights: Float64Array },
): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return 0;
  const mean = weights.reduce((total, weight, at) => total + weight * x[at]!, 0) / sum;
  const height = weights.reduce((total, weight, at) => total + weight * y[at]!, 0) / sum;
  const square = weights.reduce((total, weight, at) => total + weight * (x[at]! - mean) ** 2, 0);
  const product = weights.reduce((total, weight, at) => total + weight * (x[at]! - mean) * y[at]!, 0);
  return height + (square > 0 ? (product / square) * (x[i]! - mean) : 0);
}
