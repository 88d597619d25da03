export type { DatasetAdditions } from './additions/dataset-additions.ts';
export type { RawCountBlock } from './counts/count-blocks.ts';
export type { GeneFacts } from './counts/gene-facts.ts';
export { openCounts, type RawCounts } from './counts/open-counts.ts';
export { H5adError, type H5adErrorCode } from './h5ad-error.ts';
export { importH5ad, type ImportOptions, type ImportResult } from './import-h5ad.ts';
export { inspectH5ad } from './inspect-h5ad.ts';
export {
  convertMatrixMarket,
  inspectTextFile,
  planMatrixMarket,
  TextFileError,
  type ConvertOptions,
  type MatrixMarketFiles,
  type MatrixMarketPlan,
  type NamedFile,
  type Orientation,
  type TextFileErrorCode,
  type TextFileReport,
} from './matrix-market/index.ts';
export type { ColumnReport, MatrixReport, PreflightReport, RoleReport } from './report/preflight-report.ts';
export { reportRows } from './report/report-rows.ts';
export type { ImportColumns } from './roles/import-columns.ts';
export { readSamples, type SampleColumns } from './roles/read-samples.ts';
export {
  H5adWriteFailed,
  writeH5ad,
  type DenseBlock,
  type H5adContent,
  type MatrixContent,
  type MatrixType,
  type SparseBlock,
  type WriteH5adOptions,
} from './write-h5ad/index.ts';
