import type { Column, Embedding, NumericArray, ProteinScale, Table } from '@cellfolio/model';

/** Number types that a matrix can be written in. */
export type MatrixType =
  | 'float32'
  | 'float64'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'int64';

/** Some consecutive rows (CSR) or columns (CSC) of a sparse matrix. */
export interface SparseBlock {
  /** count + 1 rising positions in `indices` and `values`, the first of them 0. */
  readonly indptr: ArrayLike<number>;
  /** Column of each entry (CSR) or its row (CSC), rising within each row or column. */
  readonly indices: Int32Array;
  readonly values: NumericArray;
}

/** Some consecutive rows of a dense matrix: rows x gene count values, row after row. */
export interface DenseBlock {
  readonly values: NumericArray;
}

/**
 * A matrix of cells x genes, in blocks that are written one after the other: an array for a matrix
 * that is whole in memory, a generator for one that never is.
 */
export type MatrixContent =
  | {
      readonly format: 'csr' | 'csc';
      readonly dtype: MatrixType;
      readonly blocks: Iterable<SparseBlock> | AsyncIterable<SparseBlock>;
      /**
       * Entries in all blocks. Without compression it allows the contiguous layout that anndata writes;
       * where it is not given the arrays are chunked and grow.
       */
      readonly valueCount?: number;
    }
  | {
      readonly format: 'dense';
      readonly dtype: MatrixType;
      readonly blocks: Iterable<DenseBlock> | AsyncIterable<DenseBlock>;
    };

/** What an .h5ad file holds. Row i of obs is row i of X, of every layer and of every embedding. */
export interface H5adContent {
  readonly obs: Table;
  readonly var: Table;
  readonly X: MatrixContent;
  readonly obsm?: readonly Embedding[];
  /** `obsm/protein_expression`: a frame whose columns come one after the other, each written before the next, or a matrix. */
  readonly proteins?: {
    /** Absent where reading them is to show whether they are counts. */
    readonly scale?: ProteinScale;
    readonly names: readonly string[];
    readonly values: AsyncIterable<Column> | MatrixContent;
  };
  readonly layers?: Readonly<Record<string, MatrixContent>>;
  /** `raw`: the same cells, its own genes. */
  readonly raw?: { readonly var: Table; readonly X: MatrixContent };
}

export interface WriteH5adOptions {
  /** Deflate level 1 to 9 of the numeric arrays. Absent: not compressed, contiguous. */
  readonly gzip?: number;
  readonly signal?: AbortSignal;
  /** Fail with a RoundedCount where float32 makes a whole number of another number. */
  readonly refuseRoundedCounts?: boolean;
  /** Called after each block of a matrix, with the entries or values of it written so far. */
  readonly onProgress?: (progress: { readonly part: string; readonly done: number }) => void;
}

/** The file could not be written, or its content contradicts itself. Nothing is left at the path. */
export class H5adWriteFailed extends Error {
  readonly tag = 'H5adWriteFailed';
  readonly path: string;
  /** The part of the file at fault, such as `X/indices`. */
  readonly part: string;

  constructor(path: string, part: string, reason: string, options?: { cause?: unknown }) {
    super(`${path} could not be written: ${part}: ${reason}`, options);
    this.name = 'H5adWriteFailed';
    this.path = path;
    this.part = part;
  }
}
