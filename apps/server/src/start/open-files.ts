import { type BlobStore, FileBlobStore, openBlobStore } from '@cellfolio/platform';
import type { Settings } from './environment.ts';

/** Where users' files are: an S3 store, or beside the datasets, below `files/`. */
export function openFiles({ filesUrl, objectRoot }: Pick<Settings, 'filesUrl' | 'objectRoot'>): BlobStore {
  return filesUrl === undefined ? new FileBlobStore(objectRoot) : openBlobStore(filesUrl);
}
