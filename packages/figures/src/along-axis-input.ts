import type { Caution } from '@cellfolio/model';

export interface AlongAxisInput {
  title: string;
  subtitle: string;
  datasetName: string;
  /** Meaning of a place on the axis, such as `pseudotime`. */
  axis: string;
  cells: number;
  /** Bins along the axis: number of cells and mean place of each. */
  bins: { sizes: ArrayLike<number>; places: ArrayLike<number> };
  genes: readonly GeneAlong[];
  cautions: readonly Caution[];
}

/** One value per bin. */
export interface GeneAlong {
  gene: string;
  /** Spearman's correlation with the axis; NaN if the gene does not vary. */
  rho: number;
  means: ArrayLike<number>;
  errors: ArrayLike<number>;
}
