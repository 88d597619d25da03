import type { Caller, Database } from '../../database/database.ts';
import { StorageError } from '../storage-error.ts';

export interface Bucket {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly public: boolean;
  readonly file_size_limit: number | null;
  readonly allowed_mime_types: string[] | null;
  readonly type: string;
  readonly created_at: string;
  readonly updated_at: string;
}

const columns = `id, name, coalesce(owner::text, '') as owner, public, file_size_limit::float8 as file_size_limit,
  allowed_mime_types, type,
  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
  to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as updated_at`;

/** The bucket whoever asks, for its limits. Throws StorageError `NoSuchBucket`. */
export async function bucketRow(database: Database, id: string): Promise<Bucket> {
  const { rows } = await database.pool.query<Bucket>(`select ${columns} from storage.buckets where id = $1`, [
    id,
  ]);
  if (!rows[0]) throw noSuchBucket();
  return rows[0];
}

/** Throws StorageError `NoSuchBucket` where there is none that the caller may see. */
export async function visibleBucket(database: Database, caller: Caller, id: string): Promise<Bucket> {
  const { rows } = await database.as(
    caller,
    (client) => client.query<Bucket>(`select ${columns} from storage.buckets where id = $1`, [id]),
    { readOnly: true },
  );
  if (!rows[0]) throw noSuchBucket();
  return rows[0];
}

export interface BucketQuery {
  readonly limit: number | null;
  readonly offset: number;
  readonly sortColumn: 'id' | 'name' | 'created_at' | 'updated_at';
  readonly descending: boolean;
  readonly search: string;
}

export async function listBuckets(database: Database, caller: Caller, query: BucketQuery): Promise<Bucket[]> {
  const { rows } = await database.as(
    caller,
    (client) =>
      // The column is one of four words of ours, never the caller's text.
      client.query<Bucket>(
        `select ${columns} from storage.buckets b where position(lower($3) in lower(b.name)) > 0
         order by b.${query.sortColumn} ${query.descending ? 'desc' : 'asc'} limit $1 offset $2`,
        [query.limit, query.offset, query.search],
      ),
    { readOnly: true },
  );
  return rows;
}

export interface BucketChange {
  readonly public?: boolean | undefined;
  readonly fileSizeLimit?: number | null | undefined;
  readonly allowedMimeTypes?: string[] | null | undefined;
}

/** Throws StorageError `BucketAlreadyExists`; what the caller may not do is the database's refusal. */
export async function createBucket(
  database: Database,
  caller: Caller,
  bucket: BucketChange & { readonly id: string; readonly owner: string | null },
): Promise<void> {
  await database
    .as(caller, (client) =>
      client.query(
        `insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
         values ($1, $1, $2::uuid, $2::text, $3, $4, $5)`,
        [
          bucket.id,
          bucket.owner,
          bucket.public ?? false,
          bucket.fileSizeLimit ?? null,
          bucket.allowedMimeTypes ?? null,
        ],
      ),
    )
    .catch((cause: unknown) => {
      if ((cause as { code?: string }).code !== '23505') throw cause;
      throw new StorageError('BucketAlreadyExists', 'The resource already exists', { cause });
    });
}

/** Fields that are not given stay. Throws StorageError `NoSuchBucket`. */
export async function updateBucket(
  database: Database,
  caller: Caller,
  id: string,
  change: BucketChange,
): Promise<void> {
  const { rowCount } = await database.as(caller, (client) =>
    client.query(
      `update storage.buckets set public = coalesce($2, public),
         file_size_limit = case when $3 then $4::bigint else file_size_limit end,
         allowed_mime_types = case when $5 then $6::text[] else allowed_mime_types end, updated_at = now()
       where id = $1`,
      [
        id,
        change.public ?? null,
        change.fileSizeLimit !== undefined,
        change.fileSizeLimit ?? null,
        change.allowedMimeTypes !== undefined,
        change.allowedMimeTypes ?? null,
      ],
    ),
  );
  if (rowCount === 0) throw noSuchBucket();
}

/** Throws StorageError `NoSuchBucket` or `ResourceNotEmpty`. */
export async function deleteBucket(database: Database, caller: Caller, id: string): Promise<void> {
  const { rowCount } = await database
    .as(caller, (client) => client.query('delete from storage.buckets where id = $1', [id]))
    .catch((cause: unknown) => {
      if ((cause as { code?: string }).code !== '23503') throw cause;
      throw new StorageError('ResourceNotEmpty', 'The bucket you tried to delete is not empty', { cause });
    });
  if (rowCount === 0) throw noSuchBucket();
}

/** Removes every object that the caller may remove. Throws StorageError `NoSuchBucket`. */
export async function emptyBucket(database: Database, caller: Caller, id: string): Promise<void> {
  await visibleBucket(database, caller, id);
  await database.as(caller, (client) =>
    client.query('delete from storage.objects where bucket_id = $1', [id]),
  );
}

export function noSuchBucket(): StorageError {
  return new StorageError('NoSuchBucket', 'Bucket not found');
}
