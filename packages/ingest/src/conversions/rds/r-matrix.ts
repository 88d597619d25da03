import type { H5adError } from '../../h5ad-error.ts';
import type { RNumbers } from './r-value.ts';

interface Size {
  readonly geneCount: number;
  readonly cellCount: number;
}

export interface SparseRMatrix extends Size {
  readonly form: 'sparse';
  readonly p: RNumbers;
  readonly i: RNumbers;
  readonly x: RNumbers;
}

/** Matrices of some cells each; a gene that one of them lacks is zero in its cells. */
export interface JoinedRMatrix extends Size {
  readonly form: 'joined';
  readonly layers: readonly {
    readonly matrix: SparseRMatrix;
    /** Ascending: gene of each row. */
    readonly genes: Int32Array;
  }[];
  /** Per cell: its layer; and its column there. */
  readonly layerOf: Int32Array;
  readonly columnOf: Int32Array;
}

/** Genes x cells, R's orientation. */
export type RMatrix =
  | SparseRMatrix
  | (Size & { readonly form: 'dense'; readonly values: RNumbers })
  | JoinedRMatrix;

export type Refuse = (part: string, problem: string, hint: string) => H5adError;
