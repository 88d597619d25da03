/** Sum of a gene in each non-empty category, and the number of cells that express it. */
export interface GeneSums {
  categories: Int32Array;
  sums: Float64Array;
  expressing: Int32Array;
}

export interface LineCells {
  /** Ascending. */
  cells: Int32Array;
  /** Indices into `cells` of each drawn group's lines, by group code. */
  placesOf: ReadonlyMap<number, Int32Array>;
}

export interface GeneLines {
  of: LineCells;
  /** Per cell; NaN for non-numbers. */
  values: Float32Array;
  /** Minimum and maximum over the cells of all groups, drawn as lines or not. */
  range: readonly [number, number];
  sums: GeneSums;
}
