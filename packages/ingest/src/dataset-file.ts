import type { Caution, Column, Embedding, PackedStrings, ProteinScale, Table } from '@cellfolio/model';
import type { GraphPlace } from './graph/graph-place.ts';
import type { H5adError } from './h5ad-error.ts';
import type { Hdf5File } from './hdf5/hdf5-file.ts';
import type { DatasetInfo } from './hdf5/element-type.ts';
import type { MatrixLayout } from './layout/matrix-layout.ts';

/** A format of HDF5 files that datasets are made of. */
export interface FileFormat {
  /** By what the file holds; its name says nothing. */
  readonly recognises: (file: Hdf5File) => boolean;
  readonly present: (file: Hdf5File) => DatasetFile;
}

/** An open file as cells x genes with tables of both. Nothing is read ahead, and all of it throws H5adError. */
export interface DatasetFile {
  readonly hdf5: Hdf5File;
  /** Where the table of the cells, that of the genes and the embeddings lie, for messages and for `table`. */
  readonly obsPath: string;
  readonly varPath: string;
  readonly embeddingsPath: string;
  /** Matrices that may hold expression, best first. */
  matrices(): MatrixPlace[];
  table(path: string, what: 'obs' | 'var'): DataFrame;
  /** The genes of a matrix, with what else the file says of the same genes. */
  genes(varPath: string): GeneTable;
  /** One column of a table of genes; undefined where it has none of the name, or none that can be read. */
  geneColumn(varPath: string, name: string): Column | undefined;
  /** What a user must know of how features of the file became these genes. */
  geneCautions?(varPath: string): Caution[];
  /** `cells` are the names of the cells. */
  embeddings(cells: PackedStrings): Embeddings;
  /** Proteins that the file keeps in a table of their own, not among the genes. */
  proteins?(cells: PackedStrings): ProteinPlace | undefined;
  /** The scale of X, where the file says which; `other` is one that is not known here. */
  recordedScale(): 'log1p' | 'log2' | 'log10' | 'other' | undefined;
  /** The graph of nearest cells that the file brought along. */
  graph?(): GraphPlace | undefined;
  /** Paths of parts that an import leaves out, matrices and columns aside. */
  otherParts(): string[];
  /** The error for a file none of whose matrices holds expression. */
  noExpression(): H5adError;
}

export interface MatrixPlace {
  readonly layout: MatrixLayout;
  /** Path of the table that describes its genes. */
  readonly varPath: string;
}

/** A data frame of the file, and what of it could not be carried over. */
export interface DataFrame {
  readonly table: Table;
  /** How it is stored, in words. */
  readonly stored: string;
  readonly skipped: readonly SkippedColumn[];
}

/** A column that was not carried over, and why. */
export interface SkippedColumn {
  readonly column: string;
  readonly reason: string;
}

/** The genes of the matrix taken, and the columns about them that were not imported. */
export interface GeneTable extends DataFrame {
  /** Paths of columns that describe another set of genes. */
  readonly notKept: readonly string[];
}

export interface Embeddings {
  readonly embeddings: readonly EmbeddingLayout[];
  readonly skipped: readonly SkippedEmbedding[];
}

/** Where an embedding is stored; its coordinates are not read yet. */
export interface EmbeddingLayout {
  readonly name: string;
  readonly rowCount: number;
  readonly dimensions: number;
  /** Names of the dimensions, where the file stores them as columns. */
  readonly columns?: readonly string[];
  read(): Embedding;
}

/** Where a table of cells x proteins is stored; its values are not read yet. */
export interface ProteinPlace {
  readonly path: string;
  /** As the file has them: they may repeat, or be empty. */
  readonly names: readonly string[];
  /** What of the file is read with them, such as the names of an array. */
  readonly parts: readonly string[];
  /** A matrix, or a column of numbers for each. */
  readonly values: MatrixLayout | readonly DatasetInfo[];
  /** What the file says that its values are, as exports of ours do. */
  readonly scale?: ProteinScale | undefined;
  /** What of it is left out, or why all of it is, by its path. */
  readonly skipped: readonly SkippedEmbedding[];
}

/** What of the embeddings was left out: an entry, or `entry/column`. */
export interface SkippedEmbedding {
  readonly name: string;
  readonly reason: string;
}
