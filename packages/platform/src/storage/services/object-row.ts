import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Caller, Database } from '../../database/database.ts';
import { userIdOf } from '../storage-caller.ts';
import { alreadyExists } from '../storage-answers.ts';
import { StorageError } from '../storage-error.ts';
import type { ObjectMetadata } from './stored-object.ts';

export interface NewObject {
  readonly bucketId: string;
  readonly name: string;
  /** Replaces an object of that name instead of being refused. */
  readonly upsert: boolean;
  readonly version: string;
  readonly metadata: ObjectMetadata;
  readonly userMetadata: Record<string, unknown> | null;
}

/** Most characters of what is said of a file: its type, how long it may be kept, and all else as JSON. */
const longest = { mimetype: 255, cacheControl: 1_000, metadata: 16_384 };

/** Throws StorageError `InvalidRequest`. */
function checkDescription({ metadata: { mimetype, cacheControl }, userMetadata }: NewObject): void {
  const metadata = userMetadata === null ? '' : JSON.stringify(userMetadata);
  for (const [what, text] of Object.entries({ mimetype, cacheControl, metadata })) {
    const most = longest[what as keyof typeof longest];
    if (text.length <= most) continue;
    throw new StorageError(
      'InvalidRequest',
      `The ${what} of a file takes ${most.toLocaleString('en-US')} characters at most. Shorten it.`,
    );
  }
}

/**
 * Writes the row of an object under the caller's role and returns its id. Without `upsert` the INSERT right is enough.
 * Throws StorageError `KeyAlreadyExists` or `InvalidRequest`, and the database's 42501 where a policy refuses.
 */
export async function putObjectRow(client: PoolClient, caller: Caller, object: NewObject): Promise<string> {
  checkDescription(object);
  const owner = userIdOf(caller);
  const id = randomUUID();
  const values = [
    id,
    object.bucketId,
    object.name,
    owner,
    owner,
    object.version,
    JSON.stringify(object.metadata),
    object.userMetadata === null ? null : JSON.stringify(object.userMetadata),
  ];
  const insert = `insert into storage.objects
      (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
    values ($1, $2, $3, $4::uuid, $5, $6, $7::jsonb, $8::jsonb)`;
  if (!object.upsert) {
    try {
      await client.query(insert, values);
    } catch (cause) {
      throw (cause as { code?: string }).code === '23505' ? alreadyExists(cause) : cause;
    }
    return id;
  }
  const { rows } = await client.query<{ id: string }>(
    `${insert}
     on conflict (bucket_id, name) do update set owner = excluded.owner, owner_id = excluded.owner_id,
       version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata,
       updated_at = now()
     returning id`,
    values,
  );
  return rows[0]?.id ?? id;
}

/** Whether the caller could write that row now, found out by writing and undoing it. Throws as `putObjectRow` does. */
export async function probeObjectRow(database: Database, caller: Caller, object: NewObject): Promise<void> {
  const undone = new Undone();
  await database
    .as(caller, async (client) => {
      await putObjectRow(client, caller, object);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
}

/** Back to the role of the connection, for what the caller has no right to; lapses with the transaction. */
export async function leaveCallerRole(client: PoolClient): Promise<void> {
  await client.query(`select set_config('role', 'none', true)`);
}

class Undone extends Error {
  override readonly name = 'Undone';
}
