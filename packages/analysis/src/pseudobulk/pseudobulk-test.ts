import { BlockWhitening, consensusCorrelation } from './block-correlation.ts';
import type { Design } from './design.ts';
import {
  defaultExpressionFilter,
  type ExpressionFilter,
  filterByExpression,
} from './filter-by-expression.ts';
import {
  emptySamples,
  genesWithCounts,
  type GeneSampleMatrix,
  librarySizes,
  selectGenes,
} from './gene-sample-matrix.ts';
import { linearFit } from './linear-fit.ts';
import { moderatedTests, type ModeratedTests, type ModerationOptions } from './moderated-tests.ts';
import { normalisationFactors } from './normalisation-factors.ts';
import { checkCounts } from './not-counts.ts';
import { sampleMap, type SampleMap } from './sample-map.ts';
import { type Points, voom } from './voom.ts';
import { OrthogonalFactor } from './orthogonal-factor.ts';

const binCount = 20;

/**
 * Number of p-values in each twentieth of 0 to 1, lower end included, 1 in the last. Without effects all bins are
 * equally high; a peak at 0 indicates effects, a peak elsewhere a model that does not fit. NaN is ignored.
 */
export function pValueHistogram(pValues: Float64Array): Int32Array {
  const bins = new Int32Array(binCount);
  for (const p of pValues) if (p >= 0 && p <= 1) bins[Math.min(binCount - 1, Math.floor(p * binCount))]!++;
  return bins;
}

export type CountsRefusal =
  /**
   * Samples without a count in the genes to test, which cannot be normalised. `samples`: their indices; `genes`: the
   * number of these genes. Without these samples other genes pass the filter: leave them out and test again.
   */
  | { readonly code: 'empty_library'; readonly samples: readonly number[]; readonly genes: number }
  /** Genes with counts enough, of which the curve of their spread cannot be drawn. */
  | { readonly code: 'too_few_genes'; readonly genes: number; readonly needed: number };

export type SumsRefusal =
  | CountsRefusal
  /** `not_whole_counts`: only for tests that take whole numbers, if nothing else is wrong. */
  | { readonly code: 'not_counts' | 'not_whole_counts'; readonly gene: string };

/** Tests of the genes with enough counts, and the data of their figures. */
export interface PseudobulkTest {
  /** Rows of the tested genes, ascending; all columns below are in this order. */
  readonly genes: Int32Array;
  /** Counts of each sample in these genes, and the normalisation factors of the libraries. */
  readonly librarySizes: Float64Array;
  readonly factors: Float64Array;
  /** Size of the smallest group of the design: the number of samples that had to express a gene. */
  readonly smallestGroup: number;
  readonly residualDegrees: number;
  /** Mean log2 counts per million of each gene: limma's AveExpr. */
  readonly means: Float64Array;
  readonly tests: ModeratedTests;
  /** Spread of each gene by its mean count, and the trend from which weights are derived. */
  readonly spread: { readonly points: Points; readonly trend: Points };
  readonly map: SampleMap;
  /** Per contrast, the number of genes in each twentieth of the p-value range 0 to 1. */
  readonly histograms: readonly Int32Array[];
  /** Consensus correlation of samples within a block; NaN if the blocks do not determine it. */
  readonly correlation?: number;
}

/** By default without a trend of the prior variance: the weights already follow the mean. */
interface PseudobulkOptions extends ModerationOptions {
  filter?: ExpressionFilter;
  /** Block of each sample, such as an animal with several lanes. */
  blocks?: ArrayLike<number> | undefined;
  /** Whether to model samples of a block as correlated; otherwise the correlation is only reported. */
  isRandom?: boolean | undefined;
}

/** Minimum number of points for a curve. */
export const minGenes = 10;

/**
 * Tests sums of raw counts, genes × samples, for contrasts of a design: filters genes (filterByExpr), normalises
 * libraries (TMM), weights values (voom), fits and moderates models (eBayes), as in limma's user guide (2015, chapter
 * 15). A random effect of blocks is limma's `duplicateCorrelation`, estimated again with the weights obtained with it.
 * Throws NotCounts.
 */
