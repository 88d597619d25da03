export { ByteCache, type CacheUse } from './byte-cache.ts';
export { CachedObjectStore } from './cache/cached-object-store.ts';
export { removeBlocks } from './cache/cache-folder.ts';
export { eachLimited } from './concurrency.ts';
export {
  BlobTooLarge,
  fileFault,
  InvalidObjectKey,
  ObjectNotFound,
  ObjectStoreFailed,
  StoreUrlError,
  StoreWriteFailed,
} from './errors.ts';
export { FileObjectStore } from './file-object-store.ts';
export type { BlobState, BlobStore, Checkpoint } from './files/blob-store.ts';
export { FileBlobStore, freeBytes } from './files/file-blob-store.ts';
export type {
  ByteRange,
  ByteSource,
  ListsFolders,
  ListsObjects,
  ObjectStore,
  OpenedStore,
  ReadOptions,
  WriteOptions,
} from './object-store.ts';
export { openBlobStore, openS3ObjectStore } from './open-stores.ts';
export {
  foreignAge,
  isRunning,
  newMark,
  ownerState,
  ownIdentity,
  type ProcessIdentity,
} from './process-mark.ts';
export { connectionCodes, isStoreUnavailable } from './s3/retries.ts';
export type { S3ObjectStore } from './s3/s3-object-store.ts';
export { parseS3Url, type S3Location } from './s3/s3-url.ts';
export { SharedWork } from './concurrency.ts';
export { makeFolder, syncFile, syncFolder, syncTree } from './sync-folder.ts';
