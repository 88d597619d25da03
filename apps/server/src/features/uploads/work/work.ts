import type {
  ColumnChoice,
  CombinedRecord,
  FileReport,
  GenesIn,
  ProcessingChoice,
} from '@cellfolio/contract';
import type { CatalogueEntry, ProcessingRecord } from '@cellfolio/model';
import type { StorePlace } from '@cellfolio/store';

/** A file on this machine's disk and what its owner calls it. */
export interface InputFile {
  readonly path: string;
  readonly name: string;
}

/** Looks at an upload. */
export interface InspectWork {
  readonly kind: 'inspect';
  readonly file: InputFile;
  /** As chosen for the dataset, where something was; what this file has not is found anew. */
  readonly columns?: ColumnChoice;
  readonly processing?: ProcessingChoice;
  /** Of a file that was combined from several samples. */
  readonly combined?: CombinedRecord | undefined;
  /** The file holds some cells of a dataset: they get clusters and a map of their own. */
  readonly isPart?: boolean;
  /** Bytes that the whole of the work may take; no limit unless told. */
  readonly memoryBytes?: number;
}

/** Makes an AnnData file of a matrix and its two tables. */
export interface ConvertWork {
  readonly kind: 'convert';
  readonly matrix: InputFile;
  /** Barcodes and features, in either order. */
  readonly tables: readonly [InputFile, InputFile];
  /** Where to write the .h5ad; it appears when it is whole. */
  readonly output: string;
}

/** Makes an AnnData file of several files, a sample each. */
export interface CombineWork {
  readonly kind: 'combine';
  readonly samples: readonly {
    readonly file: InputFile;
    readonly sample: string;
    readonly values: Readonly<Record<string, string>>;
    /** Where its genes are, of a table that does not show it. */
    readonly genesIn?: GenesIn | undefined;
  }[];
  readonly genes: 'shared' | 'all';
  /** Where to write the .h5ad; it appears when it is whole. */
  readonly output: string;
}

/** Makes a dataset of an AnnData file, computing what it lacks. */
export interface BuildWork {
  readonly kind: 'build';
  readonly file: InputFile;
  /** The store that the dataset is written to, replacing an earlier one of its id. */
  readonly root: StorePlace;
  readonly datasetId: string;
  readonly catalogue: CatalogueEntry;
  readonly columns: ColumnChoice;
  readonly processing: ProcessingChoice;
  /** Of a file that was combined from several samples. */
  readonly combined?: CombinedRecord | undefined;
  /** The file holds some cells of a dataset. */
  readonly isPart?: boolean;
  /** Bytes that the whole of the work may take; more is refused before it begins. */
  readonly memoryBytes: number;
}

/** Makes an AnnData file of some cells of a dataset. */
export interface SubsetWork {
  readonly kind: 'subset';
  /** Where the dataset is. */
  readonly root: StorePlace;
  readonly parent: { readonly id: string; readonly version: string; readonly name: string };
  /** A text of a bit for each of its cells, as `decodeCells` reads. */
  readonly cells: string;
  /** Columns that its owner has beside those of the dataset: a file of `v8.serialize`. */
  readonly ownColumns: string;
  /** What its dataset is going to be built with. */
  readonly processing: ProcessingChoice;
  /** Bytes that the build may take: what needs more is refused before anything is copied. */
  readonly memoryBytes: number;
  /** Where to write the .h5ad; it appears when it is whole. */
  readonly output: string;
}

/** What a job does, as plain data: it is done in a process of its own. */
export type Work = InspectWork | ConvertWork | CombineWork | BuildWork | SubsetWork;

export interface ConvertResult {
  readonly cells: number;
  readonly genes: number;
  readonly entries: number;
  readonly notes: readonly string[];
}

export interface CombineResult {
  readonly record: CombinedRecord;
  readonly notes: readonly string[];
}

export interface BuildResult {
  readonly version: string;
  readonly cells: number;
  readonly genes: number;
  readonly processed: ProcessingRecord | undefined;
  readonly notes: readonly string[];
}

export interface SubsetResult {
  /** Which of its columns play a part. */
  readonly columns: ColumnChoice;
  readonly notes: readonly string[];
}

export interface WorkResults {
  readonly inspect: FileReport;
  readonly convert: ConvertResult;
  readonly combine: CombineResult;
  readonly build: BuildResult;
  readonly subset: SubsetResult;
}

export interface WorkContext {
  /** Folder of this run alone; removed after it, however it ends. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  /** `stage` in words for the user, `fraction` of the whole work from 0 to 1. */
  readonly onProgress: (stage: string, fraction: number) => void;
  /** A line of the job's log. */
  readonly log: (text: string) => void;
}
