/** What was computed from the raw counts of a dataset, with which settings; stored with it. */
export interface ProcessingRecord {
  /** Name and version of the library that computed it. */
  readonly computedBy: string;
  /** What was missing and therefore computed. */
  readonly computed: readonly ('qualityControl' | 'clusters' | 'embedding')[];
  readonly cellsBefore: number;
  readonly cellsKept: number;
  /** Where the lines of the quality control were drawn; absent where no cell could be taken away. */
  readonly thresholds?: {
    readonly minimumCounts: number;
    readonly minimumGenes: number;
    /** Share of a cell's counts, from 0 to 1. */
    readonly maximumMitochondrial: number;
  };
  readonly variableGenes: number;
  readonly components: number;
  readonly neighbours: number;
  /** Of the Leiden clustering. */
  readonly resolution: number;
  readonly clusterCount: number;
  /** Of the UMAP. */
  readonly minimumDistance: number;
}
