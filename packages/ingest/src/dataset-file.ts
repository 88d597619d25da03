import type { Caution, Column, Embedding, PackedStrings, ProteinScale, Table } from '@cellfolio/model';
import type { AssetSource } from '@cellfolio/store';
import type { CarriedPlan, CarriedWish } from './carried/plan-carried.ts';
import type { GraphPlace } from './graph/graph-place.ts';
import type { H5adError } from './h5ad-error.ts';
import type { Hdf5File } from './hdf5/hdf5-file.ts';
import type { DatasetInfo } from './hdf5/element-type.ts';
import type { MatrixLayout } from './layout/matrix-layout.ts';

export interface FileFormat {
  /** By content only; the file name is ignored. */
  recognises: (file: Hdf5File) => boolean;
  present: (file: Hdf5File) => DatasetFile;
}

/** An open file as cells x genes with tables of both. Reads lazily; every method may throw H5adError. */
export interface DatasetFile {
  hdf5: Hdf5File;
  /** Paths of the cell table, the gene table and the embeddings, for messages and for `table`. */
  obsPath: string;
  varPath: string;
  embeddingsPath: string;
  matrices(): MatrixPlace[];
  table(path: string, what: 'obs' | 'var'): DataFrame;
  genes(varPath: string): GeneTable;
  /** One column of a gene table; undefined if missing or unreadable. */
  geneColumn(varPath: string, name: string): Column | undefined;
  geneCautions?(varPath: string): Caution[];
  embeddings(cells: PackedStrings): Embeddings;
  /** Proteins that the file stores in a separate table, not among the genes. */
  proteins?(cells: PackedStrings): ProteinPlace | undefined;
  /** Recorded scale of X; `other` is an unknown one. */
  recordedScale(): 'log1p' | 'log2' | 'log10' | 'other' | undefined;
  /** Ontology id of the organism that all cells are of. */
  organism?(): string | undefined;
  /** Nearest-cell graph stored in the file. */
  graph?(): GraphPlace | undefined;
  /** Parts that are not interpreted, and that an export returns. */
  carried?(wish: CarriedWish): CarriedPlan;
  /** Files that belong to the dataset and are not interpreted. */
  assets?(): AssetSource[];
  otherParts(): string[];
  noExpression(): H5adError;
}

export interface MatrixPlace {
  layout: MatrixLayout;
  varPath: string;
}

export interface DataFrame {
  table: Table;
  stored: string;
  skipped: readonly SkippedColumn[];
}

export interface SkippedColumn {
  column: string;
  reason: string;
}

export interface GeneTable extends DataFrame {
  notKept: readonly string[];
}

export interface Embeddings {
  embeddings: readonly EmbeddingLayout[];
  skipped: readonly SkippedEmbedding[];
}

export interface EmbeddingLayout {
  name: string;
  rowCount: number;
  dimensions: number;
  columns?: readonly string[];
  read(): Embedding;
}

export interface ProteinPlace {
  path: string;
  /** As in the file: possibly repeated or empty. */
  names: readonly string[];
  parts: readonly string[];
  values: MatrixLayout | readonly DatasetInfo[];
  scale?: ProteinScale | undefined;
  /** By their paths. */
  skipped: readonly SkippedEmbedding[];
}

export interface SkippedEmbedding {
  name: string;
  reason: string;
}
