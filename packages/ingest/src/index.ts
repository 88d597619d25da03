export { type DatasetAdditions, keptColumn, keptTable } from './additions.ts';
export {
  combineSamples,
  type CombinedFile,
  type CombineFilesOptions,
  type SampleFile,
} from './combine/combine-samples.ts';
export { pathsInFolder } from './conversions/pipeline-output/output-files.ts';
export { isPipelineOutput } from './conversions/pipeline-output/output-parts.ts';
export { readableFile, type ReadableFile } from './conversions/readable-file.ts';
export type { RawCountBlock } from './counts/count-blocks.ts';
export { type GeneFacts, openCounts, type RawCounts } from './counts/open-counts.ts';
export type { GenesIn, ImportColumns } from './import-columns.ts';
export { foreignContent, foreignText } from './foreign-content.ts';
export { H5adError } from './h5ad-error.ts';
export { importH5ad, inspectH5ad } from './import-h5ad.ts';
export type { Orientation } from './matrix-market/cells-of-matrix.ts';
export {
  convertMatrixMarket,
  planMatrixMarket,
  type ConvertOptions,
  type MatrixMarketFiles,
  type NamedFile,
} from './matrix-market/convert-matrix-market.ts';
export { matrixName, tablesOfMatrix } from './matrix-market/tables-of-matrix.ts';
export { inspectTextFile } from './matrix-market/inspect-text-file.ts';
export { readChunks, TextFileError } from './matrix-market/read-text.ts';
export {
  type ColumnReport,
  type MatrixReport,
  type PreflightReport,
  proteinsText,
  carriedText,
  termsText,
  reportRows,
  type RoleReport,
} from './preflight-report.ts';
export { isCellTypeName } from './roles/detect-obs-roles.ts';
export { readSamples, type SampleColumns } from './roles/read-samples.ts';
export { cutRows } from './transpose/transpose-plan.ts';
export { writeH5ad } from './write-h5ad/write-h5ad.ts';
export {
  type DenseBlock,
  type H5adContent,
  H5adWriteFailed,
  type MatrixContent,
  type MatrixType,
  type SparseBlock,
  type WriteH5adOptions,
} from './write-h5ad/h5ad-content.ts';