export function pseudobulkTest(
  counts: GeneSampleMatrix,
  design: Design,
  contrasts: readonly Float64Array[],
  { filter = defaultExpressionFilter, blocks, isRandom, ...moderation }: PseudobulkOptions = {},
): { result: PseudobulkTest } | { refusal: CountsRefusal } {
  const normalised = normalisedCounts(counts, design, filter);
  if ('refusal' in normalised) return normalised;
  const { genes, smallestGroup, tested, librarySizes: sizes, factors, effectiveSizes } = normalised;
  let weighted = voom(tested, effectiveSizes, design);
  let correlation = blocks && consensusCorrelation(weighted.logCpm, design, blocks, weighted.weights);
  let whitening: BlockWhitening | undefined;
  if (isRandom && blocks && correlation) {
    weighted = voom(tested, effectiveSizes, design, new BlockWhitening(blocks, correlation));
    correlation = consensusCorrelation(weighted.logCpm, design, blocks, weighted.weights);
    if (correlation) whitening = new BlockWhitening(blocks, correlation);
  }
  const { logCpm, weights, points, trend: curve } = weighted;
  const fit = linearFit(logCpm, design, { weights, contrasts, blocks: whitening });
  const tests = moderatedTests(fit, moderation);
  return {
    result: {
      genes,
      librarySizes: sizes,
      factors,
      smallestGroup,
      residualDegrees: fit.residualDegrees,
      means: fit.means,
      tests,
      spread: { points, trend: curve },
      map: sampleMap(logCpm),
      histograms: tests.contrasts.map(({ pValues }) => pValueHistogram(pValues)),
      ...(correlation !== undefined && { correlation }),
    },
  };
}

export interface NormalisedCounts {
  readonly genes: Int32Array;
  /** Size of the smallest group of the design: the number of samples that had to express a gene. */
  readonly smallestGroup: number;
  readonly tested: GeneSampleMatrix;
  readonly librarySizes: Float64Array;
  /** TMM factors; and the library sizes times these. */
  readonly factors: Float64Array;
  readonly effectiveSizes: Float64Array;
}

/** Filters genes (filterByExpr) and normalises libraries (TMM). Throws NotCounts. */
export function normalisedCounts(
  counts: GeneSampleMatrix,
  design: Design,
  filter: ExpressionFilter = defaultExpressionFilter,
): NormalisedCounts | { refusal: CountsRefusal } {
  checkCounts(counts);
  const counted = genesWithCounts(counts).length;
  const empty = emptySamples(counts);
  // Where no gene has a count, there are too few genes.
  if (empty.length > 0 && counted > 0) {
    return { refusal: { code: 'empty_library', samples: empty, genes: counted } };
  }
  const smallestGroup = smallestGroupOf(design);
  const genes = filterByExpression(counts, smallestGroup, filter);
  if (genes.length < minGenes) {
    return { refusal: { code: 'too_few_genes', genes: genes.length, needed: minGenes } };
  }
  const tested = selectGenes(counts, genes);
  const emptied = emptySamples(tested);
  if (emptied.length > 0) {
    return { refusal: { code: 'empty_library', samples: emptied, genes: genes.length } };
  }
  const sizes = librarySizes(tested);
  const factors = normalisationFactors(tested);
  const effectiveSizes = sizes.map((size, sample) => size * factors[sample]!);
  return { genes, smallestGroup, tested, librarySizes: sizes, factors, effectiveSizes };
}

/**
 * Size of the smallest group of samples, derived from a design as in edgeR: 1 over the largest leverage of a sample.
 */
export function smallestGroupOf({ columns, sampleCount }: Design): number {
  const factor = new OrthogonalFactor(sampleCount, columns.length);
  columns.forEach((column, at) => factor.columns.set(column, at * sampleCount));
  factor.factor();
  let largest = 0;
  const unit = new Float64Array(sampleCount);
  for (let sample = 0; sample < sampleCount; sample++) {
    unit.fill(0);
    unit[sample] = 1;
    factor.rotate(unit);
    const leverage = unit.subarray(0, columns.length).reduce((sum, value) => sum + value * value, 0);
    largest = Math.max(largest, leverage);
  }
  return 1 / largest;
}
