import type { Caution } from './caution.ts';

/** Lines of a quality control that were applied; a cell that is on a line stays. */
export interface QualityThresholds {
  readonly minimumCounts: number;
  readonly minimumGenes: number;
  /** Share of a cell's counts, from 0 to 1; absent where no mitochondrial genes are known, so that none was applied. */
  readonly maximumMitochondrial?: number;
}

/** Cells that a rule took away. A cell may break more than one; one without counts is counted as such alone. */
export interface RemovedCells {
  /** By whatever rule, each once. */
  readonly all: number;
  readonly noCounts: number;
  readonly counts: number;
  readonly genes: number;
  readonly mitochondrial: number;
  /** By more than one rule. */
  readonly several: number;
}

/** Who was taken away by which rule. */
export interface QualityRecord {
  /** Median absolute deviations (times 1.4826) for thresholds that nobody named. */
  readonly deviations: number;
  /** Column of obs whose samples had thresholds of their own; absent where all cells had the same. */
  readonly sampleColumn?: string;
  /** Genes that were found of each kind. */
  readonly mitochondrialGenes: number;
  readonly ribosomalGenes: number;
  readonly haemoglobinGenes: number;
  readonly removed: RemovedCells;
  readonly groups: readonly {
    /** Absent for all cells together, and for those without a sample. */
    readonly sample?: string;
    readonly cells: number;
    readonly removed: RemovedCells;
    readonly thresholds: QualityThresholds;
    /** Too few cells for thresholds of their own: those of all cells. */
    readonly pooled: boolean;
  }[];
  readonly cautions: readonly Caution[];
}

/** What was computed from the raw counts of a dataset, with which settings; stored with it. */
export interface ProcessingRecord {
  /** Name and version of the library that computed it. */
  readonly computedBy: string;
  /** What was missing and therefore computed. */
  readonly computed: readonly ('qualityControl' | 'clusters' | 'embedding')[];
  readonly cellsBefore: number;
  readonly cellsKept: number;
  /** Where the lines of the quality control were drawn; absent where no cell could be taken away, or samples differ. */
  readonly thresholds?: QualityThresholds;
  /** Which cells the quality control took away, and why; absent where it took none. */
  readonly quality?: QualityRecord;
  readonly variableGenes: number;
  readonly components: number;
  readonly neighbours: number;
  /** Of the Leiden clustering. */
  readonly resolution: number;
  readonly clusterCount: number;
  /** Of the UMAP. */
  readonly minimumDistance: number;
}
