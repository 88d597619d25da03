import type { Caution } from '@cellfolio/model';
import { value } from '../plot-words.ts';

export interface RankedSet {
  readonly term: string;
  readonly es: number;
  readonly nes: number;
  /** NaN if undefined. */
  readonly p: number;
  readonly fdr: number;
  /** NaN if unknown. */
  readonly fwer: number;
  /** Ranked genes of the set, and genes of its leading edge. */
  readonly size: number;
  readonly leading: number;
}

interface RankedCurve extends RankedSet {
  /** Corners of the running score: ranking positions from 0 on, and scores. */
  readonly places: Float64Array;
  readonly scores: Float64Array;
  readonly hits: Int32Array;
  /** Genes of the leading edge, the most extreme first. */
  readonly leadingGenes: readonly string[];
}

export interface RankedEnrichmentInput {
  readonly ranking: string;
  readonly library: string;
  /** Conditions in which genes at the top, and at the end, of the ranking are higher. */
  readonly sides: { readonly top: string; readonly end: string };
  /** Metric of all ranked genes, descending. */
  readonly metric: Float64Array;
  readonly metricName: string;
  readonly tested: number;
  /** Minimum p-value above 0 of the method: a p of 0 means less than this. */
  readonly leastP: number;
  /** False discovery rate up to which a set counts as significant, and the number of such sets on each side. */
  readonly threshold: number;
  readonly significant: { readonly top: number; readonly end: number };
  readonly sets: readonly RankedSet[];
  /** Running score of the requested set, or of the first; null if none was tested. */
  readonly curve: RankedCurve | null;
  readonly cautions: readonly Caution[];
}

/** A p-value from permutations: 0 is shown as less than the minimum. */
export function boundedP(p: number | null, leastP: number): string {
  return p === 0 ? `< ${value(leastP)}` : value(p);
}

export function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
