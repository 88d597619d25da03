/** Names of the open dataset that a plan can use, in its spelling. */
export interface DatasetFacts {
  /** Columns of text with their groups: cell types, clusters, metadata; without groups where they are too many. */
  readonly groups: readonly { readonly column: string; readonly names: readonly string[] }[];
  /** The columns of `groups` that hold the cell types and the clusters. */
  readonly cellTypes?: string | undefined;
  readonly clusters?: string | undefined;
  /** Columns of numbers. */
  readonly numbers: readonly string[];
  /** Names of genes in the dataset by words of the question; a word without a gene is absent. */
  readonly genes: ReadonlyMap<string, string>;
  /** Genes of the dataset with similar names, by words without a gene. */
  readonly similarGenes?: ReadonlyMap<string, readonly string[]>;
}
