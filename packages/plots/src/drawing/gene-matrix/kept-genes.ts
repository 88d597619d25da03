/** Sum of a gene in each non-empty category, and the number of cells that express it. */
export interface GeneSums {
  readonly categories: Int32Array;
  readonly sums: Float64Array;
  readonly expressing: Int32Array;
}

export interface LineCells {
  /** Ascending. */
  readonly cells: Int32Array;
  /** Indices into `cells` of each drawn group's lines, by group code. */
  readonly placesOf: ReadonlyMap<number, Int32Array>;
}

export interface GeneLines {
  readonly of: LineCells;
  /** Per cell; NaN for non-numbers. */
  readonly values: Float32Array;
  /** Minimum and maximum over the cells of all groups, drawn as lines or not. */
  readonly range: readonly [number, number];
  readonly sums: GeneSums;
}
