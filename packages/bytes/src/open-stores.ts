import { fileURLToPath } from 'node:url';
import { StoreUrlError } from './errors.ts';
import type { BlobStore } from './files/blob-store.ts';
import { FileBlobStore } from './files/file-blob-store.ts';
import type { RetryPolicy } from './s3/retries.ts';
import type { S3ObjectStore } from './s3/s3-object-store.ts';
import { parseS3Url, type S3Location } from './s3/s3-url.ts';

// The S3 client is loaded on demand: loading takes longer than most reads.

export async function openS3ObjectStore(location: S3Location, policy?: RetryPolicy): Promise<S3ObjectStore> {
  const { S3ObjectStore } = await import('./s3/s3-object-store.ts');
  return new S3ObjectStore(location, policy);
}

/**
 * Opens the blob store of a URL, `file:///folder` or S3 as in `parseS3Url`, without a request. Throws StoreUrlError.
 */
export async function openBlobStore(url: string): Promise<BlobStore> {
  if (url.startsWith('s3:')) {
    const location = parseS3Url(url);
    const { S3BlobStore } = await import('./files/s3-blob-store.ts');
    return new S3BlobStore(location);
  }
  if (!url.startsWith('file:')) throw new StoreUrlError('it does not begin with file: or s3:.');
  try {
    return new FileBlobStore(fileURLToPath(url));
  } catch (cause) {
    throw new StoreUrlError('it is not the URL of a folder.', { cause });
  }
}
