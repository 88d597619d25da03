import type { Caution } from './caution.ts';
import type { NeighbourMixing } from './sample-mixing.ts';

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
  /** Median absolute deviations (times 1.4826) for thresholds that nobody named; absent where all were named. */
  readonly deviations?: number;
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

/** Which barcodes of a raw matrix were taken for cells. */
export interface DropletRecord {
  readonly barcodes: number;
  /** Barcodes with at most so many counts are taken for empty droplets, and how many those are. */
  readonly emptyUpTo: number;
  readonly empty: number;
  /** Whether most barcodes are empty droplets, as in a raw matrix. */
  readonly detected: boolean;
  /** Those that a test called, those with a minimum of counts, or all. */
  readonly keep: 'called' | 'minimum' | 'all';
  /** Barcodes that were kept. */
  readonly cells: number;
  /** Counts at the bends of the curve of counts over ranks; absent where there is no curve. */
  readonly knee?: number;
  readonly inflection?: number;
  readonly minimumCounts?: number;
  /** Of called cells. */
  readonly falseDiscoveryRate?: number;
  readonly iterations?: number;
  /** Of the Dirichlet-multinomial of empty droplets. */
  readonly concentration?: number;
}

/** What was computed from the raw counts of a dataset, with which settings; stored with it. */
export interface ProcessingRecord {
  /** Name and version of the library that computed it. */
  readonly computedBy: string;
  /** What was missing and therefore computed. */
  readonly computed: readonly ('qualityControl' | 'clusters' | 'embedding')[];
  readonly cellsBefore: number;
  readonly cellsKept: number;
  /** Which barcodes were taken for cells before quality control; absent where nobody looked. */
  readonly droplets?: DropletRecord;
  /** How samples lie among the neighbours of cells; absent where there are fewer than two. */
  readonly mixing?: NeighbourMixing & {
    /** Column of obs with the samples. */
    readonly column: string;
  };
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
