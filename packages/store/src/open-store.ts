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

/** Location of datasets: plain data that can be sent to a compute thread or a worker process. */
export type ObjectStoreLocation = FileStoreLocation | S3StoreLocation;

interface FileStoreLocation {
  kind: 'file';
  root: string;
}

export interface S3StoreLocation extends S3Location {
  kind: 's3';
  /** Folder of cached blocks; several processes and threads may share it, and it may be removed at any time. */
  cacheFolder: string;
  /** Maximum bytes of that folder; 0 for no cache. */
  cacheBytes: number;
  stagingFolder: string;
}

export type StorePlace = string | ObjectStoreLocation;

/** Folder below which datasets are prepared, and large sorts may spill: writers clean up its `incoming/`. */
export function stagingRoot(place: StorePlace): string {
  if (typeof place === 'string') return resolve(place);
  return resolve(place.kind === 'file' ? place.root : place.stagingFolder);
}

export interface OpenedObjectStore extends OpenedStore {
  readonly cacheUse?: CacheUse;
}

/**
 * Opens a store for reading and writing objects, without any request yet. A network store reads through its disk cache.
 * Whole datasets are written by `createDatasetWriter` and removed by `removeDataset`.
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

/** Loads the S3 client only if needed: that takes longer than most reads. */
export async function openPublisher(place: StorePlace): Promise<DatasetPublisher> {
  if (typeof place === 'string' || place.kind === 'file') return new FilePublisher(stagingRoot(place));
  const { S3Publisher } = await import('./publish/s3-publisher.ts');
  return new S3Publisher(await openS3ObjectStore(place), stagingRoot(place));
}

/**
 * Deletes a dataset: hides it at once, then deletes its files and this machine's cached blocks. Throws
 * InvalidDatasetId, DatasetNotFound, StoreWriteFailed.
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
 * Removes the leftovers of dead writers from a store, as every new writer does; for stores without writes for a long
 * time. Does not touch the folders of running writers.
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
