import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { PoolClient } from 'pg';
import { type BlobState, type ByteSource, StoreWriteFailed } from '@cellfolio/bytes';
import { blobKeyOf, leaveCallerRole, putObjectRow, type ObjectMetadata } from './objects.ts';
import { StorageError } from './storage-error.ts';
import { type StorageContext, type UploadContext, storageSettings } from './storage-context.ts';
import { withoutStalls } from './upload-slots.ts';
import { deleteUnusedBlobs } from './sweep-storage.ts';
import {
  checkMimeType,
  checkSize,
  type FileDescription,
  objectMetadata,
  type UploadPlan,
  planUpload,
} from './plan-upload.ts';
import { Reservation } from './reservation.ts';
import type { Caller } from '../database/database.ts';

export interface Upload extends FileDescription {
  body: ByteSource;
  /** Bytes of the whole request, which may be a little more than the file. */
  announcedBytes: number | undefined;
  /** Maximum bytes of form wrapping among them. */
  wrappingBytes: number;
  /** Called once the bytes are in, because parts of a form may follow the file. */
  userMetadata: () => Record<string, unknown> | null;
  signal?: AbortSignal | undefined;
}

export interface Uploaded {
  Id: string;
  /** Bucket and name, separated by a slash. */
  Key: string;
}

/**
 * Stores the bytes, then writes the row: after any failure there is no row, and the bytes are removed. Throws
 * StorageError, the database's 42501, or the body's error.
 */
export function uploadObject(context: StorageContext, plan: UploadPlan, upload: Upload): Promise<Uploaded> {
  return context.slots.hold(() => takeIn(context, plan, upload));
}

async function takeIn(context: StorageContext, plan: UploadPlan, upload: Upload): Promise<Uploaded> {
  const { announcedBytes, wrappingBytes, signal } = upload;
  checkMimeType(upload.mimetype || 'application/octet-stream', plan.allowedMimeTypes);
  const minBytes = Math.max(0, (announcedBytes ?? 0) - wrappingBytes);
  checkSize(minBytes, plan.maxBytes);
  const reservation = await Reservation.open(context, plan, {
    atLeast: minBytes,
    atMost: announcedBytes ?? 0,
  });
  try {
    const { size, digest } = await context.blobs.put(
      blobKeyOf(plan.version),
      reservation.metered(withoutStalls(upload.body, context.settings.stallSeconds)),
      { maxBytes: plan.maxBytes, expectedBytes: announcedBytes, signal },
    );
    const metadata = objectMetadata({ size, eTag: `"${digest}"` }, upload, context.now());
    const id = await commitObject(context, plan, metadata, upload.userMetadata());
    return { Id: id, Key: `${plan.bucketId}/${plan.name}` };
  } catch (error) {
    const reserved = await abandonUpload(context, plan.version);
    // Swept as abandoned: its bytes were deleted meanwhile.
    throw error instanceof StoreWriteFailed && !reserved ? givenUp(error) : error;
  }
}

/**
 * Writes the row as the caller and releases the reservation, both or neither; `also` adds further work as the caller.
 */
export async function commitObject(
  context: UploadContext,
  plan: Omit<UploadPlan, 'maxBytes' | 'rules' | 'allowedMimeTypes'>,
  metadata: ObjectMetadata,
  userMetadata: Record<string, unknown> | null,
  also: (client: PoolClient) => Promise<void> = async () => {},
): Promise<string> {
  const { caller, version } = plan;
  const id = await context.database.as(caller, async (client) => {
    const id = await putObjectRow(client, caller, { ...plan, metadata, userMetadata });
    await also(client);
    await leaveCallerRole(client);
    const { rowCount } = await client.query('delete from storage.uploads where id = $1', [version]);
    // Without a reservation the upload was swept as abandoned, with its bytes.
    if (rowCount === 0) throw givenUp();
    return id;
  });
  if (plan.upsert) await deleteUnusedBlobs(context);
  return id;
}

/**
 * Releases the reservation and deletes the bytes, unless the row was written after all: a lost response to COMMIT must
 * not cost the file. Returns whether there was a reservation.
 */
export async function abandonUpload(context: UploadContext, version: string): Promise<boolean> {
  try {
    const reserved = await context.database.transaction(async (client) => {
      const { rows } = await client.query<{ blob_state: BlobState }>(
        'delete from storage.uploads where id = $1 returning blob_state',
        [version],
      );
      if (!rows[0]) return false;
      await client.query('insert into storage.dead_blobs (version, blob_state) values ($1, $2)', [
        version,
        JSON.stringify(rows[0].blob_state ?? {}),
      ]);
      return true;
    });
    await deleteUnusedBlobs(context);
    return reserved;
  } catch (error) {
    context.log.warn({ err: error, version }, 'an upload that failed could not be cleared away yet');
    return true;
  }
}

function givenUp(cause?: unknown): StorageError {
  return new StorageError('NoSuchUpload', 'The upload was abandoned. Start it again.', { cause });
}

/** Needs of storing a file from this server's disk; its maximum size is the default. */
export type StoreFileContext = Omit<UploadContext, 'settings'>;

interface NewFile {
  caller: Caller;
  bucketId: string;
  name: string;
  source: string;
  mimeType: string;
  signal?: AbortSignal | undefined;
  /** Runs in the transaction that stores the object, with the caller's rights; throwing rolls everything back. */
  asCaller?: (client: PoolClient, bytes: number) => Promise<void>;
  /** Runs after `asCaller` in the same transaction, with the server's rights. */
  asServer?: (client: PoolClient) => Promise<void>;
}

const chunkBytes = 256 * 1024;

/**
 * Stores a file like an upload by the caller: quota and policies decide. Bytes, object and the rows written by
 * `asCaller` and `asServer` are stored together or not at all. Throws StorageError (such as `QuotaExceeded`), the
 * database's 42501 if a policy refuses, StoreWriteFailed, or the errors of the two callbacks.
 */
export async function storeFile(storeContext: StoreFileContext, file: NewFile): Promise<void> {
  const context: UploadContext = { ...storeContext, settings: storageSettings.parse({}) };
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
