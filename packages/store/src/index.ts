export { ByteCache } from './byte-cache.ts';
export type { CacheUse } from './cache-use.ts';
export { createDatasetWriter } from './create-dataset-writer.ts';
export { collectionPrefix, customDatasetId, type DatasetCollection } from './dataset-id.ts';
export type { CellRows, Dataset, GeneIndex, ReadCounters } from './dataset.ts';
export type { DatasetDescription, DatasetWriter, MatrixShape, MatrixWriter } from './dataset-writer.ts';
export { eachLimited } from './each-limited.ts';
export {
  DatasetDamaged,
  DatasetExists,
  DatasetNotFound,
  InvalidDatasetId,
  InvalidObjectKey,
  MisshapenData,
  ObjectNotFound,
  ObjectStoreFailed,
  StoreWriteFailed,
  UnknownColumn,
} from './errors.ts';
export { FileObjectStore } from './file-object-store.ts';
export { GeneCache } from './gene-cache.ts';
export { geneBlocks, type GeneRange } from './gene-blocks.ts';
export { type DatasetListing, listDatasets } from './list-datasets.ts';
export type { DatasetManifest } from './manifest.ts';
export type { ByteRange, ObjectStore } from './object-store.ts';
export {
  type ObjectStoreLocation,
  type FileStoreLocation,
  type S3StoreLocation,
  stagingRoot,
  type StorePlace,
} from './object-store-location.ts';
export { openDataset } from './open-dataset.ts';
export { openObjectStore, type OpenedObjectStore } from './open-object-store.ts';
export { readManifest } from './read-manifest.ts';
export { removeDataset } from './remove-dataset.ts';
export { SharedWork } from './shared-work.ts';
export { sweepDatasets } from './sweep-datasets.ts';
export type { GroupStatistics } from './statistics/group-statistics.ts';
export type { VerifyProgress, VerifyReport } from './verify-dataset.ts';
export { verifyDataset } from './verify-dataset.ts';
