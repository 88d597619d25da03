import { resolve } from 'node:path';
import {
  CachedObjectStore,
  type CacheUse,
  FileObjectStore,
  type OpenedStore,
  openS3ObjectStore,
  removeBlocks,
  type S3Location,
} from '@cellfolio/bytes';
import { datasetPrefix, derivedPrefix, filesPrefix, isWrittenOnce, locationOf } from './dataset-id.ts';
import type { DatasetPublisher } from './publish/dataset-publisher.ts';
import { FilePublisher } from './publish/file-publisher.ts';

/** Where datasets are: plain data that can be sent to a compute thread or a worker process. */
export type ObjectStoreLocation = FileStoreLocation | S3StoreLocation;

interface FileStoreLocation {
  readonly kind: 'file';
  readonly root: string;
}

export interface S3StoreLocation extends S3Location {
  readonly kind: 's3';
  /** Folder of blocks read before; several processes and threads may share it, and it may be removed at any time. */
  readonly cacheFolder: string;
  /** What that folder may grow to; 0 for no cache. */
  readonly cacheBytes: number;
  /** Folder in which a dataset is prepared before it is sent. */
  readonly stagingFolder: string;
}

/** A location, or the root folder of a store of files. */
export type StorePlace = string | ObjectStoreLocation;

/** The folder below which datasets are prepared, and large sorts may spill: `incoming/` in it is swept by writers. */
export function stagingRoot(place: StorePlace): string {
  if (typeof place === 'string') return resolve(place);
  return resolve(place.kind === 'file' ? place.root : place.stagingFolder);
}

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

/** Releases what a store keeps of a deleted dataset: open files, and blocks on the disk. Throws InvalidDatasetId. */
export async function forgetDataset(objects: Pick<OpenedStore, 'forget'>, id: string): Promise<void> {
  await objects.forget(filesPrefix(id));
  await objects.forget(derivedPrefix(id));
  await objects.forget(datasetPrefix(id));
}

/** The publisher of a place. The client of S3 is loaded only where it is needed: it takes longer than most reads. */
export async function openPublisher(place: StorePlace): Promise<DatasetPublisher> {
  if (typeof place === 'string' || place.kind === 'file') return new FilePublisher(stagingRoot(place));
  const { S3Publisher } = await import('./publish/s3-publisher.ts');
  return new S3Publisher(await openS3ObjectStore(place), stagingRoot(place));
}

/**
 * Deletes a dataset: hides it at once, then deletes its files and what this machine's cache has of them.
 * Throws InvalidDatasetId, DatasetNotFound, StoreWriteFailed.
 */
export async function removeDataset(place: StorePlace, id: string): Promise<void> {
  locationOf(id);
  await withPublisher(place, async (publisher) => {
    await publisher.remove(id);
    if (typeof place === 'string' || place.kind === 'file') return;
    for (const prefix of [filesPrefix(id), datasetPrefix(id)]) await removeBlocks(place.cacheFolder, prefix);
  });
}

/**
 * Removes what writers that died left in a store, as every new writer does; for housekeeping where nothing is written
 * for long. What running writers fill is left alone.
 */
export async function sweepDatasets(place: StorePlace): Promise<void> {
  await withPublisher(place, (publisher) => publisher.sweep());
}

async function withPublisher(
  place: StorePlace,
  work: (publisher: DatasetPublisher) => Promise<void>,
): Promise<void> {
  const publisher = await openPublisher(place);
  try {
    await work(publisher);
  } finally {
    await publisher.close();
  }
}
