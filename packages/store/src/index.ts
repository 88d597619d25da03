// What opening and reading datasets takes and throws; the store of bytes itself is `@cellfolio/bytes`.
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
export { createDatasetWriter } from './dataset-writer.ts';
export { collectionPrefix, customDatasetId, type DatasetCollection } from './dataset-id.ts';
export type { CellRows, Dataset } from './dataset.ts';
export type { ReadCounters } from './zarr-reader.ts';
export type { GeneIndex } from './gene-index.ts';
export type { DatasetWriter } from './dataset-writer.ts';
export type { DatasetDescription } from './manifest.ts';
export type { MatrixShape, MatrixWriter } from './matrix-writer.ts';
export {
  DatasetDamaged,
  DatasetExists,
  DatasetNotFound,
  InvalidDatasetId,
  MisshapenData,
  UnknownColumn,
} from './errors.ts';
export { GeneCache } from './gene-cache.ts';
export { geneBlocks, type GeneRange } from './read-plan.ts';
export { type DatasetListing, listDatasets } from './list-datasets.ts';
export type { DatasetManifest } from './manifest.ts';
export {
  type ObjectStoreLocation,
  type FileStoreLocation,
  type S3StoreLocation,
  stagingRoot,
  type StorePlace,
} from './open-store.ts';
export { openDataset } from './open-dataset.ts';
export { forgetDataset, openObjectStore, type OpenedObjectStore } from './open-store.ts';
export { readManifest } from './manifest.ts';
export { removeDataset, sweepDatasets } from './open-store.ts';
export type { GroupStatistics } from './statistics/group-statistics.ts';
export type { VerifyProgress, VerifyReport } from './verify-dataset.ts';
export { verifyDataset } from './verify-dataset.ts';
