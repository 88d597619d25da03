import { uploadExtensions } from '@cellfolio/contract';
import { type BucketRules, storeFile, type StoreFileContext } from '@cellfolio/platform';
import type { PoolClient } from 'pg';
import type { UserFileLimits } from '../quotas/index.ts';

const bucketId = 'user-files';

/** The rules of the bucket of users' files, each user's in a folder of their id. */
export function userFileBuckets({ quotaBytes, objects }: UserFileLimits): ReadonlyMap<string, BucketRules> {
  return new Map([
    [
      bucketId,
      {
        extensions: uploadExtensions.map((extension) => extension.slice(1)),
        folderQuotaBytes: quotaBytes,
        folderObjects: objects,
        // Each object may be replaced once a day, and as many more may be given up.
        folderUploads: 3 * objects,
      },
    ],
  ]);
}

export interface OwnFileContext extends Omit<StoreFileContext, 'buckets'> {
  readonly limits: UserFileLimits;
}

/** A file that the server made for a user, on its disk. */
export interface NewOwnFile {
  readonly userId: string;
  /** Path of the bytes. */
  readonly source: string;
  /** Below the folder of the user, in letters that every key takes: `1732190000000_cells.h5ad`. */
  readonly key: string;
  /** What people see, and the name it would have on their disk. */
  readonly fileName: string;
  readonly originalFilename: string;
  readonly description: string | null;
  readonly mimeType: string;
  readonly signal?: AbortSignal;
  /** Runs in the transaction that makes the file theirs, with the rights of the server; throwing undoes it all. */
  readonly also?: (client: PoolClient, fileId: string) => Promise<void>;
}

/**
 * Puts a file among those of a user, in the user's name: plan, quota and policies decide as they do for an upload.
 * Bytes, object and row are there together or not at all. Returns the id of its row. Throws StorageError (such as
 * `QuotaExceeded`), the database's 42501 where a policy refuses, StoreWriteFailed, or what `also` threw.
 */
export async function storeOwnFile(
  { limits, ...context }: OwnFileContext,
  file: NewOwnFile,
): Promise<string> {
  const { userId, source, mimeType, signal } = file;
  const name = `${userId}/${file.key}`;
  let fileId = '';
  await storeFile(
    { ...context, buckets: userFileBuckets(limits) },
    {
      caller: { role: 'authenticated', claims: { sub: userId, role: 'authenticated' } },
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
          [userId, file.fileName, file.originalFilename, file.description, bytes, mimeType, name],
        );
        fileId = rows[0]?.id ?? '';
      },
      asServer: async (client) => file.also?.(client, fileId),
    },
  );
  return fileId;
}
