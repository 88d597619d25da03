import type { SampleFigureSpec, Side } from '../drawing/samples/sample-figure.ts';

export interface SampleDotsSpec extends SampleFigureSpec {
  readonly kind: 'sample-dots';
  readonly version: 1;
  readonly gene: string;
  /** Null where the gene was not tested. */
  readonly logFoldChange: number | null;
  readonly adjustedP: number | null;
  readonly domain: readonly [number, number];
  /** `value` is log2 of the counts per million. */
  readonly samples: readonly { readonly label: string; readonly side: Side; readonly value: number }[];
  /** Mean of the values of each side, null where it has no samples. */
  readonly means: Readonly<Record<Side, number | null>>;
  /** What pairs samples, and their places in `samples`: of A first. */
  readonly pairs?: { readonly title: string; readonly places: readonly (readonly [number, number])[] };
}
