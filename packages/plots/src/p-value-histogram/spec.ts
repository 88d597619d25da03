import type { SampleFigureSpec } from '../drawing/samples/sample-figure.ts';
import type { HistogramShape } from './shape.ts';

export interface PValueHistogramSpec extends SampleFigureSpec {
  readonly kind: 'p-value-histogram';
  readonly version: 1;
  readonly tested: number;
  /** Genes in equal parts of 0 to 1. */
  readonly counts: readonly number[];
  /** Genes in each if none differed. */
  readonly expected: number;
  readonly shape: HistogramShape;
}
