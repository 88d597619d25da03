import { type BlobStore, BlobStoreUrlError, FileBlobStore, openBlobStore } from '@cellfolio/platform';
import type { Settings } from './environment.ts';
import { InvalidSettings } from './invalid-settings.ts';

/** Where users' files are: an S3 store, or beside the datasets, below `files/`. Throws InvalidSettings. */
export function openFiles({ filesUrl, objectRoot }: Pick<Settings, 'filesUrl' | 'objectRoot'>): BlobStore {
  if (filesUrl === undefined) return new FileBlobStore(objectRoot);
  try {
    return openBlobStore(filesUrl);
  } catch (error) {
    // The address has a secret in it, the reason has not.
    if (error instanceof BlobStoreUrlError) throw new InvalidSettings(`OBJECT_STORE_URL: ${error.reason}`);
    throw error;
  }
}
