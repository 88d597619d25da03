import { uploadExtensions } from '@cellfolio/contract';
import { type BucketRules, storeFile, type StoreFileContext } from '@cellfolio/platform';
import type { PoolClient } from 'pg';
import type { UserFileLimits } from '../quotas/index.ts';
import { type Owner, userOfOwner } from '../../runtime/owners.ts';
import { limits } from '../../runtime/limits/limits.ts';

const bucketId = 'user-files';
/** Each object may be replaced once a day, and as many more may be given up. */
const uploadsPerObject = limits.fileUploads.value / limits.fileObjects.value;

/** The rules of the bucket of users' files, with a folder per owner. */
export function userFileBuckets({ quotaBytes, objects }: UserFileLimits): ReadonlyMap<string, BucketRules> {
  return new Map([
    [
      bucketId,
      {
        extensions: uploadExtensions.map((extension) => extension.slice(1)),
        folderQuotaBytes: quotaBytes,
        folderObjects: objects,
        folderUploads: uploadsPerObject * objects,
      },
    ],
  ]);
}

export interface UserFileContext extends Omit<StoreFileContext, 'buckets'> {
  limits: UserFileLimits;
}

export interface NewUserFile {
  owner: Owner;
  source: string;
  /** Path within the owner's folder, in characters valid in any key: `1732190000000_cells.h5ad`. */
  key: string;
  /** Display name, and the name of a downloaded file. */
  fileName: string;
  originalFilename: string;
  description: string | null;
  mimeType: string;
  signal?: AbortSignal;
  /** Runs in the transaction that adds the file, with the server's rights; throwing rolls everything back. */
  also?: (client: PoolClient, fileId: string) => Promise<void>;
}

/**
 * Adds a file in the name of its owner's user: plan, quota and policies apply as for an upload. Bytes, object and row are stored
 * together or not at all. Returns the id of its row. Throws StorageError (such as `QuotaExceeded`), the database's
 * 42501 when a policy refuses, StoreWriteFailed, or what `also` threw.
 */
export async function storeOwnFile(
  { limits: fileLimits, ...context }: UserFileContext,
  file: NewUserFile,
): Promise<string> {
  const { owner, source, mimeType, signal } = file;
  const name = `${owner}/${file.key}`;
  let fileId = '';
  await storeFile(
    { ...context, buckets: userFileBuckets(fileLimits) },
    {
      caller: { role: 'authenticated', claims: { sub: userOfOwner(owner), role: 'authenticated' } },
      bucketId,
      name,
      source,
      mimeType,
      signal,
      asCaller: async (client, bytes) => {
        const { rows } = await client.query<{ id: string }>(
          `insert into public.user_files
             (user_id, file_name, original_filename, description, file_size, mime_type, file_path)
           values ($1, $2, $3, $4, $5, $6, $7) returning id`,
          [owner, file.fileName, file.originalFilename, file.description, bytes, mimeType, name],
        );
        fileId = rows[0]?.id ?? '';
      },
      asServer: async (client) => file.also?.(client, fileId),
    },
  );
  return fileId;
}
