import {
  CachedObjectStore,
  type CacheUse,
  FileObjectStore,
  type OpenedStore,
  openS3ObjectStore,
} from '@cellfolio/bytes';
import { datasetPrefix, filesPrefix, isWrittenOnce } from './dataset-id.ts';
import { stagingRoot, type StorePlace } from './object-store-location.ts';

export interface OpenedObjectStore extends OpenedStore {
  /** Of the cache on the disk, where there is one. */
  readonly cacheUse?: CacheUse;
}

/**
 * Opens a store for reading and writing objects; nothing is asked of it yet. One over the network reads through its
 * cache on the disk. Whole datasets are written by `createDatasetWriter` and removed by `removeDataset`.
 */
export async function openObjectStore(place: StorePlace): Promise<OpenedObjectStore> {
  if (typeof place === 'string' || place.kind === 'file') return new FileObjectStore(stagingRoot(place));
  const store = await openS3ObjectStore(place);
  const { cacheFolder: folder, cacheBytes: bytes } = place;
  return bytes > 0 ? new CachedObjectStore(store, { folder, bytes, isWrittenOnce }) : store;
}

/** Lets go of what a store keeps of a dataset that is gone: open files, and blocks on the disk. Throws InvalidDatasetId. */
export async function forgetDataset(objects: Pick<OpenedStore, 'forget'>, id: string): Promise<void> {
  await objects.forget(filesPrefix(id));
  await objects.forget(datasetPrefix(id));
}
