import type { PoolClient } from 'pg';
import { blobKeyOf } from '../blob-key.ts';
import { type BlobState, type ByteSource, StoreWriteFailed } from '@cellfolio/bytes';
import { StorageError } from '../storage-error.ts';
import type { StorageContext, UploadContext } from '../storage-context.ts';
import { withoutStalls } from '../without-stalls.ts';
import { buryQuietly } from './dead-blobs.ts';
import { leaveCallerRole, putObjectRow } from './object-row.ts';
import {
  checkMimeType,
  checkSize,
  type FileDescription,
  objectMetadata,
  type UploadPlan,
} from './plan-upload.ts';
import { Reservation } from './reservation.ts';
import type { ObjectMetadata } from './stored-object.ts';

export interface Upload extends FileDescription {
  readonly body: ByteSource;
  /** Bytes of the whole request, which may be a little more than the file. */
  readonly announcedBytes: number | undefined;
  /** How much of them may be wrapping. */
  readonly wrappingBytes: number;
  /** Asked when the bytes are in, because parts of a form may follow the file. */
  readonly userMetadata: () => Record<string, unknown> | null;
  readonly signal?: AbortSignal | undefined;
}

export interface Uploaded {
  readonly Id: string;
  /** Bucket and name, with a slash between. */
  readonly Key: string;
}

/**
 * Stores what comes, then writes the row: whatever fails in between, there is no row, and the bytes are cleared away.
 * Throws StorageError, the database's 42501, or what the body threw.
 */
export function uploadObject(context: StorageContext, plan: UploadPlan, upload: Upload): Promise<Uploaded> {
  return context.slots.hold(() => takeIn(context, plan, upload));
}

async function takeIn(context: StorageContext, plan: UploadPlan, upload: Upload): Promise<Uploaded> {
  const { announcedBytes, wrappingBytes, signal } = upload;
  checkMimeType(upload.mimetype || 'application/octet-stream', plan.allowedMimeTypes);
  const least = Math.max(0, (announcedBytes ?? 0) - wrappingBytes);
  checkSize(least, plan.maxBytes);
  const reservation = await Reservation.open(context, plan, { atLeast: least, atMost: announcedBytes ?? 0 });
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
    // Given up as abandoned, its bytes were deleted under its hands.
    throw error instanceof StoreWriteFailed && !reserved ? givenUp(error) : error;
  }
}

/**
 * Writes the row in the caller's name and gives up the reservation, both or neither; `also` is what else belongs to it,
 * in the caller's name too.
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
    // Without its reservation the upload was given up as abandoned, and its bytes with it.
    if (rowCount === 0) throw givenUp();
    return id;
  });
  if (plan.upsert) await buryQuietly(context);
  return id;
}

/**
 * Gives the reservation back and deletes the bytes, unless the row was written after all: an answer to COMMIT that was
 * lost must not cost the file. Whether there was a reservation.
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
    await buryQuietly(context);
    return reserved;
  } catch (error) {
    context.log.warn({ err: error, version }, 'an upload that failed could not be cleared away yet');
    return true;
  }
}

function givenUp(cause?: unknown): StorageError {
  return new StorageError('NoSuchUpload', 'The upload was given up; begin it again.', { cause });
}
