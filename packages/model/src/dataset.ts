import type { IntegrationRun } from './integration-methods.ts';
import type { QualityThresholds } from './find-quality-thresholds.ts';

/** Column of the file for each role. A missing role is absent, never guessed later. */
export interface ColumnRoles {
  readonly cellType?: string;
  readonly cluster?: string;
  readonly patient?: string;
  /** Key in obsm of the two-dimensional embedding that figures are drawn on. */
  readonly embedding?: string;
  /** Column of var with the gene symbols; absent if the index of var holds them. */
  readonly symbol?: string;
  /** Metadata offered to the user: display name to obs column, all categorical. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Scale of a matrix's values; logarithms are of 1 + the value. */
export type ValueScale = 'counts' | 'log1p' | 'log2' | 'log10' | 'linear' | 'scaled' | 'unknown';

/** Scale of the values in the file and in the dataset, and the evidence for it. */
export interface ExpressionScale {
  readonly read: ValueScale;
  readonly stored: ValueScale;
  /**
   * `range`: the values leave no other choice; `record`: `uns/log1p` declares it; `answer`: the user who added the file
   * did.
   */
  readonly basis: 'range' | 'whole-multiples' | 'counts' | 'totals' | 'record' | 'answer';
  readonly why: string;
  /** Possible scales, if the values do not decide. Absent if the scale is certain. */
  readonly open?: readonly Exclude<ValueScale, 'scaled' | 'unknown'>[];
}

export interface ExpressionSource {
  /** Path in the file: `X`, `raw/X` or `raw.X`. */
  readonly path: string;
  readonly state: 'log-normalised' | 'normalised-here' | 'scaled' | 'unknown';
  /** True if raw counts are kept as `layers/counts`. */
  readonly hasCounts: boolean;
  /** Some of these counts are fractional, as after a correction for ambient RNA. Absent if all are integers. */
  readonly fractionalCounts?: boolean;
  /** Absent in datasets written before this was recorded. */
  readonly scale?: ExpressionScale;
}

export function expressionUnit({ state }: ExpressionSource): string {
  switch (state) {
    case 'log-normalised':
    case 'normalised-here':
      return 'log-normalised expression';
    case 'scaled':
      return 'scaled expression';
    case 'unknown':
      return 'expression as stored';
  }
}

/** `clr`: centred log ratios of counts, computed here; `stored`: the values of the file. */
export type ProteinScale = 'clr' | 'stored';

/** Attribute of the protein table in a store that holds the scale of its values. */
export const proteinScaleAttribute = 'cellfolio-scale';

/**
 * Keys of `uns` in files beside a protein table: the unit of its values (see `proteinUnit`), and its column names
 * before slashes were removed for HDF5. Both survive reading and writing by anndata.
 */
export const proteinUnsKeys = { unit: 'protein_expression_unit', names: 'protein_names' } as const;

export function proteinUnit(scale: ProteinScale): string {
  return scale === 'clr' ? 'centred log ratio (CLR)' : 'protein level as stored';
}

/** Scale of a unit; undefined for a unit that `proteinUnit` does not write, or none. */
export function proteinScaleOf(unit: string | undefined): ProteinScale | undefined {
  return (['clr', 'stored'] as const).find((scale) => proteinUnit(scale) === unit);
}

/** Features of the file that are not genes, such as peaks or guides; they are not imported. */
export interface OtherFeatures {
  /** Type as named in the file. */
  readonly type: string;
  readonly count: number;
  readonly examples: readonly string[];
}

/** Cells that a rule removed. A cell may break several; one without counts is counted only as such. */
export interface RemovedCells {
  /** Removed by any rule, each counted once. */
  readonly all: number;
  readonly noCounts: number;
  readonly counts: number;
  readonly genes: number;
  readonly mitochondrial: number;
  /** Removed by more than one rule. */
  readonly several: number;
}

export interface QualityRecord {
  /** Median absolute deviations (times 1.4826) for thresholds that were not set; absent if all were set. */
  readonly deviations?: number;
  /** obs column whose samples had separate thresholds; absent if all cells had the same. */
  readonly sampleColumn?: string;
  /** Number of genes found of each kind. */
  readonly mitochondrialGenes: number;
  readonly ribosomalGenes: number;
  readonly haemoglobinGenes: number;
  readonly removed: RemovedCells;
  readonly groups: readonly {
    /** Absent for all cells together, and for cells without a sample. */
    readonly sample?: string;
    readonly cells: number;
    readonly removed: RemovedCells;
    readonly thresholds: QualityThresholds;
    /** Too few cells for separate thresholds: uses those of all cells. */
    readonly pooled: boolean;
  }[];
  readonly cautions: readonly Caution[];
}

export interface DropletRecord {
  readonly barcodes: number;
  /** Barcodes with at most this many counts are treated as empty droplets, and their number. */
  readonly emptyUpTo: number;
  readonly empty: number;
  readonly detected: boolean;
  /** Which barcodes are kept: those called by a test, those with a minimum of counts, or all. */
  readonly keep: 'called' | 'minimum' | 'all';
  readonly cells: number;
  /** Counts at the bends of the curve of counts over ranks; absent if there is no curve. */
  readonly knee?: number;
  readonly inflection?: number;
  readonly minimumCounts?: number;
  /** False discovery rate of the called cells. */
  readonly falseDiscoveryRate?: number;
  readonly iterations?: number;
  /** Concentration of the Dirichlet-multinomial of empty droplets. */
  readonly concentration?: number;
}

/** Effective number of samples among the neighbours of a cell: 1 if all are from one. */
export interface NeighbourMixing {
  readonly neighbours: number;
  readonly effectiveSamples: number;
  /** The same, if the samples were mixed. */
  readonly expectedSamples: number;
}

export interface DoubletGroup {
  /** Absent for cells without a sample, and for all cells together. */
  readonly sample?: string;
  /** Cells that passed quality control. */
  readonly cells: number;
  /**
   * Score above which a cell is called a doublet; absent if none was chosen and the scores of simulated doublets have
   * no two modes.
   */
  readonly threshold?: number;
  readonly called: number;
  /** Share of the simulated doublets above the threshold: the share of real doublets of two types that can be found. */
  readonly detectable?: number;
  /** Scores of the cells and of simulated doublets: number in each bin of equal width from 0 to 1. */
  readonly histogram?: { readonly observed: readonly number[]; readonly simulated: readonly number[] };
  /** Recall of the search among cells and simulated doublets; absent if it was exact or gave no scores. */
  readonly neighbourRecall?: NeighbourRecall;
  readonly skipped?: 'few-cells' | 'few-variable-genes';
}

/** Cohesion of a group of cells: mean share of the nearest cells that are in the group as well. */
export interface KeptGroup {
  readonly name: string;
  readonly cells: number;
  readonly before: number;
  readonly after: number;
}

/** Record of combining several samples into one dataset; stored with it. */
export interface SamplesRecord {
  /** Genes kept from the files, and how they were matched; absent if no files were combined. */
  readonly genes?: {
    readonly kept: 'shared' | 'all';
    readonly matchedBy: 'ids' | 'names';
    readonly shared: number;
    readonly ofAny: number;
  };
  readonly files?: readonly {
    readonly sample: string;
    readonly file: string;
    readonly cells: number;
    readonly genes: number;
  }[];
  /** Scrublet within each sample; absent if doublets were not searched for. */
  readonly doublets?: {
    readonly action: 'removed' | 'marked';
    readonly called: number;
    /** Threshold chosen for all samples; absent if each has a detected one. */
    readonly threshold?: number;
    readonly groups: readonly DoubletGroup[];
  };
  /** obs column of the batches within which variable genes were chosen; absent if all are one. */
  readonly batchColumn?: string;
  /** Absent if batches were not integrated. */
  readonly integration?: IntegrationRun & {
    /** Mixing of samples before integration; `mixing` has the current one. */
    readonly mixingBefore?: NeighbourMixing;
    /** Column of given types to keep apart; absent if clusters of each batch were used. */
    readonly typeColumn?: string;
    /** Mean share, over all cells, of a cell's neighbours that have its type or cluster. */
    readonly keptBefore: number;
    readonly keptAfter: number;
    /** Types or clusters that merged with others, the worst first. */
    readonly merged: readonly KeptGroup[];
  };
  /** Additional Leiden clusterings, stored as columns `leiden_RESOLUTION`. */
  readonly clusterings: readonly { readonly resolution: number; readonly clusterCount: number }[];
}

/** Share of the exact neighbours that an approximate search found, in a sample of the cells. */
export interface NeighbourRecall {
  /** Cells in the sample. */
  readonly cells: number;
  readonly share: number;
}

/** Everything computed from the raw counts of a dataset, with its settings; stored with it. */
export interface ProcessingRecord {
  readonly computedBy: string;
  /** Methods and seeds common to all datasets, in words; absent in records of earlier versions. */
  readonly methods?: { readonly variableGenes: string; readonly clusters: string; readonly seeds: string };
  /** Parts that were missing and therefore computed. */
  readonly computed: readonly ('qualityControl' | 'clusters' | 'embedding')[];
  readonly cellsBefore: number;
  readonly cellsKept: number;
  /** Which barcodes were called cells before quality control; absent if cells were not called. */
  readonly droplets?: DropletRecord;
  /** Mixing of samples among the neighbours of cells; absent if there are fewer than two. */
  readonly mixing?: NeighbourMixing & {
    readonly column: string;
  };
  /** Record of combining samples; absent for a dataset from one file. */
  readonly samples?: SamplesRecord;
  /** Quality-control thresholds; absent if no cell could be removed, or samples differ. */
  readonly thresholds?: QualityThresholds;
  /** Cells removed by quality control and the reasons; absent if it removed none. */
  readonly quality?: QualityRecord;
  readonly variableGenes: number;
  readonly components: number;
  /** Share of the variance of the variable genes in each component; absent in older records. */
  readonly varianceShares?: readonly number[];
  readonly neighbours: number;
  /** Absent if the neighbour search was exact. */
  readonly neighbourRecall?: NeighbourRecall;
  readonly resolution: number;
  readonly clusterCount: number;
  readonly minimumDistance: number;
}

/** A statistical warning about a dataset or result, as data and in words for the user. */
export interface Caution {
  /** Stable tag such as `scaled-values` or `small-groups`. */
  readonly code: string;
  readonly message: string;
  /** The numbers behind the message, under names that do not depend on the data: names from a file are values here. */
  readonly numbers?: Readonly<Record<string, CautionNumber | readonly CautionNumber[]>>;
}

type CautionNumber = number | string;
