// What opening and reading datasets takes and throws; the store of bytes itself is `@cellfolio/bytes`.
export { type Asset, assetLimits, type AssetSource } from './assets.ts';
export type { Carried } from './carried.ts';
export {
  ByteCache,
  type ByteRange,
  type CacheUse,
  eachLimited,
  FileObjectStore,
  InvalidObjectKey,
  ObjectNotFound,
  type ObjectStore,
  ObjectStoreFailed,
  SharedWork,
  StoreWriteFailed,
} from '@cellfolio/bytes';
export { customDatasetId, derivedPrefix, fileOfDataset } from './dataset-id.ts';
export { createDatasetWriter, type DatasetWriter } from './dataset-writer.ts';
export type { Dataset, StoredMatrix, RequestedRows } from './dataset.ts';
export {
  DatasetDamaged,
  DatasetExists,
  DatasetNotFound,
  InvalidDatasetId,
  ShapeMismatch,
  UnknownColumn,
  WrittenOtherwise,
} from './errors.ts';
export type { EntrySums } from './entry-sums.ts';
export { rowFault } from './file-graph.ts';
export { GeneCache } from './gene-cache.ts';
export { type GeneIndex, uniqueNames } from './gene-index.ts';
export { datasetIds, type DatasetListing, listDatasets } from './list-datasets.ts';
export { type DatasetManifest, readManifest } from './manifest.ts';
export type { MatrixParts, MatrixWriter, WrittenPart } from './matrix-writer.ts';
export type { MatrixShape } from './shard-layout.ts';
export { openDataset } from './open-dataset.ts';
export { type Proteins, proteinsPath, type ProteinTable } from './protein-table.ts';
export {
  forgetDataset,
  type ObjectStoreLocation,
  type OpenedObjectStore,
  openObjectStore,
  removeDataset,
  stagingRoot,
  type StorePlace,
  sweepDatasets,
} from './open-store.ts';
export { geneBlocks } from './read-plan.ts';
export type { GeneStatistics, GeneStatisticsReader, GroupStatistics } from './statistics/group-statistics.ts';
export { verifyDataset, type VerifyReport } from './verify-dataset.ts';
