import {
  type CountsRefusal,
  type Design,
  type GeneSampleMatrix,
  type NotCounts,
  type SampleMap,
  selectGenes,
  selectSamples,
  studentQuantile,
} from '@cellfolio/analysis';
import type { SumMethod } from '@cellfolio/analysis/parameters';
import type { SpreadMeasure } from '@cellfolio/plots';
import type { DatasetRef } from '../../../runtime/compute/task.ts';
import { type ComparedTable, counted, joinedRows, surestFirst, type Thresholds } from '../compared-table.ts';

/** The sums of one part and how they are tested, as a compute thread takes them. */
export interface DesignedSums {
  readonly dataset: DatasetRef;
  /** Genes × sums of all parts, in shared memory. */
  readonly sums: Float64Array;
  readonly sumCount: number;
  /** Places of the sums that are tested. */
  readonly places: readonly number[];
  readonly design: Design;
  readonly contrast: Float64Array;
  /** The block of each sum; undefined where there are none. */
  readonly blocks: readonly number[] | undefined;
  /** Rows of genes that are in the table without a test. */
  readonly untested: readonly number[];
  readonly thresholds: Thresholds;
}

/** The counts of the sums that are tested. */
export function countsOf({ sums, sumCount, places, untested }: DesignedSums): GeneSampleMatrix {
  const all = { geneCount: sums.length / sumCount, sampleCount: sumCount, values: sums };
  const counts = selectSamples(all, places);
  // Without counts a gene is not tested, nor in any library size.
  for (const row of untested) counts.values.fill(0, row * places.length, (row + 1) * places.length);
  return counts;
}

/** The same of some genes, by their rows. */
export function countsOfGenes({ sums, sumCount, places }: DesignedSums, genes: Int32Array): GeneSampleMatrix {
  const all = { geneCount: sums.length / sumCount, sampleCount: sumCount, values: sums };
  return selectSamples(selectGenes(all, genes), places);
}

export type SumTable =
  | { readonly refusal: SumsRefusal }
  | { readonly table: ComparedTable; readonly checks: SumChecks };

export type SumsRefusal =
  | CountsRefusal
  /** Of a test that takes whole numbers alone, where that is all that is wrong. */
  | { readonly code: 'not_counts' | 'not_whole_counts'; readonly gene: string };

/** What the figures of a test show of it, and what the test assumed. */
export interface SumChecks {
  /** Counts of each sample in the genes that were tested. */
  readonly librarySizes: Float64Array;
  /** Of the libraries by TMM; size factors by the median of ratios, of the negative binomial test. */
  readonly factors: Float64Array;
  /** What counts per million are of. */
  readonly effectiveSizes: Float64Array;
  readonly residualDegrees: number;
  readonly spread: {
    readonly measure: SpreadMeasure;
    readonly points: PlanePoints;
    readonly trend: PlanePoints;
  };
  /** Genes that were tested. */
  readonly tested: number;
  readonly map: PlanePoints & { readonly axes: [number, number] };
  readonly histogram: Int32Array;
  /** Correlation of the log counts of samples of one block; absent without blocks of several samples. */
  readonly correlation?: number;
  /** How variances were moderated, or dispersions: of the negative binomial, or what quasi-likelihood multiplies these by. */
  readonly shrinkage:
    | {
        readonly of: 'variances' | 'quasi-dispersions';
        readonly priorDegrees: number;
        readonly priorVariance: number;
      }
    | ({ readonly of: 'dispersions' } & DispersionChecks);
}

export interface DispersionChecks {
  readonly trend: 'parametric' | 'mean';
  /** a0 and a1 of the curve a0 + a1 / mean. */
  readonly coefficients: readonly [number, number];
  /** Of the logarithms of the dispersions about the curve. */
  readonly priorVariance: number;
  /** Genes with counts that were replaced, without a p-value for an outlier, and without an adjusted one for a low mean. */
  readonly replaced: number;
  readonly outliers: number;
  readonly filtered: number;
  /** Genes of a lower mean count were filtered out. */
  readonly minMean: number;
  /** Mean share of false discoveries in sets simulated like the part with the fewest degrees of freedom, and its standard error. */
  readonly falseDiscoveries?: { readonly mean: number; readonly error: number; readonly sets: number };
}

interface PlanePoints {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** As many points as a figure of spreads can show. */
export const maxSpreadPoints = 5000;

/** Samples on their map, and the shares of the variance that its axes explain. */
export function mapPoints({ x, y, explained }: SampleMap): SumChecks['map'] {
  return { x, y, axes: [explained[0] ?? 0, explained[1] ?? 0] };
}

/** Headings of a table of sums. */
export function sumTableColumns(method: SumMethod, isParted: boolean): string[] {
  const own = method === 'negative-binomial' ? ['mean_count', 'dispersion'] : ['mean_log_cpm'];
  const limits = ['names', 'logfoldchanges', 'ci_low', 'ci_high'];
  return [...(isParted ? ['group'] : []), ...limits, ...own, 'scores', 'pvals', 'pvals_adj'];
}

/** A value for each gene that was tested, in the order of `genes`. */
interface SumResults {
  /** Rows of the genes, rising. */
  readonly genes: Int32Array;
  readonly effects: Float64Array;
  /** How far the limits of 95 % are from the effect. */
  readonly reaches: Float64Array;
  readonly scores: Float64Array;
  readonly pvals: Float64Array;
  readonly adjusted: Float64Array;
  /** The columns that a method has alone. */
  readonly own: readonly Float64Array[];
  /** Of a figure of means. */
  readonly means: Float64Array;
}

/**
 * All genes: those with a p-value by its rise, then those that were kept out, then the others in the order of var, with
 * what is known of them.
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
  const kept = new Set(untested);
  const others = [...pvals.keys()].filter((row) => !hasP(row) && !kept.has(row));
  return {
    scores,
    logfoldchanges,
    pvals,
    pvals_adj,
    means: spread(means),
    warnings: [],
    columns,
    order: joinedRows(surest, kept, others),
    ...counted(surest, { logfoldchanges, pvals, pvals_adj }, { thresholds, symbols }),
  };
}

/** By the place of a gene, the t that limits 95 %; degrees of freedom are those of most genes, but for some. */
export function reaches(degrees: Float64Array): (place: number) => number {
  const known = new Map<number, number>();
  return (place) => {
    const own = degrees[place]!;
    const found = known.get(own) ?? studentQuantile(0.05, own);
    known.set(own, found);
    return found;
  };
}

export function notCounts({ gene, isFraction }: NotCounts, symbols: readonly string[]): SumTable {
  const code = isFraction ? 'not_whole_counts' : 'not_counts';
  return { refusal: { code, gene: symbols[gene] ?? String(gene) } };
}
