export { writeH5ad } from './write-h5ad.ts';
export { H5adWriteFailed } from './h5ad-write-failed.ts';
export type {
  DenseBlock,
  H5adContent,
  MatrixContent,
  MatrixType,
  SparseBlock,
  WriteH5adOptions,
} from './h5ad-content.ts';
