import type {
  BlockStatistics,
  CellGraph as WeightedGraph,
  CellGroups,
  CompiledLibrary,
  Design,
  ListedMarker,
  Neighbours,
  SampleChecks,
  SampleSums,
  SideDesign,
  SpeciesGuess,
} from '@cellfolio/analysis';
import type {
  ComparisonParameters,
  EndsParameters,
  Grouping,
  MarkerParameters,
  PathwayParameters,
  ValueChoice,
} from '@cellfolio/analysis/parameters';
import type {
  CategoricalColumn,
  Caution,
  CellMask,
  Column,
  ColumnRoles,
  CountBlock,
  Embedding,
  ExpressionSource,
  GeneBlock,
  PackedStrings,
  ResultCaution,
} from '@cellfolio/model';
import type { z } from 'zod';
import type { ComparedGenes, ComparedResult } from './compared-genes.ts';
import type { CountsPerCell } from './depth-cautions.ts';
import type { EndsRecord } from './deciles/declare.ts';
import type { DatasetList, ListEntries } from './reference-lists.ts';
import type { geneSetLibrary } from './gene-sets.ts';
import type { OrthologueUse } from './pathway/declare.ts';
import type { designRecord, sampleDesign, SampleChoice, samples, sides, unassigned } from './fields.ts';

