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

export interface EnrichmentBarTerm {
  readonly term: string;
  readonly adjustedP: number;
  /** −log10 of the adjusted p, the length of the bar; finite also where `adjustedP` underflowed to 0. */
  readonly score: number;
  /** Such as `12/200`. */
  readonly overlap: string;
  /** −ln p × odds ratio; null where it was not given as a finite number. */
  readonly combinedScore: number | null;
}
