import type { Caution } from '@cellfolio/model';

export interface EnrichmentInput {
  /** In any order; all tested terms, or the best of them with their total in `termCount`. */
  terms: readonly EnrichmentTerm[];
  title: string;
  /** The library, such as `KEGG 2021, abridged`. */
  subtitle: string;
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