/** Services of the server for one call; the cells and the user of the call are behind them. */
export interface Context<Own extends Steps = Steps> {
  readonly dataset: DatasetSummary;
  /** Title of a column of obs, or of one of the user's own. */
  titleOf(column: string): string;
  /** Title of a column that groups cells: of its role, such as `Cluster`, where it has one. */
  groupTitleOf(column: string): string;
  /** The same within a title, such as `Markers by cluster`. */
  groupWordsOf(column: string): string;
  /** Progress for the user. */
  report(stage: string, done?: number, total?: number): void;
  /** Runs a step of the analysis in a compute thread. `isLong` as in `Task`. */
  compute<Name extends keyof Own & string>(
    step: Name,
    input: Parameters<Own[Name]>[0],
    how?: { readonly isLong: true },
  ): Promise<Awaited<ReturnType<Own[Name]>>>;
  /** Runs a step for each input, over all threads. */
  computeAll<Name extends keyof Own & string>(
    step: Name,
    inputs: readonly Parameters<Own[Name]>[0][],
    stage: string,
    how?: { readonly isLong: true },
  ): Promise<Awaited<ReturnType<Own[Name]>>[]>;
  /** The name in obs of a categorical column; `field` is its position in the request. Refuses with 400. */
  groupColumn(name: string, field: string): Promise<string>;
  /** A list that the request names, by its kind; `own` is CSV in its place. Refuses with 400, 409 or 422. */
  list<Of extends keyof ListEntries>(
    of: Of,
    chosen: { readonly name: string; readonly own: string | undefined },
  ): Promise<DatasetList<ListEntries[Of]>>;
  /** The active cells, in shared memory; undefined for all. */
  mask(): Promise<CellMask | undefined>;
  /** Sums of all genes in the groups of a column, of cells with a group. Refuses with 422. */
  groupSums(column: string): Promise<GroupSums>;
  /** The groups that a request compares, with sums of all genes. Refuses with 400 or 422. */
  comparedGroups(request: GroupsRequest): Promise<ComparedGroups>;
  /** Undefined where neither raw counts nor a column say how many counts cells have. */
  countsPerCell(strata: readonly Stratum[]): Promise<CountsPerCell | undefined>;
  /** The sum of the raw counts of each cell, in shared memory; undefined where the dataset has none. */
  rawTotals(): Promise<Float64Array | undefined>;
  /** Cautions about active cells that were chosen by their expression. */
  filterCautions(): readonly ResultCaution[];
  /** Mean of each gene over the active cells. */
  geneMeans(): Promise<Float64Array>;
  /** Two sets of cells by sample, before anything is tested. Refuses with 400, 409 or 422. */
  comparedSamples(request: SampleRequest, options: SampleOptions): Promise<ComparedSamples>;
  /** The column of obs whose values are samples: a chosen one, else that of the dataset, if known. Refuses with 400. */
  sampleColumn(chosen?: string): Promise<SampleChoice | undefined>;
  /** The active cells with the highest and the lowest values of something. Refuses with 400 or 422. */
  rankedEnds(request: EndsRequest): Promise<{ readonly title: string; readonly record: EndsRecord }>;
  /** The expression of two sets of cells, gene by gene. Refuses with 400, 409 or 422. */
  compareGenes(parameters: ComparisonParameters): Promise<ComparedOutcome>;
  /** The active cells; undefined for all. */
  activeCells(): Promise<CellMask | undefined>;
  /** A number of each cell; `field` is as in `groupColumn`. Refuses with 400 or 422. */
  cellValues(choice: ValueChoice, field: string): Promise<CellValues>;
  /** Nearest cells of the active ones. Refuses with 422. */
  cellGraph(request: GraphRequest): Promise<CellGraph>;
  /** Genes by any of their names; `field` is as in `groupColumn`, `use` a noun for them. Refuses with 400. */
  namedGenes(genes: readonly string[], field: string, use: string): Promise<NamedRows>;
  /**
   * A part of the result that depends on the cells and `of` alone: once for all requests and analyses that share it,
   * and cached.
   */
  shared<Part extends object>(
    name: string,
    of: object,
    work: (context: Context<Own>) => Promise<Part>,
  ): Promise<Part>;
  /** Ranges of genes, each of about 50 ms of work. */
  geneBlocks(ofCounts: boolean): Promise<GeneRange[]>;
  /** Sum of the values of each cell. */
  cellTotals(of: SummedCells): Promise<Float64Array>;
  /** Score of each cell for some genes, by row; undefined where too few other genes are left to compare with. */
  score(rows: readonly number[]): Promise<Float64Array | undefined>;
  /** All genes of a comparison; `part` is a category of `within`, by default that with most differing genes. */
  comparisonTable(comparison: ComparisonParameters, part: string | undefined): Promise<ComparisonTable>;
  /** A library of gene sets against the genes that a list could be of. Refuses with 400, 409 or 422. */
  library(request: LibraryRequest): Promise<DatasetLibrary>;
  /** Cautions about genes that were found by another name; `of` is where they are from, such as `the list`. */
  otherNameCautions(names: readonly OtherName[], of: string): readonly ResultCaution[];
  /**
   * Answers 422, or 400 where the code is `invalid_request` or the dataset has no such name. `details` may be the one field
   * at fault.
   */
  refuse(code: string, message: string, details?: object, status?: 400): never;
  /** Answers 422: the dataset has none of the genes of `what`. */
  refuseGenes(what: string, missing: readonly string[]): never;
}

export interface GroupSums {
  readonly groups: CellGroups;
  readonly blocks: readonly BlockStatistics[];
  /** Active cells without a group. */
  readonly unlabelledCells: number;
}

/** How cells are grouped, and which of them are tested at which depth. */
export type GroupsRequest = Pick<
  MarkerParameters,
  | 'groupby'
  | 'bins'
  | 'split'
  | 'reference'
  | 'selection'
  | 'method'
  | 'depth'
  | 'min_cells'
  | 'unlabelled'
  | 'unassigned'
>;

/** Groups that are compared with each other; the codes of the cells are in shared memory. */
export interface Stratum {
  /** The category of the column that splits the groups. */
  readonly part: string | undefined;
  readonly groups: CellGroups;
  /** Group that each other one is compared with; all other cells if absent. */
  readonly reference?: number | undefined;
}

export interface SummedStratum extends Stratum {
  readonly blocks: readonly BlockStatistics[];
}

