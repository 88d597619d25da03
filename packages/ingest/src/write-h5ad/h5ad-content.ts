import type { UnsValue } from './h5ad-nodes.ts';
import type { Column, Embedding, NumericArray, ProteinScale, Table } from '@cellfolio/model';

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

/** Consecutive rows (CSR) or columns (CSC) of a sparse matrix. */
export interface SparseBlock {
  /** count + 1 rising positions in `indices` and `values`, starting with 0. */
  readonly indptr: ArrayLike<number>;
  /** Column of each entry (CSR) or its row (CSC), rising within each row or column. */
  readonly indices: Int32Array;
  readonly values: NumericArray;
}

export interface DenseBlock {
  readonly values: NumericArray;
}

/**
 * A cells x genes matrix, in blocks that are written one after the other: an array if the matrix is in memory, a
 * generator if it never is.
 */
export type MatrixContent =
  | {
      readonly format: 'csr' | 'csc';
      readonly dtype: MatrixType;
      readonly blocks: Iterable<SparseBlock> | AsyncIterable<SparseBlock>;
      /**
       * Entries in all blocks. Without compression it allows the contiguous layout that anndata writes; if absent, the
       * arrays are chunked and grow.
       */
      readonly valueCount?: number;
    }
  | {
      readonly format: 'dense';
      readonly dtype: MatrixType;
      readonly blocks: Iterable<DenseBlock> | AsyncIterable<DenseBlock>;
    };

/** Content of an .h5ad file. Row i of obs is row i of X, of every layer and of every embedding. */
export interface H5adContent {
  readonly obs: Table;
  readonly var: Table;
  readonly X: MatrixContent;
  readonly obsm?: readonly Embedding[];
  /**
   * `obsm/protein_expression`: a frame whose columns arrive one after the other, each written before the next, or a
   * matrix.
   */
  readonly proteins?: {
    /** Absent if it is only clear after reading whether they are counts. */
    readonly scale?: ProteinScale;
    readonly names: readonly string[];
    readonly values: AsyncIterable<Column> | MatrixContent;
  };
  readonly layers?: Readonly<Record<string, MatrixContent>>;
  readonly raw?: { readonly var: Table; readonly X: MatrixContent };
  readonly uns?: { readonly [key: string]: UnsValue };
}

export interface WriteH5adOptions {
  /** Deflate level 1 to 9 of the numeric arrays. Absent: not compressed, contiguous. */
  readonly gzip?: number;
  readonly signal?: AbortSignal;
  /** Write columns of booleans as booleans; default: 0 and 1, which all readers of tables know. */
  readonly booleans?: boolean;
  /** Fail with RoundedCount if rounding to float32 turns a number into a different integer. */
  readonly refuseRoundedCounts?: boolean;
  /** Called after each block of a matrix with its entries or values written so far. */
  readonly onProgress?: (progress: { readonly part: string; readonly done: number }) => void;
}

/** The file could not be written, or its content contradicts itself. Nothing is left at the path. */
export class H5adWriteFailed extends Error {
  readonly tag = 'H5adWriteFailed';
  readonly path: string;
  /** Part of the file at fault, such as `X/indices`. */
  readonly part: string;

  constructor(path: string, part: string, reason: string, options?: { cause?: unknown }) {
    super(`${path} could not be written: ${part}: ${reason}`, options);
    this.name = 'H5adWriteFailed';
    this.path = path;
    this.part = part;
  }
}
