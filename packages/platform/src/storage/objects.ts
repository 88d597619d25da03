import type { Readable } from 'node:stream';
import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { BlobStore, ByteRange } from '@cellfolio/bytes';
import type { Caller, Database } from '../database/database.ts';
import { StorageError, alreadyExists } from './storage-error.ts';
import { userIdOf } from './storage-request.ts';

/** Blob key of a version. Spread over folders, so that none holds them all. */
export function blobKeyOf(version: string): string {
  return `${blobPrefix}${version.slice(0, 2)}/${version}`;
}

/** Prefix of our keys, since the store may hold other data. */
export const blobPrefix = 'files/';

/** Stored metadata of an object's bytes, under the names that clients read. */
export interface ObjectMetadata {
  /** Quoted, as in the header. */
  eTag: string;
  size: number;
  mimetype: string;
  cacheControl: string;
  lastModified: string;
  contentLength: number;
  httpStatusCode: number;
}

/** A row of `storage.objects`; times are ISO 8601. */
export interface StoredObject {
  id: string;
  bucket_id: string;
  name: string;
  owner: string | null;
  owner_id: string | null;
  version: string;
  metadata: ObjectMetadata;
  user_metadata: Record<string, unknown> | null;
  created_at: string;
  updated_at: string;
  last_accessed_at: string;
}

const iso = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;

export const objectColumns = `id, bucket_id, name, owner, owner_id, version, metadata, user_metadata,
  ${iso('created_at')}, ${iso('updated_at')}, ${iso('last_accessed_at')}`;

async function findObject(
  client: Pick<PoolClient, 'query'>,
  bucketId: string,
  name: string,
): Promise<StoredObject | undefined> {
  const { rows } = await client.query<StoredObject>(
    `select ${objectColumns} from storage.objects where bucket_id = $1 and name = $2`,
    [bucketId, name],
  );
  return rows[0];
}

/** The object as visible to the caller. Throws StorageError `NoSuchKey` both if it is missing and if it is hidden. */
export async function visibleObject(
  database: Database,
  caller: Caller,
  { bucketId, name }: { bucketId: string; name: string },
): Promise<StoredObject> {
  const stored = await database.as(caller, (client) => findObject(client, bucketId, name), {
    readOnly: true,
  });
  if (!stored) throw noSuchKey();
  return stored;
}

export function noSuchKey(): StorageError {
  return new StorageError('NoSuchKey', 'Object not found');
}

interface OpenedObject {
  version: string;
  metadata: ObjectMetadata;
  /** Key of its bytes in the blob store; `FileBlobStore.pathOf` gives the file. */
  blobKey: string;
  read(range?: ByteRange): Promise<Readable>;
}

/**
 * Reads an object without an access check; the caller has already authorised. Undefined if there is none. It stays
 * readable until it is replaced or removed; then `read` throws ObjectNotFound.
 */
export async function openStoredObject(
  { database, blobs }: { readonly database: Database; readonly blobs: BlobStore },
  bucketId: string,
  name: string,
): Promise<OpenedObject | undefined> {
  const stored = await findObject(database.pool, bucketId, name);
  if (!stored) return undefined;
  const blobKey = blobKeyOf(stored.version);
  return {
    version: stored.version,
    metadata: stored.metadata,
    blobKey,
    read: (range) => blobs.get(blobKey, range && { range }),
  };
}

interface NewObject {
  bucketId: string;
  name: string;
  upsert: boolean;
  version: string;
  metadata: ObjectMetadata;
  userMetadata: Record<string, unknown> | null;
}

/** Maximum characters of a file's type, its cache control, and its other metadata as JSON. */
const longest = { mimetype: 255, cacheControl: 1_000, metadata: 16_384 };

function checkDescription({ metadata: { mimetype, cacheControl }, userMetadata }: NewObject): void {
  const metadata = userMetadata === null ? '' : JSON.stringify(userMetadata);
  for (const [what, text] of Object.entries({ mimetype, cacheControl, metadata })) {
    const maxLength = longest[what as keyof typeof longest];
    if (text.length <= maxLength) continue;
    throw new StorageError(
      'InvalidRequest',
      `The ${what} of a file can have at most ${maxLength.toLocaleString('en-US')} characters. Shorten it.`,
    );
  }
}

/**
 * Writes an object's row under the caller's role and returns its id. Without `upsert` the INSERT right is enough.
 * Throws StorageError `KeyAlreadyExists` or `InvalidRequest`, and the database's 42501 if a policy refuses.
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

/**
 * Checks whether the caller could write that row now, by writing it and rolling back. Throws as `putObjectRow` does.
 */
export async function probeObjectRow(database: Database, caller: Caller, object: NewObject): Promise<void> {
  const undone = new RolledBack();
  await database
    .as(caller, async (client) => {
      await putObjectRow(client, caller, object);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
}

/** Returns to the connection's role, for work that the caller has no right to; ends with the transaction. */
export async function leaveCallerRole(client: PoolClient): Promise<void> {
  await client.query(`select set_config('role', 'none', true)`);
}

class RolledBack extends Error {
  override readonly name = 'RolledBack';
}
