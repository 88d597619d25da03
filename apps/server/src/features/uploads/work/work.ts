import type {
  ColumnChoice,
  CombinedRecord,
  FileReport,
  GenesIn,
  ProcessingChoice,
} from '@cellfolio/contract';
import type { ImportColumns } from '@cellfolio/ingest';
import type { CatalogueEntry, ProcessingRecord } from '@cellfolio/model';
import type { StorePlace } from '@cellfolio/store';

export interface InputFile {
  path: string;
  name: string;
}

export interface InspectWork {
  kind: 'inspect';
  file: InputFile;
  /** The choices for the dataset, if any; columns that this file lacks are detected again. */
  columns?: ColumnChoice;
  processing?: ProcessingChoice;
  combined?: CombinedRecord | undefined;
  /** The file holds some cells of a dataset: they get their own clusters and map. */
  isPart?: boolean;
  /** Memory limit of the whole work in bytes; default: none. */
  memoryBytes?: number;
  /** As for the build. */
  maxCarried?: number;
}

export interface ConvertWork {
  kind: 'convert';
  matrix: InputFile;
  /** Barcodes and features, in either order. */
  tables: readonly [InputFile, InputFile];
  /** Path of the .h5ad; it appears only when complete. */
  output: string;
}

export interface CombineWork {
  kind: 'combine';
  samples: readonly {
    file: InputFile;
    sample: string;
    values: Readonly<Record<string, string>>;
    /** Orientation of a table that does not show it. */
    genesIn?: GenesIn | undefined;
  }[];
  genes: 'shared' | 'all';
  /** Path of the .h5ad; it appears only when complete. */
  output: string;
}

export interface BuildWork {
  kind: 'build';
  file: InputFile;
  /** The store that the dataset is written to. */
  root: StorePlace;
  datasetId: string;
  catalogue: CatalogueEntry;
  columns: ColumnChoice & Pick<ImportColumns, 'metadata'>;
  processing: ProcessingChoice;
  /** Parts to compute where the file lacks them; default: all, without the cells of low quality. */
  compute?: 'all' | 'of every cell' | 'nothing' | undefined;
  combined?: CombinedRecord | undefined;
  isPart?: boolean;
  /** Memory limit of the whole work in bytes; larger work is refused before it begins. */
  memoryBytes: number;
  /** Maximum bytes of what the dataset keeps of its file beside what it reads; default: any number. */
  maxCarried?: number;
  /** Memory limit of writing; default: a part of the whole. */
  importMemoryBytes?: number;
  /** Default: true. */
  replace?: boolean;
}

export interface SubsetWork {
  kind: 'subset';
  root: StorePlace;
  parent: { id: string; version: string; name: string };
  /** Text with one bit per cell, as read by `decodeCells`. */
  cells: string;
  /** Path of a `v8.serialize` file with the owner's columns beside those of the dataset. */
  ownColumns: string;
  /** Settings of the dataset's later build. */
  processing: ProcessingChoice;
  /** Memory limit of the later build in bytes; larger ones are refused before anything is copied. */
  memoryBytes: number;
  /** Path of the .h5ad; it appears only when complete. */
  output: string;
}

export interface CellxgeneWork {
  kind: 'cellxgene';
  root: StorePlace;
  dataset: { id: string; version: string; name: string };
  /** Path of a `v8.serialize` file of `CuratedContent`. */
  content: string;
  /** Memory limit of the whole work in bytes. */
  memoryBytes: number;
  /** Path of the .h5ad; it appears only when complete. */
  output: string;
}

/** The work of a job as plain data, done in a separate process. */
export type Work = InspectWork | ConvertWork | CombineWork | BuildWork | SubsetWork | CellxgeneWork;

export interface ConvertResult {
  cells: number;
  genes: number;
  entries: number;
  notes: readonly string[];
}

export interface CombineResult {
  record: CombinedRecord;
  notes: readonly string[];
}

export interface BuildResult {
  version: string;
  cells: number;
  genes: number;
  /** Bytes of the elements of its file that are stored for exports. */
  carriedBytes: number;
  processed: ProcessingRecord | undefined;
  notes: readonly string[];
}

export interface SubsetResult {
  columns: ColumnChoice;
  notes: readonly string[];
}

export interface CellxgeneResult {
  notes: readonly string[];
}

export interface WorkResults {
  inspect: FileReport;
  convert: ConvertResult;
  combine: CombineResult;
  build: BuildResult;
  subset: SubsetResult;
  cellxgene: CellxgeneResult;
}

export interface WorkContext {
  /** Folder of this run alone; always removed after it. */
  scratch: string;
  signal: AbortSignal;
  /** `stage` in words for the user, `fraction` of the whole work from 0 to 1. */
  onProgress: (stage: string, fraction: number) => void;
  log: (text: string) => void;
}
