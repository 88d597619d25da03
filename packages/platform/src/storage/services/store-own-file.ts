import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { PoolClient } from 'pg';
import { blobKeyOf } from '../blob-key.ts';
import type { UploadContext } from '../storage-context.ts';
import { storageSettings, type StorageSettingsInput } from '../storage-settings.ts';
import { abandonUpload, commitObject } from './upload-object.ts';
import { checkSize, objectMetadata, planUpload } from './plan-upload.ts';
import { leaveCallerRole } from './object-row.ts';
import { Reservation } from './reservation.ts';

export type OwnFileContext = Omit<UploadContext, 'settings'> & { readonly settings?: StorageSettingsInput };

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

const bucketId = 'user-files';
const pieceBytes = 256 * 1024;

/**
 * Puts a file among those of a user, in the user's name: plan, quota and policies decide as they do for an upload.
 * Bytes, object and row are there together or not at all. Returns the id of its row. Throws StorageError (such as
 * `QuotaExceeded`), the database's 42501 where a policy refuses, StoreWriteFailed, or what `also` threw.
 */
export async function storeOwnFile(given: OwnFileContext, file: NewOwnFile): Promise<string> {
  const context: UploadContext = { ...given, settings: storageSettings.parse(given.settings ?? {}) };
  const { userId, signal } = file;
  const caller = { role: 'authenticated', claims: { sub: userId, role: 'authenticated' } } as const;
  const name = `${userId}/${file.key}`;
  const plan = await planUpload(context, { caller, bucketId, name, upsert: false });
  const { size: expected } = await stat(file.source);
  checkSize(expected, plan.maxBytes);
  const reservation = await Reservation.open(context, plan, { atLeast: expected, atMost: expected });
  try {
    const { size, digest } = await context.blobs.put(
      blobKeyOf(plan.version),
      reservation.metered(createReadStream(file.source, { highWaterMark: pieceBytes })),
      { maxBytes: plan.maxBytes, expectedBytes: expected, signal },
    );
    const metadata = objectMetadata(
      { size, eTag: `"${digest}"` },
      { mimetype: file.mimeType },
      context.now(),
    );
    let fileId = '';
    await commitObject(context, plan, metadata, null, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `insert into public.user_files
           (user_id, file_name, original_filename, description, file_size, mime_type, file_path)
         values ($1, $2, $3, $4, $5, $6, $7) returning id`,
        [userId, file.fileName, file.originalFilename, file.description, size, file.mimeType, name],
      );
      fileId = rows[0]?.id ?? '';
      await leaveCallerRole(client);
      await file.also?.(client, fileId);
    });
    return fileId;
  } catch (error) {
    await abandonUpload(context, plan.version);
    throw error;
  }
}

/** What a user's files may take in all; in bytes. */
export function userQuotaBytes(settings: StorageSettingsInput = {}): number {
  return storageSettings.parse(settings).userQuotaBytes;
}
