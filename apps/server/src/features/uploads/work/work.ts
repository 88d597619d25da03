import type {
  ColumnChoice,
  CombinedRecord,
  FileReport,
  GenesIn,
  ProcessingChoice,
} from '@cellfolio/contract';
import type { CatalogueEntry, ProcessingRecord } from '@cellfolio/model';
import type { StorePlace } from '@cellfolio/store';

export interface InputFile {
  readonly path: string;
  readonly name: string;
}

export interface InspectWork {
  readonly kind: 'inspect';
  readonly file: InputFile;
  /** The choices for the dataset, if any; columns that this file lacks are detected again. */
  readonly columns?: ColumnChoice;
  readonly processing?: ProcessingChoice;
  readonly combined?: CombinedRecord | undefined;
  /** The file holds some cells of a dataset: they get their own clusters and map. */
  readonly isPart?: boolean;
  /** Memory limit of the whole work in bytes; default: none. */
  readonly memoryBytes?: number;
}

export interface ConvertWork {
  readonly kind: 'convert';
  readonly matrix: InputFile;
  /** Barcodes and features, in either order. */
  readonly tables: readonly [InputFile, InputFile];
  /** Path of the .h5ad; it appears only when complete. */
  readonly output: string;
}

export interface CombineWork {
  readonly kind: 'combine';
  readonly samples: readonly {
    readonly file: InputFile;
    readonly sample: string;
    readonly values: Readonly<Record<string, string>>;
    /** Orientation of a table that does not show it. */
    readonly genesIn?: GenesIn | undefined;
  }[];
  readonly genes: 'shared' | 'all';
  /** Path of the .h5ad; it appears only when complete. */
  readonly output: string;
}

export interface BuildWork {
  readonly kind: 'build';
  readonly file: InputFile;
  /** The store that the dataset is written to, replacing an earlier one with its id. */
  readonly root: StorePlace;
  readonly datasetId: string;
  readonly catalogue: CatalogueEntry;
  readonly columns: ColumnChoice;
  readonly processing: ProcessingChoice;
  readonly combined?: CombinedRecord | undefined;
  readonly isPart?: boolean;
  /** Memory limit of the whole work in bytes; larger work is refused before it begins. */
  readonly memoryBytes: number;
}

export interface SubsetWork {
  readonly kind: 'subset';
  readonly root: StorePlace;
  readonly parent: { readonly id: string; readonly version: string; readonly name: string };
  /** Text with one bit per cell, as read by `decodeCells`. */
  readonly cells: string;
  /** Path of a `v8.serialize` file with the owner's columns beside those of the dataset. */
  readonly ownColumns: string;
  /** Settings of the dataset's later build. */
  readonly processing: ProcessingChoice;
  /** Memory limit of the later build in bytes; larger ones are refused before anything is copied. */
  readonly memoryBytes: number;
  /** Path of the .h5ad; it appears only when complete. */
  readonly output: string;
}

/** The work of a job as plain data, done in a separate process. */
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
  /** Folder of this run alone; always removed after it. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  /** `stage` in words for the user, `fraction` of the whole work from 0 to 1. */
  readonly onProgress: (stage: string, fraction: number) => void;
  readonly log: (text: string) => void;
}
