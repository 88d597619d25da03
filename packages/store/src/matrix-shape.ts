/** Shape of a gene-major sparse matrix (CSC of cells x genes) before its entries are known. */
export interface MatrixShape {
  readonly cellCount: number;
  readonly geneCount: number;
  /** geneCount + 1 positions: gene g has the entries [indptr[g], indptr[g + 1]). */
  readonly indptr: Float64Array;
  readonly valueType: 'float32' | 'float64' | 'int32' | 'uint32' | 'int64';
}
