import type {
  BlockMeans,
  BlockStatistics,
  CellGroups,
  CompiledLibrary,
  EnrichmentResult,
  GroupSeparation,
  MarkerFilter,
  MarkerMethod,
  MarkerTest,
  PercentileRange,
  Species,
  SpeciesGuess,
  PercentilesAmong,
  SampleChecks,
  SummedGenes,
  ValueHistogram,
} from '@cellfolio/analysis';
import type { FigureContent, FigureFormat, FigureView } from '@cellfolio/contract';
import type { InputValues, PlotInput } from '@cellfolio/plots';
import type { Caution, CellMask, PackedStrings } from '@cellfolio/model';
import type { CacheUse, ObjectStoreLocation } from '@cellfolio/store';
import type { TaskReads } from '../observability/observed.ts';
import type { OrthologueTable } from '../../features/gene-sets/orthologue-tables.ts';

/** Work for a compute thread, as plain data that crosses the thread boundary. */
export type Task =
  | DrawTask
  | MaskTask
  | MeansTask
  | SumTask
  | ScoreTask
  | GroupTask
  | BlockTask
  | RankTask
  | CheckTask
  | CompileTask
  | EnrichTask
  | CellLinesTask
  | TidyTask;

/** A dataset at one version: work on an older version must not meet newer data. */
export interface DatasetRef {
  readonly id: string;
  readonly version: string;
}

/** The chosen cells; its bits are shared memory, so that handing it over copies nothing. */
interface OnCells {
  readonly dataset: DatasetRef;
  readonly mask: CellMask | undefined;
}

/** How a figure is drawn. */
export interface Rendition {
  /** `json` is the spec alone. */
  readonly format: FigureFormat | 'json';
  /** Lays a PNG out for its place in a page. */
  readonly view?: FigureView;
  /** Ends of the colour bar or the axis of values instead of the figure's own. */
  readonly range?: readonly [number, number];
}

export interface DrawTask extends OnCells, Rendition {
  readonly kind: 'draw';
  readonly plot: FigureContent['kind'];
  readonly inputs: FoundInputs;
  /** Name of the chosen cells, which the figure says; absent for all. */
  readonly subset?: string;
}

/** The inputs of a figure under the names that its content gives them. */
export type FoundInputs = Readonly<Record<string, FoundInput | readonly FoundInput[]>>;

/** An input with everything looked up: rows instead of names, results instead of questions. */
export type FoundInput =
  | Extract<PlotInput, { from: 'embedding' | 'column' }>
  | { readonly from: 'gene'; readonly row: number }
  | { readonly from: 'result'; readonly value: InputValues['score' | 'markers' | 'enrichment'] };

/** Which cells belong to a subset. All parts must hold. */
export interface MaskTask {
  readonly kind: 'mask';
  readonly dataset: DatasetRef;
  readonly gene?: { readonly row: number; readonly rule: GeneRule };
  readonly signature?: { readonly scores: Float64Array; readonly range: PercentileRange };
  /** Obs columns, the categories to keep of each, and the part of the filter that asks for them. */
  readonly columns: readonly {
    readonly part: 'cell_type' | 'patient_metadata';
    readonly name: string;
    readonly categories: readonly string[];
  }[];
}

/** What a gene must fulfil. */
export type GeneRule = 'positive' | 'negative' | GenePercentiles;

export interface GenePercentiles extends PercentileRange {
  readonly among: PercentilesAmong;
}

/** Mean of the genes [from, to) over the chosen cells, and how many of the cells express each. */
export interface MeansTask extends OnCells {
  readonly kind: 'means';
  readonly from: number;
  readonly to: number;
}

/** Sums of some genes of a signature, and of some of its control genes. */
export interface SumTask {
  readonly kind: 'sum';
  readonly dataset: DatasetRef;
  /** Rows in var, rising. */
  readonly rows: Int32Array;
  /** 1 for each row that is a control gene. */
  readonly isControl: Uint8Array;
  /** Sums of other genes, to which these are added. */
  readonly onto?: SignatureSums;
}

/** Score of each chosen cell from the sums: its mean over the genes less its mean over the controls. */
export interface ScoreTask {
  readonly kind: 'score';
  readonly parts: readonly SignatureSums[];
  readonly mask: CellMask | undefined;
}

/** Sums in shared memory. */
export interface SignatureSums {
  readonly genes: SummedGenes;
  readonly controls: SummedGenes;
}

/** The groups that a column of obs cuts the chosen cells into. */
export interface GroupTask extends OnCells {
  readonly kind: 'group';
  readonly column: string;
  /** What the groups are for: a t-test of whole groups may find its statistics with the dataset. */
  readonly method: MarkerMethod;
  /** What becomes of the cells without a category: among the others of every group, or nowhere. */
  readonly unlabelled: 'reference' | 'left-out';
}

