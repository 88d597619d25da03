import { joined } from '../negative-binomial/joined-genes.ts';
import type { Design } from '../pseudobulk/design.ts';
import { type GeneSampleMatrix, logCountsPerMillion } from '../pseudobulk/gene-sample-matrix.ts';
import {
  type CountsRefusal,
  normalisedCounts,
  type NormalisedCounts,
  pValueHistogram,
} from '../pseudobulk/pseudobulk-test.ts';
import { sampleMap, type SampleMap } from '../pseudobulk/sample-map.ts';
import { moderatedVariance, variancePrior } from '../pseudobulk/variance-prior.ts';
import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { fUpperTail } from '../statistics/f-tails.ts';
import { CountModel, type ModelColumns } from './count-model.ts';
import { PartialDesigns, profileLikelihoods, type SizedSamples } from './profile-likelihoods.ts';
import { commonDispersion, trendedDispersions } from './trended-dispersions.ts';

interface QuasiLikelihoodContrast {
  /** log2 fold change of counts raised by a prior count so that none is infinite: edgeR's logFC. */
  effects: Float64Array;
  /** Wald standard errors of the effects. */
  standardErrors: Float64Array;
  f: Float64Array;
  pValues: Float64Array;
  /** Benjamini and Hochberg over the genes. */
  adjusted: Float64Array;
}

export interface QuasiLikelihoodTest extends Omit<NormalisedCounts, 'tested'> {
  readonly residualDegrees: number;
  /** log2 of the average counts per million: edgeR's AveLogCPM. */
  readonly means: Float64Array;
  /** Negative binomial dispersions as a function of the mean alone. */
  readonly dispersions: Float64Array;
  /** Quasi-likelihood dispersion of each gene: its variability relative to these dispersions. */
  readonly quasi: {
    /** Deviances divided by their degrees of freedom; 0 without any. */
    readonly genewise: Float64Array;
    /** Residual degrees of freedom, excluding samples in which the gene has no counts. */
    readonly degrees: Float64Array;
    /** Expected by the mean; and as tested. */
    readonly priors: Float64Array;
    readonly moderated: Float64Array;
    /** Prior degrees of freedom; Infinity if the genes differ by chance alone. */
    readonly priorDegrees: number;
  };
  readonly totalDegrees: Float64Array;
  readonly contrasts: readonly QuasiLikelihoodContrast[];
  readonly map: SampleMap;
  /** Per contrast, the number of genes in each twentieth of the p-value range 0 to 1. */
  readonly histograms: readonly Int32Array[];
}

/** Prior count in a library of mean size, added for mean expression and for fold changes. */
const meanPrior = 2;
const effectPrior = 0.125;

/**
 * Tests sums of raw counts, genes × samples, for contrasts of a design by quasi-likelihood F tests (Lund and others
 * 2012; Lun, Chen and Smyth 2016), with the numbers of edgeR: filters genes (filterByExpr), normalises libraries (TMM),
 * fits negative binomial dispersions to the mean expression (estimateDisp), and shrinks each gene's excess variability
 * towards the others (glmQLFit), so that the F tests (glmQLFTest) account for the uncertainty from few samples. Throws
 * NotCounts. Threads can run the same steps by blocks of genes: `normalisedCounts`, `profileLikelihoods` per block,
 * `quasiTrend` of all, `quasiFits` per block, `testedQuasiFits` of all.
 */
export function quasiLikelihoodTest(
  counts: GeneSampleMatrix,
  design: Design,
  contrasts: readonly Float64Array[],
): { result: QuasiLikelihoodTest } | { refusal: CountsRefusal } {
  const normalised = normalisedCounts(counts, design);
  if ('refusal' in normalised) return normalised;
  const samples = { design, sizes: normalised.effectiveSizes };
  const trend = quasiTrend(normalised.tested, samples, profileLikelihoods(normalised.tested, samples));
  const fits = quasiFits(normalised.tested, samples, contrasts, trend.dispersions);
  return { result: testedQuasiFits(normalised, design, contrasts, { trend, fits }) };
}

export interface QuasiTrend {
  readonly means: Float64Array;
  readonly dispersions: Float64Array;
}

