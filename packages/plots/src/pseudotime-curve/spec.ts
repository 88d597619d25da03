import type { CommonSpec } from '../drawing/figure.ts';

export interface PseudotimeCurveSpec extends CommonSpec {
  readonly kind: 'pseudotime-curve';
  readonly version: 1;
  readonly subtitle: string;
  /** Of the means. */
  readonly unit: string;
  /** Mean pseudotime of each bin. */
  readonly times: readonly number[];
  readonly genes: readonly CurveGene[];
}

export interface CurveGene {
  readonly gene: string;
  readonly rho: number;
  /** A value for each bin: its mean, and the standard error of that. */
  readonly means: readonly number[];
  readonly errors: readonly number[];
}