export interface FoundGroups {
  readonly groups: CellGroups;
  /** Chosen cells without a category, whatever becomes of them. */
  readonly unlabelledCells: number;
  /** The statistics of all genes, where the dataset has them; they need not be read out of the expression then. */
  readonly statistics?: BlockStatistics;
}

/** What the tests need to know of the genes [from, to). */
export interface BlockTask {
  readonly kind: 'block';
  readonly dataset: DatasetRef;
  /** The codes of the cells lie in shared memory. */
  readonly groups: CellGroups;
  readonly method: MarkerMethod;
  readonly from: number;
  readonly to: number;
}

/** The tests, from the statistics of all blocks, and the genes of each group that pass. */
export interface RankTask {
  readonly kind: 'rank';
  readonly blocks: readonly BlockStatistics[];
  readonly groups: CellGroups;
  readonly test: MarkerTest;
  readonly filter: MarkerFilter;
}

/** What is known of listed markers beyond the test that found them. */
export interface CheckTask {
  readonly kind: 'check';
  readonly dataset: DatasetRef;
  readonly groups: CellGroups;
  /** Whether to measure how far the groups lie apart. */
  readonly separation: boolean;
  /** Column of obs with the sample of each cell; absent where none is known. */
  readonly samples?: string;
  /** By group of `groups`, best first. */
  readonly markers: readonly Pick<GroupMarkers, 'group' | 'rows' | 'logfoldchanges'>[];
}

export interface MarkerChecks {
  /** Absent where it was not asked for, and where no embedding tells it. */
  readonly separation?: GroupSeparation & {
    readonly embedding: string;
    readonly dimensions: number;
  };
  /** Absent where no column has the samples, or too many for samples. */
  readonly samples?: SampleChecks & {
    /** Names of the samples that `groups` speaks of. */
    readonly largestNames: readonly string[];
  };
}

/** The markers of one group, best first: its columns, cut to the rows that pass. */
export interface GroupMarkers {
  readonly name: string;
  /** Its place among the names of `CellGroups`. */
  readonly group: number;
  readonly cells: number;
  /** Rows in var. */
  readonly rows: Int32Array;
  readonly scores: Float64Array;
  readonly logfoldchanges: Float64Array;
  readonly pvals: Float64Array;
  readonly pvals_adj: Float64Array;
  readonly pctInGroup: Float64Array;
  readonly pctOutside: Float64Array;
  /** Genes that were tested, and those that pass one of the limits by itself. */
  readonly tested: number;
  readonly significant: number;
  readonly changed: number;
  /** Genes that pass the limits, also those beyond the number that is listed. */
  readonly passing: number;
  /** Of these, genes with a small effect. */
  readonly smallEffects: number;
}

export interface Markers {
  readonly groups: readonly GroupMarkers[];
  readonly warnings: readonly Caution[];
  /** Of all groups and of the genes that any group has as a marker: what the dot plot shows. */
  readonly dots: {
    readonly groups: readonly { readonly name: string; readonly cells: number }[];
    readonly rows: Int32Array;
    /** Genes x groups. */
    readonly means: Float64Array;
    readonly fractions: Float64Array;
  };
}

/** The sets of a library as numbers of the genes of a background. */
export interface CompileTask {
  readonly kind: 'compile';
  readonly dataset: DatasetRef;
  readonly library: string;
  /** The library at one version, so that a replaced one is not mixed up with what was listed. */
  readonly libraryVersion: string;
  readonly background: BackgroundChoice;
  /** Species of the dataset, and whether it is certain enough to compare. */
  readonly species: DatasetSpecies;
  /** Tables between the species of the dataset and others, one at most of which is used. */
  readonly orthologues: readonly OrthologueTable[];
  /** Species to which there is a table that cannot be read. */
  readonly damagedTables: readonly Species[];
}

/** Which genes the list could have been drawn from. */
export type BackgroundChoice =
  | { readonly kind: 'dataset' | 'library' }
  /** Rows in var. */
  | { readonly kind: 'expressed'; readonly rows: Int32Array }
  /** Symbols, or ids of the dataset. */
  | { readonly kind: 'own'; readonly genes: readonly string[] };

export interface DatasetSpecies extends Omit<SpeciesGuess, 'by'> {
  /** `request` where the caller says it, who then answers for comparing genes by name. */
  readonly by: SpeciesGuess['by'] | 'request';
}

/** How genes were mapped to their orthologues. */
export interface OrthologueUse {
  readonly from: Species;
  readonly to: Species;
  readonly table: string;
  readonly mapped: number;
  readonly unmapped: number;
  readonly merged: number;
}

/** Genes of a background in shared memory. */
export interface PackedBackground {
  readonly symbols: PackedStrings;
  /** What the library calls each of them, where its species is another. */
  readonly keys: PackedStrings | undefined;
  /** How many symbols, at the end, are names that only the library has. */
  readonly libraryOnly: number;
}

