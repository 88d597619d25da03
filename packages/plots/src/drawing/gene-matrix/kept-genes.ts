/** What a gene adds up to in each category that has cells, and how many of them express it. */
export interface GeneSums {
  /** Codes of the categories. */
  readonly categories: Int32Array;
  readonly sums: Float64Array;
  readonly expressing: Int32Array;
}

/** The cells of a heatmap that are lines, for all of its genes. */
export interface LineCells {
  /** Rising. */
  readonly cells: Int32Array;
  /** Places in `cells` of the lines of each group that is drawn, by its code. */
  readonly placesOf: ReadonlyMap<number, Int32Array>;
}

/** What a heatmap keeps of a gene. */
export interface GeneLines {
  readonly of: LineCells;
  /** Of each of those cells; NaN where it is no number. */
  readonly values: Float32Array;
  /** Least and greatest value in the cells of all groups, lines or not. */
  readonly range: readonly [number, number];
  readonly sums: GeneSums;
}
