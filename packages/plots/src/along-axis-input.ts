import type { Caution } from '@cellfolio/model';

export interface AlongAxisInput {
  readonly title: string;
  readonly subtitle: string;
  readonly datasetName: string;
  /** Meaning of a place on the axis, such as `pseudotime`. */
  readonly axis: string;
  readonly cells: number;
  /** Bins along the axis: number of cells and mean place of each. */
  readonly bins: { readonly sizes: ArrayLike<number>; readonly places: ArrayLike<number> };
  readonly genes: readonly GeneAlong[];
  readonly cautions: readonly Caution[];
}

/** One value per bin. */
export interface GeneAlong {
  readonly gene: string;
  /** Spearman's correlation with the axis; NaN if the gene does not vary. */
  readonly rho: number;
  readonly means: ArrayLike<number>;
  readonly errors: ArrayLike<number>;
}
