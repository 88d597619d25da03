import type { SampleShape } from '../drawing/samples/sample-marks.ts';
import type { SampleFigureSpec, Side } from '../drawing/samples/sample-figure.ts';

export interface SampleMapSpec extends SampleFigureSpec {
  readonly kind: 'sample-map';
  readonly version: 1;
  /** Share of the variance in the first and the second dimension, from 0 to 1. */
  readonly axes: readonly [number, number];
  readonly samples: readonly {
    readonly label: string;
    readonly side: Side;
    readonly x: number;
    readonly y: number;
    readonly shape: SampleShape;
  }[];
  /** What the shapes mean; absent where all are dots. */
  readonly shapes?: { readonly title: string; readonly labels: readonly string[] };
  /** Share of each dimension that the sides and the covariates account for, one by one; null where that says nothing. */
  readonly explained: readonly {
    readonly column: string;
    readonly isSide: boolean;
    readonly first: number | null;
    readonly second: number | null;
  }[];
}