export interface LibraryOfDataset {
  /** In shared memory: all threads test against the same. */
  readonly compiled: CompiledLibrary;
  readonly background: PackedBackground;
  /** Genes of the background that the dataset does not have. */
  readonly notInDataset: number;
  readonly species: SpeciesGuess;
  readonly orthologues: OrthologueUse | undefined;
  /** What is doubtful about the library, in sentences. */
  readonly warnings: readonly string[];
}

/** Over-representation of genes in the sets of a library, against the background it was compiled for. */
export interface EnrichTask {
  readonly kind: 'enrich';
  readonly dataset: DatasetRef;
  readonly compiled: CompiledLibrary;
  readonly background: PackedBackground;
  /** Names the background, so that a thread that has just used it need not unpack it again. */
  readonly backgroundKey: string;
  /** Symbols, or ids of the dataset. */
  readonly genes: readonly string[];
}

/** Lines of a CSV file, one for each chosen cell of [from, to). */
export interface CellLinesTask extends OnCells {
  readonly kind: 'cell-lines';
  readonly from: number;
  readonly to: number;
  /** Of obs. */
  readonly columns: readonly string[];
  readonly embeddings: readonly string[];
  /** Rows in var. */
  readonly genes: readonly number[];
  /** Each in shared memory, one value a cell of the dataset. */
  readonly scores: readonly Float64Array[];
}

export interface CellLines {
  /** UTF-8, whole lines. */
  readonly bytes: Uint8Array;
  /** Lines in them. */
  readonly lines: number;
  /** The first cell that was not looked at: before the end of the task where the lines became too long. */
  readonly next: number;
}

/** Does no more than every task begins with: forgetting what is gone. */
export interface TidyTask {
  readonly kind: 'tidy';
}

/** The sets that share a gene with the list. */
export interface RankedSets extends EnrichmentResult {
  /** Positions of the rows, the most significant first. */
  readonly order: Int32Array;
  /** Genes of the list that the dataset does not have, as they were given; they are in `notInBackground` too. */
  readonly notInDataset: readonly string[];
}

/** A drawn figure. */
export interface DrawnFigure {
  readonly bytes: Uint8Array;
  readonly mediaType: 'image/png' | 'image/svg+xml' | 'application/json';
  /** Pixels for PNG, CSS pixels for the others. */
  readonly width: number;
  readonly height: number;
  /** Serialisable figure spec. */
  readonly spec: Record<string, unknown>;
}

export interface Thresholds {
  gene?: [number, number];
  signature?: [number, number];
}

export interface BuiltMask {
  readonly mask: CellMask;
  /** Expression or score at the percentiles asked for; absent where no cell has a value. */
  readonly thresholds: Thresholds;
  /** Cells of the dataset that each part keeps by itself. */
  readonly filterCounts: FilterCounts;
  /** Values in all cells of the dataset. */
  readonly histograms: { gene?: ValueHistogram; signature?: ValueHistogram };
  /** Cells of each cell type of the dataset in the subset, also where there are none. */
  readonly cellTypeCounts: readonly (readonly [string, number])[];
  /** Cells of the subset without a cell type; 0 where the dataset has no cell types. */
  readonly unlabelledCells: number;
}

export interface FilterCounts {
  gene?: number;
  signature?: number;
  cell_type?: number;
  patient_metadata?: number;
}

interface Results {
  draw: DrawnFigure;
  mask: BuiltMask;
  means: BlockMeans;
  sum: SignatureSums;
  score: Float64Array;
  group: FoundGroups;
  block: BlockStatistics;
  rank: Markers;
  check: MarkerChecks;
  compile: LibraryOfDataset;
  enrich: RankedSets;
  'cell-lines': CellLines;
  tidy: null;
}

export type ResultOf<T extends Task> = Results[T['kind']];

/** Error classes do not survive the thread boundary, so a failure travels as data. */
export type Outcome = (
  | { readonly ok: true; readonly result: Results[keyof Results] }
  | { readonly ok: false; readonly tag: string; readonly message: string }
) & { readonly reads: TaskReads; readonly thread: ThreadReport };

/** How a thread uses its caches, since it began. */
export interface ThreadReport {
  readonly id: number;
  readonly expression: CacheUse;
  /** The folder on the disk that all threads share; absent where nothing is kept there. */
  readonly objects: CacheUse | undefined;
}

/** Settings every compute thread starts with. */
export interface ComputeSettings {
  readonly objects: ObjectStoreLocation;
  readonly expressionCacheBytes: number;
  readonly openDatasets: number;
  /** Name of the broadcast channel that carries the ids of datasets to forget. */
  readonly forgetChannel: string;
}
