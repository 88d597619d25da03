import type { Caution } from '@cellfolio/model';

/** Genes along an axis of cells, as heatmaps and curves need them. */
export interface AlongAxisInput {
  readonly title: string;
  /** The line below the title. */
  readonly subtitle: string;
  readonly datasetName: string;
  /** What a place on the axis is, such as `pseudotime`. */
  readonly axis: string;
  /** Cells with a place. */
  readonly cells: number;
  /** Bins along the axis: their cells, and the mean place of each. */
  readonly bins: { readonly sizes: ArrayLike<number>; readonly places: ArrayLike<number> };
  readonly genes: readonly GeneAlong[];
  readonly cautions: readonly Caution[];
}

/** A value for each bin. */
export interface GeneAlong {
  readonly gene: string;
  /** Spearman's correlation with the axis; NaN where the gene does not vary. */
  readonly rho: number;
  readonly means: ArrayLike<number>;
  /** Standard errors. */
  readonly errors: ArrayLike<number>;
}
