import type { Caution } from '@cellfolio/model';
import { value } from '../plot-words.ts';

export interface RankedSet {
  term: string;
  es: number;
  nes: number;
  /** NaN if undefined. */
  p: number;
  fdr: number;
  /** NaN if unknown. */
  fwer: number;
  /** Ranked genes of the set, and genes of its leading edge. */
  size: number;
  leading: number;
}

interface RankedCurve extends RankedSet {
  /** Corners of the running score: ranking positions from 0 on, and scores. */
  places: Float64Array;
  scores: Float64Array;
  hits: Int32Array;
  /** Genes of the leading edge, the most extreme first. */
  leadingGenes: readonly string[];
}

export interface RankedEnrichmentInput {
  ranking: string;
  library: string;
  /** Conditions in which genes at the top, and at the end, of the ranking are higher. */
  sides: { top: string; end: string };
  /** Metric of all ranked genes, descending. */
  metric: Float64Array;
  metricName: string;
  tested: number;
  /** Minimum p-value above 0 of the method: a p of 0 means less than this. */
  leastP: number;
  /** False discovery rate up to which a set counts as significant, and the number of such sets on each side. */
  threshold: number;
  significant: { top: number; end: number };
  sets: readonly RankedSet[];
  /** Running score of the requested set, or of the first; null if none was tested. */
  curve: RankedCurve | null;
  cautions: readonly Caution[];
}

/** A p-value from permutations: 0 is shown as less than the minimum. */
export function boundedP(p: number | null, leastP: number): string {
  return p === 0 ? `< ${value(leastP)}` : value(p);
}

export function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
