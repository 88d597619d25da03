import type { CacheUse } from './cache-use.ts';
import { FileObjectStore } from './file-object-store.ts';
import { stagingRoot, type StorePlace } from './object-store-location.ts';
import type { ObjectStore } from './object-store.ts';

export interface OpenedObjectStore extends ObjectStore {
  /** Of the cache on the disk, where there is one. */
  readonly cacheUse?: CacheUse;
  /** Lets go of what it keeps of a dataset that is gone: open files, and blocks on the disk. Throws InvalidDatasetId. */
  forget(datasetId: string): Promise<void>;
  /** Closes files and connections. */
  close(): Promise<void>;
}

/**
 * Opens a store for reading and writing objects; nothing is asked of it yet. One over the network reads through its
 * cache on the disk. Whole datasets are written by `createDatasetWriter` and removed by `removeDataset`.
 */
export async function openObjectStore(place: StorePlace): Promise<OpenedObjectStore> {
  if (typeof place === 'string' || place.kind === 'file') return new FileObjectStore(stagingRoot(place));
  // Loaded only where it is needed: it takes longer than most reads.
  const { S3ObjectStore } = await import('./s3/s3-object-store.ts');
  const { CachedObjectStore } = await import('./cache/cached-object-store.ts');
  const store = new S3ObjectStore(place);
  return place.cacheBytes > 0
    ? new CachedObjectStore(store, { folder: place.cacheFolder, bytes: place.cacheBytes })
    : store;
}