/** Dispersions by mean expression, from the likelihoods of all genes. */
export function quasiTrend(
  counts: GeneSampleMatrix,
  { sizes }: Pick<SizedSamples, 'sizes'>,
  profiles: Float64Array,
): QuasiTrend {
  const means = averageExpression(counts, sizes, commonDispersion(profiles));
  return { means, dispersions: trendedDispersions(profiles, means) };
}

/** Tests fitted genes: shrinks their excess variability towards the other genes. */
export function testedQuasiFits(
  { tested, ...normalised }: NormalisedCounts,
  design: Design,
  contrasts: readonly Float64Array[],
  { trend, fits }: { trend: QuasiTrend; fits: QuasiFits },
): QuasiLikelihoodTest {
  const samples = { design, sizes: normalised.effectiveSizes };
  const residualDegrees = tested.sampleCount - design.columns.length;
  const { deviances, degrees, leastSpread } = fits;
  const genewise = deviances.map((deviance, gene) =>
    degrees[gene]! > 0 ? Math.max(0, deviance / degrees[gene]!) : 0,
  );
  const prior = variancePrior(genewise, degrees, trend.means);
  const moderated = genewise.map((variance, gene) =>
    moderatedVariance(
      { variance, degrees: degrees[gene]! },
      { variance: prior.scales[gene]!, degrees: prior.degrees },
    ),
  );
  const totalDegrees = degrees.map((own) => Math.min(own + prior.degrees, residualDegrees * genewise.length));
  const isBelowChance = (gene: number) => moderated[gene]! * leastSpread[gene]! < 1;
  const tests = contrasts.map((contrast, at): QuasiLikelihoodContrast => {
    const { effects, variances, ratios } = fits.contrasts[at]!;
    const f = ratios.map((ratio, gene) => Math.max(0, ratio) / moderated[gene]!);
    const pValues = f.map((value, gene) => fUpperTail(value, 1, totalDegrees[gene]!));
    // A gene that varies less than by chance is tested as if it varied by chance.
    const bounds = poissonBounds(tested, samples, contrast, isBelowChance);
    for (const [gene, bound] of bounds) pValues[gene] = Math.max(pValues[gene]!, bound);
    return {
      effects: effects.map((effect) => effect / Math.LN2),
      standardErrors: variances.map((variance, gene) => Math.sqrt(variance * moderated[gene]!) / Math.LN2),
      f,
      pValues,
      adjusted: benjaminiHochberg(pValues),
    };
  });
  return {
    ...normalised,
    ...trend,
    residualDegrees,
    quasi: { genewise, degrees, priors: prior.scales, moderated, priorDegrees: prior.degrees },
    totalDegrees,
    contrasts: tests,
    map: sampleMap(logCountsPerMillion(tested, samples.sizes)),
    histograms: tests.map(({ pValues }) => pValueHistogram(pValues)),
  };
}

/** Counts raised by a prior count in proportion to their libraries, and offsets of equally raised libraries. */
function raised(sizes: Float64Array, prior: number) {
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const added = sizes.map((size) => (prior * size) / mean);
  return {
    offsets: sizes.map((size, sample) => Math.log(size + 2 * added[sample]!)),
    countsOf: (row: Float64Array) => row.map((count, sample) => count + added[sample]!),
  };
}

/** log2 of the average counts per million of each gene: edgeR's `aveLogCPM`. */
function averageExpression(
  { geneCount, sampleCount, values }: GeneSampleMatrix,
  sizes: Float64Array,
  dispersion: number,
): Float64Array {
  const { offsets, countsOf } = raised(sizes, meanPrior);
  const level = { columns: [new Float64Array(sampleCount).fill(1)], sampleCount };
  const model = new CountModel(level, offsets);
  return Float64Array.from({ length: geneCount }, (_, gene) => {
    model.fit(countsOf(values.subarray(gene * sampleCount, (gene + 1) * sampleCount)), dispersion);
    return (model.coefficients[0]! + Math.log(1e6)) / Math.LN2;
  });
}

export interface QuasiFits {
  readonly deviances: Float64Array;
  readonly degrees: Float64Array;
  /** Minimum variance of a count given its dispersion, relative to Poisson variance. */
  readonly leastSpread: Float64Array;
  /**
   * Natural log effects of each contrast, with variances for a quasi-likelihood dispersion of 1, and likelihood ratios.
   */
  readonly contrasts: readonly {
    readonly effects: Float64Array;
    readonly variances: Float64Array;
    readonly ratios: Float64Array;
  }[];
}