export interface ComparedGroups {
  /** As the dataset has it, or the name of a grouping by selection. */
  readonly by: Grouping;
  readonly split?: Grouping | undefined;
  /** One for each category of `split`; one without. */
  readonly strata: readonly SummedStratum[];
  /** Places of the groups of all strata in the order of the categories of `by`. */
  readonly order: readonly number[];
  /** How cells were brought to one depth, where they were. */
  readonly thinned?: CountsPerCell | undefined;
  /** Active cells without a group, and those that lack a value to split by. */
  readonly unlabelledCells: number;
  readonly withoutPart: number;
  /** Groups such as `Unknown`. */
  readonly unassigned: readonly NamedCells[];
}

export interface NamedCells {
  readonly name: string;
  readonly cells: number;
}

/** Work of compute threads by name. Inputs are posted: large arrays are in shared memory. */
export type Steps = Readonly<Record<string, (input: never, dataset: ThreadDataset) => unknown>>;

/** The dataset in a compute thread. */
export interface ThreadDataset {
  readonly symbols: readonly string[];
  /** Row of a gene by symbol, id or another name of it. */
  find(gene: string): number | undefined;
  /** The names that are found by another name of the gene. */
  otherNames(genes: readonly string[]): readonly OtherName[];
  obs(column: string): Promise<Column>;
  categories(column: string): Promise<CategoricalColumn>;
  embedding(name: string): Promise<Embedding>;
  /** One per cell; NaN when missing. */
  values(source: ValueSource): Promise<Float64Array>;
  /** The values of a column of numbers; NaN when missing. */
  numbers(column: string): Promise<Float64Array>;
  /** The barcode of a cell by its row in obs. */
  barcodes(): Promise<(cell: number) => string>;
  useExpression<T>(genes: GeneRange, use: (block: GeneBlock) => T): Promise<T>;
  /** Passes the expression of single genes with rising rows piece by piece, valid only during the call. */
  useGenes(
    rows: Int32Array,
    use: (place: number, cells: Int32Array, values: Float32Array) => void,
  ): Promise<void>;
  /** Batches that keep sets of cells apart from all others, or from one of them, by columns of obs. */
  batchesApart(of: BatchSlots): Promise<readonly BatchesApart[]>;
  /**
   * Tests listed genes with samples as replicates; reads these genes only. Undefined if the column has no samples, or more
   * than can be samples.
   * @param listedOf called once the number of samples is known; its parts are taken one after the other, so that the
   * codes of cells of one part only are in memory
   */
  checkWithSamples(
    samples: CheckedSamples,
    listedOf: (sampleCount: number) => Iterable<ListedGroups>,
  ): Promise<{ readonly checks: SampleChecks; readonly names: readonly string[] } | undefined>;
  /** Raw counts of some genes, or their expression. */
  useBlock<T>(genes: GeneRange & { readonly ofCounts: boolean }, use: (block: CountBlock) => T): Promise<T>;
}

export interface BatchSlots {
  /** Columns of obs. */
  readonly columns: readonly string[];
  /** The slot of each cell, as the codes of `CellGroups`: values from `slotCount` on are not counted. */
  readonly slots: Uint16Array;
  readonly slotCount: number;
  /** Slot that each other one is compared with; all others if absent. */
  readonly reference?: number | undefined;
}

/** The batches of a column in which some compared cells share none with the cells they are compared with. */
export interface BatchesApart {
  readonly column: string;
  /** Number of batches with cells, per slot. */
  readonly counts: readonly number[];
  /** Slots whose batches contain no cells that the slot is compared with. */
  readonly apart: readonly number[];
}

export interface CheckedSamples {
  /** Column of obs. */
  readonly samples: string;
  /** Raw counts of each cell; undefined if the dataset has none. */
  readonly totals: Float64Array | undefined;
}

/** Groups of cells that were compared with each other, and their listed genes. */
export interface ListedGroups {
  readonly groups: CellGroups;
  /** Group that each other one was compared with; all other cells if absent. */
  readonly reference?: number | undefined;
  readonly markers: readonly ListedMarker[];
  /** Per marker: whether the gene is higher in the group. */
  readonly rising: readonly boolean[];
  /** Sums of the same markers by another column, which are made while the genes are read. */
  readonly others?: SampleSums | undefined;
}

