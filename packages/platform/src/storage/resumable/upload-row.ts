import type { Database } from '../../database/database.ts';
import type { Caller } from '../../database/database.ts';
import type { BlobState, Checkpoint } from '@cellfolio/bytes';

/** A resumable upload as the database has it. */
export interface UploadRow {
  readonly id: string;
  readonly bucket_id: string;
  readonly name: string;
  readonly upsert: boolean;
  readonly caller: Caller;
  readonly tus_metadata: Record<string, string | null> | null;
  /** Bytes; null as long as the sender has not said. */
  readonly upload_length: number | null;
  readonly upload_offset: number;
  readonly reserved_bytes: number;
  readonly blob_state: BlobState;
  readonly digest: string | null;
  readonly finished: boolean;
  readonly expires_at: Date;
}

/** Ids are UUIDs as we write them; the database takes nothing else for one. */
export function isUploadId(id: string | undefined): id is string {
  return id !== undefined && /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/.test(id);
}

/** Undefined for an id that is unknown, or of an upload that cannot be resumed. */
export async function uploadRow(database: Database, id: string): Promise<UploadRow | undefined> {
  const { rows } = await database.pool.query<UploadRow>(
    `select id, bucket_id, name, upsert, caller, tus_metadata, upload_length::float8 as upload_length,
       upload_offset::float8 as upload_offset, reserved_bytes::float8 as reserved_bytes, blob_state, digest,
       finished_at is not null as finished, expires_at
     from storage.uploads where id = $1 and resumable`,
    [id],
  );
  return rows[0];
}

/**
 * Notes how far an upload is, if it still is where this writer believes. False where it is not: another writer went on,
 * or the upload was given up.
 */
export async function noteProgress(
  database: Database,
  id: string,
  from: number,
  { offset, state, digest }: Checkpoint,
  secondsLeft: number,
): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    `update storage.uploads set upload_offset = $3, blob_state = $4, digest = $5, updated_at = now(),
       expires_at = now() + make_interval(secs => $6)
     where id = $1 and upload_offset = $2 and finished_at is null`,
    [id, from, offset, JSON.stringify(state), digest, secondsLeft],
  );
  return rowCount === 1;
}
