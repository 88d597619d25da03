import type { IntegrationRun } from './integration-methods.ts';
import type { QualityThresholds } from './find-quality-thresholds.ts';

/** Which column of the file plays which part. A missing part is absent, never guessed later. */
export interface ColumnRoles {
  readonly cellType?: string;
  readonly cluster?: string;
  readonly patient?: string;
  /** Key in obsm of the two-dimensional embedding that figures are drawn on. */
  readonly embedding?: string;
  /** Column of var with the gene symbols; absent where the index of var holds them. */
  readonly symbol?: string;
  /** Metadata offered to the user: shown name to obs column, all categorical. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** What the values of a matrix can be said to be: logarithms are those of 1 + the value. */
export type ValueScale = 'counts' | 'log1p' | 'log2' | 'log10' | 'linear' | 'scaled' | 'unknown';

/** On which scale the values were in the file and are in the dataset, and how that is known. */
export interface ExpressionScale {
  readonly read: ValueScale;
  readonly stored: ValueScale;
  /** `range`: the values leave no other choice; `record`: `uns/log1p` says so; `answer`: the user who added the file did. */
  readonly basis: 'range' | 'whole-multiples' | 'counts' | 'totals' | 'record' | 'answer';
  /** The evidence in one sentence, with its figures. */
  readonly why: string;
  /** What the values can be, where they do not show which. Absent where it is known. */
  readonly open?: readonly Exclude<ValueScale, 'scaled' | 'unknown'>[];
}

/** Where the expression values come from and what was done to them. */
export interface ExpressionSource {
  /** Path in the file: `X`, `raw/X` or `raw.X`. */
  readonly path: string;
  readonly state: 'log-normalised' | 'normalised-here' | 'scaled' | 'unknown';
  /** True where raw counts were kept as `layers/counts`. */
  readonly hasCounts: boolean;
  /** Some of these counts are not whole, as after a correction for ambient RNA. Absent where all are whole. */
  readonly fractionalCounts?: boolean;
  /** Absent of datasets that were written before this was recorded. */
  readonly scale?: ExpressionScale;
}

/** What the values of a gene are, for an axis or a heading. */
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

/** What the values of proteins are: centred log ratios of counts, made here, or what the file had. */
export type ProteinScale = 'clr' | 'stored';

/** Attribute of the table of proteins in a store, with the scale of its values. */
export const proteinScaleAttribute = 'cellfolio-scale';

/**
 * Keys of `uns` in files, beside a table of proteins: what its values are, as `proteinUnit` has it, and the names of its
 * columns, as they were before HDF5 took slashes out of them. Both outlive being read and written by anndata.
 */
export const proteinUnsKeys = { unit: 'protein_expression_unit', names: 'protein_names' } as const;

/** What the values of a protein are, for an axis or a heading. */
export function proteinUnit(scale: ProteinScale): string {
  return scale === 'clr' ? 'centred log ratio (CLR)' : 'protein level as stored';
}

/** The scale that a unit stands for; undefined where it is none of ours, or none was given. */
export function proteinScaleOf(unit: string | undefined): ProteinScale | undefined {
  return (['clr', 'stored'] as const).find((scale) => proteinUnit(scale) === unit);
}

/** Features of the file that are no genes, such as peaks or guides, and stayed in the file. */
export interface OtherFeatures {
  /** As the file calls them. */
  readonly type: string;
  readonly count: number;
  /** The first names. */
  readonly examples: readonly string[];
}

/** Cells that a rule removed. A cell may break more than one; one without counts is counted as such alone. */
export interface RemovedCells {
  /** By any rule, each counted once. */
  readonly all: number;
  readonly noCounts: number;
  readonly counts: number;
  readonly genes: number;
  readonly mitochondrial: number;
  /** By more than one rule. */
  readonly several: number;
}

/** Which cells each rule removed. */
export interface QualityRecord {
  /** Median absolute deviations (times 1.4826) for thresholds that were not set; absent where all were set. */
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

/** Which barcodes of a raw matrix were called cells. */
export interface DropletRecord {
  readonly barcodes: number;
  /** Barcodes with at most so many counts are treated as empty droplets, and how many those are. */
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

/** How many samples the neighbours of a cell stand for: 1 where they are all of one. */
export interface NeighbourMixing {
  readonly neighbours: number;
  readonly effectiveSamples: number;
  /** The same, were the samples mixed. */
  readonly expectedSamples: number;
}

/** How the doublets of one sample were found. */
export interface DoubletGroup {
  /** Name of the sample; absent for cells without one, and for all cells together. */
  readonly sample?: string;
  /** Cells that passed the quality control. */
  readonly cells: number;
  /** Score above which a cell is called a doublet; absent where none was chosen, and the scores of simulated doublets have no two modes. */
  readonly threshold?: number;
  readonly called: number;
  /** Share of the simulated doublets above the threshold: of real ones of two types, so many can be found. */
  readonly detectable?: number;
  /** Scores of the cells and of simulated doublets: how many are in each bin of equal width from 0 to 1. */
  readonly histogram?: { readonly observed: readonly number[]; readonly simulated: readonly number[] };
  /** Of the search among cells and simulated doublets; absent where it was exact, or no scores were found. */
  readonly neighbourRecall?: NeighbourRecall;
  /** Why no scores were found. */
  readonly skipped?: 'few-cells' | 'few-variable-genes';
}

/** How well a group of cells keeps together: mean share of the nearest cells that are of the group as well. */
export interface KeptGroup {
  readonly name: string;
  readonly cells: number;
  readonly before: number;
  readonly after: number;
}

/** How several samples became one dataset; stored with it. */
export interface SamplesRecord {
  /** Which genes of the files were kept, and how they were matched; absent where no files were combined. */
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
  /** Scrublet within each sample; absent where doublets were not looked for. */
  readonly doublets?: {
    readonly action: 'removed' | 'marked';
    readonly called: number;
    /** That was chosen for all samples; absent where each has one that was found. */
    readonly threshold?: number;
    readonly groups: readonly DoubletGroup[];
  };
  /** Column of obs whose values are the batches that variable genes were chosen within; absent where all are one. */
  readonly batchColumn?: string;
  /** Absent where batches were not integrated. */
  readonly integration?: IntegrationRun & {
    /** How samples lay among the neighbours of cells before; `mixing` says how they do now. */
    readonly mixingBefore?: NeighbourMixing;
    /** Column of known types that were to be kept apart; absent where clusters of each batch were. */
    readonly typeColumn?: string;
    /** Mean share of the neighbours of a cell that are of its type or cluster, over all cells. */
    readonly keptBefore: number;
    readonly keptAfter: number;
    /** Types or clusters that were merged with others, the worst first. */
    readonly merged: readonly KeptGroup[];
  };
  /** Further Leiden clusterings, as columns `leiden_RESOLUTION`. */
  readonly clusterings: readonly { readonly resolution: number; readonly clusterCount: number }[];
}

/** How many neighbours an approximate search found of those that an exact one finds, in a sample of the cells. */
export interface NeighbourRecall {
  /** Of the sample. */
  readonly cells: number;
  readonly share: number;
}

/** What was computed from the raw counts of a dataset, with which settings; stored with it. */
export interface ProcessingRecord {
  /** Name and version of the library that computed it. */
  readonly computedBy: string;
  /** Ways and seeds that the software has for all datasets, in words; absent in records of earlier versions. */
  readonly methods?: { readonly variableGenes: string; readonly clusters: string; readonly seeds: string };
  /** What was missing and therefore computed. */
  readonly computed: readonly ('qualityControl' | 'clusters' | 'embedding')[];
  readonly cellsBefore: number;
  readonly cellsKept: number;
  /** Which barcodes were called cells before quality control; absent if cells were not called. */
  readonly droplets?: DropletRecord;
  /** How samples lie among the neighbours of cells; absent where there are fewer than two. */
  readonly mixing?: NeighbourMixing & {
    /** Column of obs with the samples. */
    readonly column: string;
  };
  /** How samples were combined; absent where the dataset is of one file. */
  readonly samples?: SamplesRecord;
  /** Thresholds of the quality control; absent where no cell could be removed, or samples differ. */
  readonly thresholds?: QualityThresholds;
  /** Which cells the quality control removed, and why; absent where it removed none. */
  readonly quality?: QualityRecord;
  readonly variableGenes: number;
  readonly components: number;
  /** Share of the variance of the variable genes in each component; absent in older records. */
  readonly varianceShares?: readonly number[];
  readonly neighbours: number;
  /** Absent where neighbours were searched for exactly. */
  readonly neighbourRecall?: NeighbourRecall;
  /** Of the Leiden clustering. */
  readonly resolution: number;
  readonly clusterCount: number;
  /** Of the UMAP. */
  readonly minimumDistance: number;
}

/** What a careful statistician would say of a dataset or a result, as data and in words for its user. */
export interface Caution {
  /** Stable tag such as `scaled-values` or `small-groups`. */
  readonly code: string;
  readonly message: string;
  /** The figures behind the words, under names that do not depend on the data: names from a file are values here. */
  readonly numbers?: Readonly<Record<string, CautionNumber | readonly CautionNumber[]>>;
}

type CautionNumber = number | string;
