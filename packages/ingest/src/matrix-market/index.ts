export type { Orientation } from './cells-of-matrix.ts';
export {
  convertMatrixMarket,
  planMatrixMarket,
  type ConvertOptions,
  type MatrixMarketFiles,
  type MatrixMarketPlan,
  type NamedFile,
} from './convert-matrix-market.ts';
export { inspectTextFile, type TextFileReport } from './inspect-text-file.ts';
export { TextFileError, type TextFileErrorCode } from './text-file-error.ts';
