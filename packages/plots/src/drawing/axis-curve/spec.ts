import type { CommonSpec } from '../figure.ts';

export interface AxisCurveSpec extends CommonSpec {
  readonly kind: 'pseudotime-curve' | 'gradient-curve';
  readonly version: 1;
  readonly subtitle: string;
  /** What a place is, and what the means are. */
  readonly axis: string;
  readonly unit: string;
  /** Cells with a place. */
  readonly cells: number;
  /** Mean place of each bin. */
  readonly places: readonly number[];
  /** Where the axes begin and end. */
  readonly ends: readonly [number, number];
  readonly genes: readonly CurveGene[];
}

export interface CurveGene {
  readonly gene: string;
  readonly rho: number;
  /** A value for each bin: its mean, and the standard error of that. */
  readonly means: readonly number[];
  readonly errors: readonly number[];
}
