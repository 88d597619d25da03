import type { Caution } from '@cellfolio/model';
import type { SpecOf } from '../plot-words.ts';
import type { enrichmentBarWords } from './words.ts';

export interface EnrichmentBarSpec extends SpecOf<typeof enrichmentBarWords, 'terms'> {
  /** Minimum number of genes that a set shares with the list; absent for 1. */
  readonly minimumOverlap?: number;
  readonly terms: readonly EnrichmentBarTerm[];
}

interface EnrichmentBarTerm {
  readonly term: string;
  readonly adjustedP: number;
  /** −log10 of the adjusted p, the length of the bar; finite even if `adjustedP` underflowed to 0. */
  readonly score: number;
  readonly overlap: string;
  /** −ln p × odds ratio; null if not given as a finite number. */
  readonly combinedScore: number | null;
}

export interface EnrichmentBarInput {
  /** In any order; all tested terms, or the best of them with their total in `termCount`. */
  readonly terms: readonly EnrichmentTerm[];
  readonly title: string;
  /** The library, such as `KEGG 2021, abridged`. */
  readonly subtitle: string;
  readonly datasetName: string;
  /** Number of bars; default 10, at most 50. */
  readonly top?: number;
  /** Adjusted p up to which a term counts as significant; default 0.05. */
  readonly threshold?: number;
  /** Number of terms tested; default `terms.length`. */
  readonly termCount?: number;
  /** Minimum number of genes that each term shares with the list; default 1. */
  readonly minimumOverlap?: number;
  readonly cautions?: readonly Caution[];
}

export interface EnrichmentTerm {
  readonly term: string;
  /** 0 to 1; 0 if it underflowed. */
  readonly adjustedP: number;
  /** Natural logarithm of the unadjusted p-value, for terms whose p underflows. */
  readonly logP?: number;
  readonly overlap: string;
  readonly combinedScore?: number;
}
