import type { CommonSpec } from '../drawing/figure.ts';

export interface RunningScoreSpec extends CommonSpec {
  readonly kind: 'running-score';
  readonly version: 1;
  readonly leastP: number;
  readonly subtitle: string;
  readonly sides: { readonly top: string; readonly end: string };
  readonly es: number;
  /** Null if undefined, here and below. */
  readonly nes: number | null;
  readonly p: number | null;
  readonly fdr: number | null;
  readonly fwer: number | null;
  readonly setSize: number;
  readonly leading: readonly string[];
  readonly genes: number;
  readonly curve: readonly (readonly [number, number])[];
  readonly hits: readonly number[];
  readonly metricName: string;
  /** Sampled metric: a ranking position and a value each. */
  readonly metric: readonly (readonly [number, number])[];
  /** Position where the metric changes from positive to negative; absent if it does not. */
  readonly zeroAt?: number;
}
