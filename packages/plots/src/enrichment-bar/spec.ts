import type { Caution } from '@cellfolio/model';
import type { CommonSpec } from '../drawing/figure.ts';

export interface EnrichmentBarSpec extends CommonSpec {
  readonly kind: 'enrichment-bar';
  readonly version: 1;
  readonly subtitle: string;
  readonly threshold: number;
  /** Genes that a set has to share with the list to be here; absent where one is enough. */
  readonly minimumOverlap?: number;
  /** Best first. */
  readonly terms: readonly EnrichmentBarTerm[];
  /** How many there were to choose from. */
  readonly termCount: number;
  /** How many of all have an adjusted p of at most the threshold. */
  readonly significant: number;
}

interface EnrichmentBarTerm {
  readonly term: string;
  readonly adjustedP: number;
  /** −log10 of the adjusted p, the length of the bar; finite also where `adjustedP` underflowed to 0. */
  readonly score: number;
  /** Such as `12/200`. */
  readonly overlap: string;
  /** −ln p × odds ratio; null where it was not given as a finite number. */
  readonly combinedScore: number | null;
}

export interface EnrichmentBarInput {
  /** In any order; all that were tested, or the best of them with `termCount` saying how many were. */
  readonly terms: readonly EnrichmentTerm[];
  readonly title: string;
  /** The library, and what should be known of it, such as `MSigDB Hallmark (starter, abridged)`. */
  readonly subtitle: string;
  readonly datasetName: string;
  /** Bars drawn; 10 if absent, at most 50. */
  readonly top?: number;
  /** Adjusted p up to which a term counts as significant; 0.05 if absent. */
  readonly threshold?: number;
  /** Terms tested; `terms.length` if absent. */
  readonly termCount?: number;
  /** Genes that each of the terms shares with the list at least; 1 if absent. */
  readonly minimumOverlap?: number;
  /** What should be known of the test. */
  readonly cautions?: readonly Caution[];
}

export interface EnrichmentTerm {
  readonly term: string;
  /** 0 to 1; 0 where it underflowed. */
  readonly adjustedP: number;
  /** Natural logarithm of the p-value before adjustment, for terms whose p underflows. */
  readonly logP?: number;
  /** Such as `12/200`. */
  readonly overlap: string;
  readonly combinedScore?: number;
}