/** Rows [from, to) of var. */
export interface GeneRange {
  readonly from: number;
  readonly to: number;
}

/** A dataset as its manifest and its genes describe it. */
export interface DatasetSummary {
  readonly roles: ColumnRoles;
  readonly expression: Pick<ExpressionSource, 'state' | 'hasCounts'>;
  /** Name of the dataset. */
  readonly name: string;
  readonly warnings: readonly Caution[];
  readonly cellCount: number;
  readonly symbols: readonly string[];
  readonly embeddings: readonly Pick<Embedding, 'name' | 'dimensions'>[];
  /** Column of obs with the total counts of the cells. */
  readonly countsColumn: string | undefined;
  readonly obsColumns: readonly string[];
  /** Columns of obs whose names say that they hold batches. */
  readonly batchColumns: readonly string[];
}

export type ValueSource =
  | { readonly from: 'gene'; readonly row: number }
  | { readonly from: 'column'; readonly column: string }
  /** In shared memory; NaN or infinite where there is none. */
  | { readonly from: 'values'; readonly values: Float64Array };

export interface CellValues {
  /** With the names of genes and columns as the dataset has them. */
  readonly choice: ValueChoice;
  readonly source: ValueSource;
  /** For the middle of a sentence, such as `the expression of CD8A`, and the meaning of the numbers. */
  readonly name: string;
  readonly unit: string;
  /** Rows in var of the genes that the values are made of. */
  readonly rows: readonly number[];
  /** The number of control genes of a score. */
  readonly controlGenes?: number | undefined;
  /** How the genes were found. */
  readonly cautions: readonly ResultCaution[];
}

/** Tests of all genes of the dataset by a comparison, in their order. */
export interface ComparisonTable {
  /** Names of the sides. */
  readonly a: string;
  readonly b: string;
  /** Category of `within`; empty without one. */
  readonly part: string;
  /** The test in words. */
  readonly test: string;
  readonly scores: ArrayLike<number>;
  readonly logfoldchanges: ArrayLike<number>;
  readonly pvals: ArrayLike<number>;
  readonly cautions: readonly ResultCaution[];
}

/** A name and the gene of the dataset that it was taken for. */
export type OtherName = Readonly<Record<'given' | 'gene', string>>;

export type LibraryRequest = Pick<PathwayParameters, 'library_name' | 'species' | 'background'>;

/** A library of gene sets against a background, and how their genes were matched. */
export interface DatasetLibrary {
  /** Identifies library and background. */
  readonly key: string;
  readonly origin: z.output<typeof geneSetLibrary>;
  /** Its sets by numbers of the background's genes, in shared memory. */
  readonly compiled: CompiledLibrary;
  readonly background: PackedBackground;
  /** Genes of the background that the dataset lacks. */
  readonly notInDataset: number;
  readonly species: SpeciesGuess;
  /** The species of the dataset; `request` where the caller states it and so answers for comparing genes by name. */
  readonly datasetSpecies: Omit<SpeciesGuess, 'by'> & { readonly by: SpeciesGuess['by'] | 'request' };
  /** How genes were mapped to those of the library; undefined where they were compared by name. */
  readonly orthologues: OrthologueUse | undefined;
  /** Choice of the background, and the cells and genes that it is from. */
  readonly chosen: {
    readonly kind: LibraryRequest['background']['kind'];
    readonly activeCells: number;
    readonly datasetGenes: number;
    /** Active cells that have to express a gene; undefined for other backgrounds. */
    readonly requiredCells: number | undefined;
    /** Genes that all cells of the dataset express by the defaults; undefined unless the background is all genes. */
    readonly expressedGenes: number | undefined;
  };
  readonly cautions: readonly ResultCaution[];
}

/** Genes of a background in shared memory. */
export interface PackedBackground {
  readonly symbols: PackedStrings;
  /** The library's name of each gene, when its species differs. */
  readonly keys: PackedStrings | undefined;
  /** Number of symbols, at the end, that only the library has. */
  readonly libraryOnly: number;
}

