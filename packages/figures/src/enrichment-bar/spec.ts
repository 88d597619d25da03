import type { Caution } from '@cellfolio/model';
import type { SpecOf } from '../plot-words.ts';
import type { enrichmentBarWords } from './words.ts';

export interface EnrichmentBarSpec extends SpecOf<typeof enrichmentBarWords, 'terms'> {
  /** Minimum number of genes that a set shares with the list; absent for 1. */
  minimumOverlap?: number;
  terms: readonly EnrichmentBarTerm[];
}

interface EnrichmentBarTerm {
  term: string;
  adjustedP: number;
  /** −log10 of the adjusted p, the length of the bar; finite even if `adjustedP` underflowed to 0. */
  score: number;
  overlap: string;
  /** −ln p × odds ratio; null if not given as a finite number. */
  combinedScore: number | null;
}

export interface EnrichmentBarInput {
  /** In any order; all tested terms, or the best of them with their total in `termCount`. */
  terms: readonly EnrichmentTerm[];
  title: string;
  /** The library, such as `KEGG 2021, abridged`. */
  subtitle: string;
  datasetName: string;
  /** Number of bars; default 10, at most 50. */
  top?: number;
  /** Adjusted p up to which a term counts as significant; default 0.05. */
  threshold?: number;
  /** Number of terms tested; default `terms.length`. */
  termCount?: number;
  /** Minimum number of genes that each term shares with the list; default 1. */
  minimumOverlap?: number;
  cautions?: readonly Caution[];
}

export interface EnrichmentTerm {
  term: string;
  /** 0 to 1; 0 if it underflowed. */
  adjustedP: number;
  /** Natural logarithm of the unadjusted p-value, for terms whose p underflows. */
  logP?: number;
  overlap: string;
  combinedScore?: number;
}
