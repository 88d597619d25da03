import type { PoolClient } from 'pg';
import type { Caller, Database } from '../../database/database.ts';
import { StorageError } from '../storage-error.ts';

/** What is kept of the bytes of an object; the names are those that clients read. */
export interface ObjectMetadata {
  /** Quoted, as in the header. */
  readonly eTag: string;
  readonly size: number;
  readonly mimetype: string;
  readonly cacheControl: string;
  /** ISO 8601. */
  readonly lastModified: string;
  readonly contentLength: number;
  readonly httpStatusCode: number;
}

/** A row of `storage.objects`; times are ISO 8601. */
export interface StoredObject {
  readonly id: string;
  readonly bucket_id: string;
  readonly name: string;
  readonly owner: string | null;
  readonly owner_id: string | null;
  readonly version: string;
  readonly metadata: ObjectMetadata;
  readonly user_metadata: Record<string, unknown> | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_accessed_at: string;
}

const iso = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;

/** The columns of StoredObject, for a select or a returning. */
export const objectColumns = `id, bucket_id, name, owner, owner_id, version, metadata, user_metadata,
  ${iso('created_at')}, ${iso('updated_at')}, ${iso('last_accessed_at')}`;

export async function findObject(
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

/** The object as the caller may see it. Throws StorageError `NoSuchKey` alike where it is missing and where it is hidden. */
export async function visibleObject(
  database: Database,
  caller: Caller,
  { bucketId, name }: { readonly bucketId: string; readonly name: string },
): Promise<StoredObject> {
  const found = await database.as(caller, (client) => findObject(client, bucketId, name), { readOnly: true });
  if (!found) throw noSuchKey();
  return found;
}

export function noSuchKey(): StorageError {
  return new StorageError('NoSuchKey', 'Object not found');
}
