import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { PoolClient } from 'pg';
import type { Caller } from '../../database/database.ts';
import { blobKeyOf } from '../blob-key.ts';
import type { UploadContext } from '../storage-context.ts';
import { storageSettings } from '../storage-settings.ts';
import { abandonUpload, commitObject } from './upload-object.ts';
import { checkSize, objectMetadata, planUpload } from './plan-upload.ts';
import { leaveCallerRole } from './object-row.ts';
import { Reservation } from './reservation.ts';

/** What storing a file from this server's disk needs; its largest size is the default one. */
export type StoreFileContext = Omit<UploadContext, 'settings'>;

/** A file on the disk of the server, to be stored in the name of a user. */
export interface NewFile {
  readonly caller: Caller;
  readonly bucketId: string;
  /** Key of the object. */
  readonly name: string;
  /** Path of the bytes. */
  readonly source: string;
  readonly mimeType: string;
  readonly signal?: AbortSignal | undefined;
  /** Runs in the transaction that stores the object, with the rights of the caller; throwing undoes it all. */
  readonly asCaller?: (client: PoolClient, bytes: number) => Promise<void>;
  /** Runs after that in the same transaction, with the rights of the server. */
  readonly asServer?: (client: PoolClient) => Promise<void>;
}

const chunkBytes = 256 * 1024;

/**
 * Stores a file as an upload of the caller would: quota and policies decide. Bytes, object and the rows that `asCaller`
 * and `asServer` write are there together or not at all. Throws StorageError (such as `QuotaExceeded`), the database's
 * 42501 where a policy refuses, StoreWriteFailed, or what the two threw.
 */
export async function storeFile(given: StoreFileContext, file: NewFile): Promise<void> {
  const context: UploadContext = { ...given, settings: storageSettings.parse({}) };
  const { caller, bucketId, name, signal } = file;
  const plan = await planUpload(context, { caller, bucketId, name, upsert: false });
  const { size: expected } = await stat(file.source);
  checkSize(expected, plan.maxBytes);
  const reservation = await Reservation.open(context, plan, { atLeast: expected, atMost: expected });
  try {
    const { size, digest } = await context.blobs.put(
      blobKeyOf(plan.version),
      reservation.metered(createReadStream(file.source, { highWaterMark: chunkBytes })),
      { maxBytes: plan.maxBytes, expectedBytes: expected, signal },
    );
    const metadata = objectMetadata(
      { size, eTag: `"${digest}"` },
      { mimetype: file.mimeType },
      context.now(),
    );
    await commitObject(context, plan, metadata, null, async (client) => {
      await file.asCaller?.(client, size);
      await leaveCallerRole(client);
      await file.asServer?.(client);
    });
  } catch (error) {
    await abandonUpload(context, plan.version);
    throw error;
  }
}
