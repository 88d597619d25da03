import type { H5adError } from '../../h5ad-error.ts';
import type { RNumbers } from './r-value.ts';

interface Size {
  geneCount: number;
  cellCount: number;
}

export interface SparseRMatrix extends Size {
  form: 'sparse';
  p: RNumbers;
  i: RNumbers;
  x: RNumbers;
}

/** Matrices of some cells each; a gene that one of them lacks is zero in its cells. */
export interface JoinedRMatrix extends Size {
  form: 'joined';
  layers: readonly {
    matrix: SparseRMatrix;
    /** Ascending: gene of each row. */
    genes: Int32Array;
  }[];
  /** Per cell: its layer; and its column there. */
  layerOf: Int32Array;
  columnOf: Int32Array;
}

/** Genes x cells, R's orientation. */
export type RMatrix = SparseRMatrix | (Size & { form: 'dense'; values: RNumbers }) | JoinedRMatrix;

export type Refuse = (part: string, problem: string, hint: string) => H5adError;
