/** What a researcher may choose. Lengths in cells or genes, fractions from 0 to 1. */
export interface ProcessSettings {
  readonly quality: QualitySettings;
  /** Genes that the principal components are made of, the most variable ones; fewer where fewer vary. */
  readonly variableGenes: number;
  /** Principal components; fewer where there are fewer genes or cells. */
  readonly components: number;
  /** Neighbours of each cell, for clusters and UMAP alike. */
  readonly neighbours: number;
  /** Of the Leiden clustering (modularity): a larger one gives more clusters. */
  readonly resolution: number;
  /** Of the UMAP: how close points may lie. */
  readonly minimumDistance: number;
}

/**
 * Which cells stay. A threshold that is not given is found from the data: so many median absolute deviations
 * from the median, of the logarithm for counts and detected genes, outwards only.
 */
export interface QualitySettings {
  readonly deviations: number;
  readonly minimumCounts?: number;
  readonly minimumGenes?: number;
  /** Greatest share of a cell's counts from mitochondrial genes. */
  readonly maximumMitochondrial?: number;
}
