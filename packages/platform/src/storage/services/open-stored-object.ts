import type { Readable } from 'node:stream';
import type { Database } from '../../database/database.ts';
import { blobKeyOf } from '../blob-key.ts';
import type { BlobStore, ByteRange } from '@cellfolio/bytes';
import { findObject, type ObjectMetadata } from './stored-object.ts';

/** An object as the server's own code reads it. */
export interface OpenedObject {
  readonly version: string;
  readonly metadata: ObjectMetadata;
  /** Key of its bytes in the blob store; `FileBlobStore.pathOf` gives the file. */
  readonly blobKey: string;
  read(range?: ByteRange): Promise<Readable>;
}

/**
 * The object whoever asks: the caller has found out before that it is theirs to read. Undefined where there is none. What
 * was opened can be read as long as it is neither replaced nor removed; then `read` throws ObjectNotFound.
 */
export async function openStoredObject(
  { database, blobs }: { readonly database: Database; readonly blobs: BlobStore },
  bucketId: string,
  name: string,
): Promise<OpenedObject | undefined> {
  const found = await findObject(database.pool, bucketId, name);
  if (!found) return undefined;
  const blobKey = blobKeyOf(found.version);
  return {
    version: found.version,
    metadata: found.metadata,
    blobKey,
    read: (range) => blobs.get(blobKey, range && { range }),
  };
}
