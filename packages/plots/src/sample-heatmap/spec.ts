import type { SampleFigureSpec, Side } from '../drawing/samples/sample-figure.ts';

export interface SampleHeatmapSpec extends SampleFigureSpec {
  readonly kind: 'sample-heatmap';
  readonly version: 1;
  /** Those of A first. */
  readonly samples: readonly { readonly label: string; readonly side: Side }[];
  /** Those that are higher in A first, in each direction the surest first. */
  readonly genes: readonly SampleHeatmapGene[];
  readonly ramp: readonly string[];
}

export interface SampleHeatmapGene {
  readonly gene: string;
  readonly logFoldChange: number;
  readonly adjustedP: number;
  /** Standard deviations from the mean of the gene, a value for each sample. */
  readonly scores: readonly number[];
}
