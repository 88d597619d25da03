import type { SampleFigureSpec } from '../drawing/samples/sample-figure.ts';
import type { SpreadMeasure } from '../pseudobulk-input.ts';

/** Places along each axis of the table of many genes. */
export const spreadBins = { across: 72, up: 54 } as const;

export interface MeanVarianceSpec extends SampleFigureSpec {
  readonly kind: 'mean-variance';
  readonly version: 1;
  readonly measure: SpreadMeasure;
  readonly genes: number;
  /** Of the log2 mean count, and of the root of what is measured, which begins at 0. */
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  /** A point for each gene, where there are few. */
  readonly points?: readonly (readonly [number, number])[];
  /** Otherwise how many genes are in each place: column, row from below, genes. */
  readonly squares?: readonly (readonly [number, number, number])[];
  /** The curve, x rising. */
  readonly trend: readonly (readonly [number, number])[];
  readonly colours: { readonly ramp: readonly string[] };
}