export interface EndsRequest extends EndsParameters {
  readonly samples?: string | undefined;
  readonly min_sample_cells: number;
  /** Whether both ends of a sample are compared as a pair, which takes two samples. */
  readonly arePairs?: boolean;
}

/** A comparison of genes as the outcome of an analysis. */
export interface ComparedOutcome {
  /** With the names of columns as the dataset has them. */
  readonly parameters: ComparisonParameters;
  readonly result: ComparedResult;
  readonly table: StreamedTable;
  readonly cautions: readonly ResultCaution[];
  readonly drawing: ComparedGenes;
}

/** A table that is made while the answer is sent: it may have a row for each gene in each group. */
export interface StreamedTable {
  /** Lines of the head of its file, after those that say what the result is of. */
  readonly head: readonly string[];
  readonly columns: readonly string[];
  /** Its lines, part by part in this order: UTF-8, escaped for the inside of a JSON string. */
  parts(): readonly ((caller: TableCaller) => Promise<Uint8Array>)[];
}

interface TableCaller {
  readonly signal: AbortSignal;
  /** Ids of those who wait for it. */
  users(): readonly string[];
}

export interface GraphRequest {
  readonly graph: 'file' | 'computed' | undefined;
  /** Number of nearest cells of each. */
  readonly k: number;
  /** Whether texts count each cell among its nearest, as scanpy does. */
  readonly itself?: boolean;
  readonly minCells: number;
  /** The analysis at the beginning of a sentence, and what to do with too many cells. */
  readonly analysis: string;
  readonly advice: string;
}

export interface CellGraph {
  /** Row in obs of each cell. */
  readonly cells: Int32Array;
  readonly neighbours: Neighbours;
  /** The weights of the file; undefined for a graph that is computed here. */
  readonly weighted?: WeightedGraph | undefined;
  /** Concatenated coordinates of some of the cells; empty where the graph has none. */
  readonly sample: Float32Array;
  readonly dimensions: number;
  /** Active cells without principal components. */
  readonly without: number;
  /** The origin of the graph, in words. */
  readonly text: string;
}

export interface NamedRows {
  /** In var. */
  readonly rows: readonly number[];
  /** Genes that the dataset has under other names. */
  readonly cautions: readonly ResultCaution[];
}

export interface SummedCells {
  readonly ofCounts: boolean;
  /** Place of each cell of the dataset among the `count` totals, or -1. */
  readonly placeOf: Int32Array;
  readonly count: number;
}

type SampleFields = ReturnType<typeof sides> &
  typeof sampleDesign & {
    readonly unassigned: ReturnType<typeof unassigned>;
    readonly samples: typeof samples;
  };
/** The fields of a request that say which samples are compared, and how. */
export type SampleRequest = z.output<z.ZodObject<SampleFields>>;

interface SampleOptions {
  /** The column of obs whose values are compared: cells without one do not count. */
  readonly by: string;
  /** Minimum cells on a side. */
  readonly minCells: number;
  /** Description of cells with a value such as `Unknown` that are not left out. */
  readonly otherwise: string;
}

export interface SampleSum {
  readonly name: string;
  readonly side: 'a' | 'b';
  readonly cells: number;
}

export interface ComparedSamples {
  /** With the names of columns as the dataset has them. */
  readonly request: SampleRequest;
  readonly samples: SampleChoice;
  /** In the order of the design. */
  readonly sums: readonly SampleSum[];
  /** Samples on both sides. */
  readonly both: number;
  readonly design: Design;
  /** Contrast of the design: A minus B. */
  readonly contrast: SideDesign['contrast'];
  readonly record: Omit<z.output<typeof designRecord>, 'residual_df' | 'prior_df'>;
  /** The sum of each cell, in shared memory; `places` are those of `sums`. */
  readonly cells: {
    readonly sumOf: Int32Array;
    readonly sumCount: number;
    readonly places: readonly number[];
  };
  /** Cells of A or B without a value in the compared column. */
  readonly unlabelled: number;
  readonly cautions: readonly ResultCaution[];
}
