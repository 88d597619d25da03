import type {
  CatalogueEntry,
  CategoricalColumn,
  ColumnRoles,
  Caution,
  Embedding,
  ExpressionSource,
  OtherFeatures,
  ProcessingRecord,
  Table,
} from '@cellfolio/model';
import type { DatasetManifest } from './manifest.ts';

/** Shape of a gene-major sparse matrix (CSC of cells x genes) before its entries are known. */
export interface MatrixShape {
  readonly cellCount: number;
  readonly geneCount: number;
  /** geneCount + 1 positions: gene g has the entries [indptr[g], indptr[g + 1]). */
  readonly indptr: Float64Array;
  readonly valueType: 'float32' | 'float64' | 'int32' | 'uint32' | 'int64';
}

/** Takes the entries of a matrix gene after gene, in blocks of any size. */
export interface MatrixWriter {
  /**
   * The next entries: rising cell rows within a gene, and their values. Resolves when the caller may
   * reuse both arrays; waits while earlier blocks are being compressed and written.
   */
  write(cells: Int32Array, values: Float32Array | Float64Array | Int32Array): Promise<void>;
  /** Throws where fewer or more entries came than indptr says. */
  close(): Promise<void>;
}

export interface DatasetDescription {
  readonly catalogue: CatalogueEntry;
  readonly roles: ColumnRoles;
  readonly expression: ExpressionSource;
  readonly warnings: readonly Caution[];
  readonly processing?: ProcessingRecord;
  readonly otherFeatures?: readonly OtherFeatures[];
}

/** Writes one dataset beside the others and shows it only when it is whole. */
export interface DatasetWriter {
  obs(table: Table): Promise<void>;
  var(table: Table): Promise<void>;
  obsm(embedding: Embedding): Promise<void>;
  /**
   * With X of float32 also the mean of every gene is stored and, as far as they are worth their place, the sums of every
   * gene in the groups of these columns of obs, the most important first: tests of the whole dataset read nothing else.
   */
  matrix(
    path: 'X' | 'layers/counts',
    shape: MatrixShape,
    groups?: ReadonlyMap<string, CategoricalColumn>,
  ): Promise<MatrixWriter>;
  /** Checksums, syncs and moves the dataset into place in one step. */
  publish(description: DatasetDescription): Promise<DatasetManifest>;
  /** Removes everything written so far. Harmless after publish. */
  discard(): Promise<void>;
}
