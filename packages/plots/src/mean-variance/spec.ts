import type { SampleFigureSpec } from '../drawing/samples/sample-figure.ts';

/** Places along each axis of the table of many genes. */
export const spreadBins = { across: 72, up: 54 } as const;

export interface MeanVarianceSpec extends SampleFigureSpec {
  readonly kind: 'mean-variance';
  readonly version: 1;
  readonly genes: number;
  /** Of the mean log2 count, and of the root of the standard deviation, which begins at 0. */
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