/** Fits all genes with given dispersions, with and without each contrast. */
export function quasiFits(
  { geneCount, sampleCount, values }: GeneSampleMatrix,
  { design, sizes }: SizedSamples,
  contrasts: readonly Float64Array[],
  dispersions: Float64Array,
): QuasiFits {
  const offsets = sizes.map(Math.log);
  const model = new CountModel(design, offsets);
  const prior = raised(sizes, effectPrior);
  const shrunken = new CountModel(design, prior.offsets);
  const nulls = contrasts.map((contrast) => new CountModel(withoutContrast(design, contrast), offsets));
  const parts = new PartialDesigns(design);
  const column = () => new Float64Array(geneCount);
  const [deviances, degrees, leastSpread] = [column(), column(), column()];
  const tests = contrasts.map(() => ({ effects: column(), variances: column(), ratios: column() }));
  for (let gene = 0; gene < geneCount; gene++) {
    const row = values.subarray(gene * sampleCount, (gene + 1) * sampleCount);
    const dispersion = dispersions[gene]!;
    model.fit(row, dispersion);
    deviances[gene] = model.deviance;
    degrees[gene] = parts.of(row, model.means).degrees;
    leastSpread[gene] =
      1 + dispersion * model.means.reduce((minimum, mean) => Math.min(minimum, mean), Infinity);
    shrunken.fit(prior.countsOf(row), dispersion);
    tests.forEach(({ effects, variances, ratios }, at) => {
      const contrast = contrasts[at]!;
      effects[gene] = contrast.reduce((sum, weight, j) => sum + weight * shrunken.coefficients[j]!, 0);
      variances[gene] = shrunken.contrastVariance(contrast, dispersion);
      nulls[at]!.fit(row, dispersion);
      ratios[gene] = nulls[at]!.deviance - model.deviance;
    });
  }
  return { deviances, degrees, leastSpread, contrasts: tests };
}

export function joinedQuasiFits(blocks: readonly QuasiFits[]): QuasiFits {
  const columns = (columnOf: (block: QuasiFits) => Float64Array) => joined(blocks.map(columnOf));
  return {
    deviances: columns(({ deviances }) => deviances),
    degrees: columns(({ degrees }) => degrees),
    leastSpread: columns(({ leastSpread }) => leastSpread),
    contrasts: (blocks[0]?.contrasts ?? []).map((_, at) => ({
      effects: columns(({ contrasts }) => contrasts[at]!.effects),
      variances: columns(({ contrasts }) => contrasts[at]!.variances),
      ratios: columns(({ contrasts }) => contrasts[at]!.ratios),
    })),
  };
}

/** P-values of the Poisson likelihood ratio test for some genes, by index. */
function poissonBounds(
  { geneCount, sampleCount, values }: GeneSampleMatrix,
  { design, sizes }: SizedSamples,
  contrast: Float64Array,
  isBound: (gene: number) => boolean,
): ReadonlyMap<number, number> {
  const offsets = sizes.map(Math.log);
  const model = new CountModel(design, offsets);
  const without = new CountModel(withoutContrast(design, contrast), offsets);
  const bounds = new Map<number, number>();
  for (let gene = 0; gene < geneCount; gene++) {
    if (!isBound(gene)) continue;
    const row = values.subarray(gene * sampleCount, (gene + 1) * sampleCount);
    model.fit(row, 0);
    without.fit(row, 0);
    bounds.set(gene, fUpperTail(Math.max(0, without.deviance - model.deviance), 1, Infinity));
  }
  return bounds;
}

/** Design in which a contrast is zero: its coefficient of largest weight is expressed by the others. */
function withoutContrast({ columns, sampleCount }: ModelColumns, contrast: Float64Array): ModelColumns {
  const sizes = contrast.map(Math.abs);
  const heaviest = sizes.indexOf(Math.max(...sizes));
  const own = columns[heaviest]!;
  return {
    sampleCount,
    columns: columns.flatMap((column, at) => {
      if (at === heaviest) return [];
      const share = contrast[at]! / contrast[heaviest]!;
      return [column.map((value, sample) => value - share * own[sample]!)];
    }),
  };
}
