import { fileURLToPath } from 'node:url';
import { BlobStoreUrlError } from './blob-errors.ts';
import type { BlobStore } from './blob-store.ts';
import { FileBlobStore } from './file-blob-store.ts';
import { S3BlobStore } from './s3-blob-store.ts';
import { parseS3Url } from './s3-url.ts';

/**
 * The blob store at an address: `file:///folder`, or S3 as `parseS3Url` reads it. Nothing is asked of it yet.
 * Throws BlobStoreUrlError.
 */
export function openBlobStore(url: string): BlobStore {
  if (url.startsWith('s3:')) return new S3BlobStore(parseS3Url(url));
  if (!url.startsWith('file:')) throw new BlobStoreUrlError('it begins with neither file: nor s3:.');
  try {
    return new FileBlobStore(fileURLToPath(url));
  } catch (cause) {
    throw new BlobStoreUrlError('it is not the address of a folder.', { cause });
  }
}
