import type { Caution } from '@cellfolio/model';
import { value } from '../plot-words.ts';

/** A tested set. */
export interface RankedSet {
  readonly term: string;
  readonly es: number;
  readonly nes: number;
  /** NaN where there is none. */
  readonly p: number;
  readonly fdr: number;
  /** NaN where it is not known. */
  readonly fwer: number;
  /** Ranked genes of the set, and those of its leading edge. */
  readonly size: number;
  readonly leading: number;
}

/** The walk of one set. */
interface RankedCurve extends RankedSet {
  /** Corners of the running score: places in the ranking from 0 on, and scores. */
  readonly places: Float64Array;
  readonly scores: Float64Array;
  /** Places of its genes. */
  readonly hits: Int32Array;
  /** Names of the genes of the leading edge, the most extreme first. */
  readonly leadingGenes: readonly string[];
}

/** What is drawn of a ranked enrichment. */
export interface RankedEnrichmentInput {
  /** What was ranked by what, in words. */
  readonly ranking: string;
  readonly library: string;
  /** Where genes at the top of the ranking are higher, and where those at its end. */
  readonly sides: { readonly top: string; readonly end: string };
  /** Of all ranked genes, the greatest first. */
  readonly metric: Float64Array;
  /** What the metric is called. */
  readonly metricName: string;
  readonly tested: number;
  /** Least p-value above 0 that the method has: of a 0 no more can be said. */
  readonly leastP: number;
  /** False discovery rate up to which a set counts as significant, and how many do on each side. */
  readonly threshold: number;
  readonly significant: { readonly top: number; readonly end: number };
  /** The most significant sets of both sides. */
  readonly sets: readonly RankedSet[];
  /** Of the set that was asked for, or of the first; null where none was tested. */
  readonly curve: RankedCurve | null;
  readonly cautions: readonly Caution[];
}

/** A p-value of permutations: a 0 is said as what it is below. */
export function boundedP(p: number | null, leastP: number): string {
  return p === 0 ? `< ${value(leastP)}` : value(p);
}

/** The number as JSON has it: null where there is none. */
export function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
