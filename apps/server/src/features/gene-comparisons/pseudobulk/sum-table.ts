import {
  type Design,
  type GeneSampleMatrix,
  type NotCounts,
  type SampleMap,
  selectGenes,
  selectSamples,
  studentQuantile,
  type SumsRefusal,
} from '@cellfolio/analysis';
import type { SumMethod } from '@cellfolio/analysis/parameters';
import type { SpreadMeasure } from '@cellfolio/figures';
import type { DatasetRef } from '../../../runtime/compute/task.ts';
import { type ComparedTable, counted, joinedRows, surestFirst, type Thresholds } from '../compared-table.ts';

export interface DesignedSums {
  dataset: DatasetRef;
  sums: Float64Array;
  sumCount: number;
  /** Indices of the tested sums. */
  places: readonly number[];
  design: Design;
  contrast: Float64Array;
  /** The block of each sum; undefined without blocks. */
  blocks: readonly number[] | undefined;
  untested: readonly number[];
  thresholds: Thresholds;
}

export function countsOf({ sums, sumCount, places, untested }: DesignedSums): GeneSampleMatrix {
  const all = { geneCount: sums.length / sumCount, sampleCount: sumCount, values: sums };
  const counts = selectSamples(all, places);
  // Without counts a gene is not tested, nor in any library size.
  for (const row of untested) counts.values.fill(0, row * places.length, (row + 1) * places.length);
  return counts;
}

/** As `countsOf`, for some genes given by row. */
export function countsOfGenes({ sums, sumCount, places }: DesignedSums, genes: Int32Array): GeneSampleMatrix {
  const all = { geneCount: sums.length / sumCount, sampleCount: sumCount, values: sums };
  return selectSamples(selectGenes(all, genes), places);
}

export type SumTable = { refusal: SumsRefusal } | { table: ComparedTable; checks: SumChecks };

export interface SumChecks {
  /** Counts of each sample in the tested genes. */
  librarySizes: Float64Array;
  /** TMM factors of the libraries; for the negative binomial test, median-of-ratios size factors. */
  factors: Float64Array;
  /** Denominator of counts per million. */
  effectiveSizes: Float64Array;
  residualDegrees: number;
  spread: {
    measure: SpreadMeasure;
    points: PlanePoints;
    trend: PlanePoints;
  };
  tested: number;
  map: PlanePoints & { axes: [number, number] };
  histogram: Int32Array;
  /** Correlation of the log counts of samples within a block; absent without blocks of several samples. */
  correlation?: number;
  /**
   * Moderation of variances or dispersions: negative binomial dispersions, or the factor by which quasi-likelihood
   * multiplies them.
   */
  shrinkage:
    | {
        of: 'variances' | 'quasi-dispersions';
        priorDegrees: number;
        priorVariance: number;
      }
    | ({ of: 'dispersions' } & DispersionChecks);
}

export interface DispersionChecks {
  trend: 'parametric' | 'mean';
  /** a0 and a1 of the curve a0 + a1 / mean. */
  coefficients: readonly [number, number];
  /** Variance of the log dispersions about the curve. */
  priorVariance: number;
  /**
   * Genes with replaced counts, genes without a p-value because of an outlier, and genes without an adjusted one
   * because of a low mean.
   */
  replaced: number;
  outliers: number;
  filtered: number;
  /** Genes with a lower mean count were filtered out. */
  minMean: number;
  /** Mean share of false discoveries in sets simulated like the part with the fewest degrees of freedom, and its standard error. */
  falseDiscoveries?: { mean: number; error: number; sets: number };
}

interface PlanePoints {
  x: Float64Array;
  y: Float64Array;
}

export const maxSpreadPoints = 5000;

export function mapPoints({ x, y, explained }: SampleMap): SumChecks['map'] {
  return { x, y, axes: [explained[0] ?? 0, explained[1] ?? 0] };
}

export function sumTableColumns(method: SumMethod, isParted: boolean): string[] {
  const own = method === 'negative-binomial' ? ['mean_count', 'dispersion'] : ['mean_log_cpm'];
  const limits = ['names', 'logfoldchanges', 'ci_low', 'ci_high'];
  return [...(isParted ? ['group'] : []), ...limits, ...own, 'scores', 'pvals', 'pvals_adj'];
}

/** One value per tested gene, in the order of `genes`. */
interface SumResults {
  genes: Int32Array;
  effects: Float64Array;
  /** Half-width of the 95 % confidence interval of the effect. */
  reaches: Float64Array;
  scores: Float64Array;
  pvals: Float64Array;
  adjusted: Float64Array;
  own: readonly Float64Array[];
  means: Float64Array;
}

/**
 * Rows of all genes: those with a p-value in ascending order, then the excluded ones, then the others in the order of
 * var.
 */
export function writtenSums(
  { thresholds, untested }: Pick<DesignedSums, 'thresholds' | 'untested'>,
  symbols: readonly string[],
  { genes, effects, reaches, own, means, ...tested }: SumResults,
): ComparedTable {
  const spread = (values: Float64Array) => {
    const all = new Float64Array(symbols.length).fill(NaN);
    for (let place = 0; place < genes.length; place++) all[genes[place]!] = values[place]!;
    return all;
  };
  const logfoldchanges = spread(effects);
  const limit = (sign: number) => spread(effects.map((effect, place) => effect + sign * reaches[place]!));
  const scores = spread(tested.scores);
  const pvals = spread(tested.pvals);
  const pvals_adj = spread(tested.adjusted);
  const columns = [logfoldchanges, limit(-1), limit(1), ...own.map(spread), scores, pvals, pvals_adj];
  const hasP = (row: number) => !Number.isNaN(pvals[row]!);
  const surest = surestFirst([...pvals.keys()].filter(hasP), { pvals, scores });
  const untestedRows = new Set(untested);
  const others = [...pvals.keys()].filter((row) => !hasP(row) && !untestedRows.has(row));
  return {
    scores,
    logfoldchanges,
    pvals,
    pvals_adj,
    means: spread(means),
    warnings: [],
    columns,
    order: joinedRows(surest, untestedRows, others),
    ...counted(surest, { logfoldchanges, pvals, pvals_adj }, { thresholds, symbols }),
  };
}

/** Critical t for 95 % by gene index; most genes share the same degrees of freedom. */
export function reaches(degrees: Float64Array): (place: number) => number {
  const cache = new Map<number, number>();
  return (place) => {
    const own = degrees[place]!;
    const quantile = cache.get(own) ?? studentQuantile(0.05, own);
    cache.set(own, quantile);
    return quantile;
  };
}

export function notCounts({ gene, isFraction }: NotCounts, symbols: readonly string[]): SumTable {
  const code = isFraction ? 'not_whole_counts' : 'not_counts';
  return { refusal: { code, gene: symbols[gene] ?? String(gene) } };
}
