import { resolve } from 'node:path';
import type { S3Location } from '@cellfolio/bytes';

/** Where datasets are: plain data, so that a compute thread or a worker process can be told. */
export type ObjectStoreLocation = FileStoreLocation | S3StoreLocation;

export interface FileStoreLocation {
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
