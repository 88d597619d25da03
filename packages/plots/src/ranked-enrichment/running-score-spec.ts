import type { CommonSpec } from '../drawing/figure.ts';

export interface RunningScoreSpec extends CommonSpec {
  readonly kind: 'running-score';
  readonly version: 1;
  /** Least p-value above 0 that the method has. */
  readonly leastP: number;
  /** What was ranked, and the library. */
  readonly subtitle: string;
  readonly sides: { readonly top: string; readonly end: string };
  readonly es: number;
  /** Null where there is none, here and below. */
  readonly nes: number | null;
  readonly p: number | null;
  readonly fdr: number | null;
  readonly fwer: number | null;
  /** Ranked genes of the set. */
  readonly setSize: number;
  /** Genes of the leading edge, the most extreme first. */
  readonly leading: readonly string[];
  /** Ranked. */
  readonly genes: number;
  /** Corners of the running score: a place in the ranking and a score each. */
  readonly curve: readonly (readonly [number, number])[];
  /** Places of the genes of the set. */
  readonly hits: readonly number[];
  readonly metricName: string;
  /** The metric at some places: a place and a value each. */
  readonly metric: readonly (readonly [number, number])[];
  /** Where the metric turns from positive to negative; absent where it does not. */
  readonly zeroAt?: number;
}
