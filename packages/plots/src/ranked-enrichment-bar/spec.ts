import type { CommonSpec } from '../drawing/figure.ts';

export interface RankedBarSpec extends CommonSpec {
  readonly kind: 'ranked-enrichment-bar';
  readonly version: 1;
  /** Least p-value above 0 that the method has. */
  readonly leastP: number;
  /** What was ranked, and the library. */
  readonly subtitle: string;
  readonly sides: { readonly top: string; readonly end: string };
  readonly tested: number;
  readonly threshold: number;
  /** Sets of each side up to the threshold. */
  readonly significant: { readonly top: number; readonly end: number };
  /** Ranked. */
  readonly genes: number;
  /** By falling normalised score. */
  readonly sets: readonly RankedBar[];
}

interface RankedBar {
  readonly term: string;
  readonly nes: number;
  /** Null where there is none. */
  readonly fdr: number | null;
  readonly size: number;
  readonly leading: number;
}
