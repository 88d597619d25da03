import { type BlobStore, FileBlobStore, openBlobStore, StoreUrlError } from '@cellfolio/bytes';
import type { Settings } from './settings/read-settings.ts';
import { InvalidSettings } from './settings/setting-types.ts';

/** Where users' files are: an S3 store, or beside the datasets, below `files/`. Throws InvalidSettings. */
export async function openFiles({
  filesUrl,
  objectRoot,
}: Pick<Settings, 'filesUrl' | 'objectRoot'>): Promise<BlobStore> {
  if (filesUrl === undefined) return new FileBlobStore(objectRoot);
  try {
    return await openBlobStore(filesUrl);
  } catch (error) {
    // The address has a secret in it, the reason has not.
    if (error instanceof StoreUrlError) throw new InvalidSettings(`OBJECT_STORE_URL: ${error.reason}`);
    throw error;
  }
}
