/**
 * What is known of every gene in each group of cells that a column of obs forms, over all cells of the dataset. All
 * arrays have a value for each gene and slot, the slots of a gene side by side: one for each of `categories` and a
 * last one for the cells without a category.
 */
export interface GroupStatistics {
  /** Codes of the categories that have cells, rising. */
  readonly categories: Int32Array;
  /** Sums of the values, in float64. NaN where a value is. */
  readonly sums: Float64Array;
  /** Sums of the squares, each rounded to float32, as scanpy squares. */
  readonly squares: Float64Array;
  /** Cells whose value is not zero. */
  readonly expressing: Int32Array;
}

/** Where statistics are stored. Whoever reads the dataset as AnnData finds them in `uns`. */
export const statisticsPath = 'uns/cellfolio';
export const groupStatisticsPath = `${statisticsPath}/group_statistics`;
export const geneMeansPath = `${statisticsPath}/gene_means`;

/** Attribute of the group of a column's statistics: the name of the column, whatever the folder had to be called. */
export const columnAttribute = 'column';
