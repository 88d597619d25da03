/** One gene by cell type in several datasets. */
export interface GeneByDatasetInput {
  readonly gene: string;
  /** Columns from left to right. */
  readonly cellTypes: readonly string[];
  /** Rows from top to bottom. */
  readonly datasets: readonly {
    readonly name: string;
    /** By cell type; undefined where the dataset has no such cells. */
    readonly types: readonly (TypeInDataset | undefined)[];
  }[];
}

export interface TypeInDataset {
  readonly cells: number;
  /** Cells in which the gene is above zero. */
  readonly expressing: number;
  /** Over all cells of the type, zeros included; null where a value is missing. */
  readonly mean: number | null;
}
