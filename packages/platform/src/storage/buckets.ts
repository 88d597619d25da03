import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { checkBucketName, parseStorageInput, callerOf, userIdOf } from './storage-request.ts';
import { deleteUnusedBlobs } from './sweep-storage.ts';
import type { StorageContext } from './storage-context.ts';
import type { Caller, Database } from '../database/database.ts';
import { StorageError } from './storage-error.ts';

const units = new Map([
  ['b', 1],
  ['kb', 1000],
  ['mb', 1000 ** 2],
  ['gb', 1000 ** 3],
  ['tb', 1000 ** 4],
  ['kib', 1024],
  ['mib', 1024 ** 2],
  ['gib', 1024 ** 3],
  ['tib', 1024 ** 4],
]);

/** Bytes, as a number or as text with a unit: `20MB`. */
const fileSize = z
  .union([
    z.int().min(0),
    z
      .string()
      .regex(
        /^\d{1,15}(?:\.\d{1,6})?\s*(?:[kmgt]i?)?b?$/i,
        'must be a number of bytes, or a size such as 20MB',
      )
      .transform((text) => {
        const [, number = '', unit = ''] = /^([\d.]+)\s*(\w*)$/.exec(text) ?? [];
        const unitName = unit === '' ? 'b' : unit.toLowerCase();
        return Math.floor(Number(number) * (units.get(unitName) ?? units.get(`${unitName}b`) ?? 1));
      }),
  ])
  .pipe(z.number().max(Number.MAX_SAFE_INTEGER));

const bucketChange = z.object({
  public: z.boolean().optional(),
  file_size_limit: fileSize.nullish(),
  allowed_mime_types: z.array(z.string().max(200)).max(200).nullish(),
});
const bucketCreation = bucketChange.extend({
  id: z.string().min(1).optional(),
  name: z.string().min(1),
  type: z.literal('STANDARD').nullish(),
});
const bucketListing = z.object({
  limit: z.coerce.number().int().min(1).optional(),
  offset: z.coerce.number().int().min(0).default(0),
  sortColumn: z.enum(['id', 'name', 'created_at', 'updated_at']).default('name'),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
  search: z.string().max(200).default(''),
});

interface BucketParams {
  Params: { id: string };
}

/** `/bucket`: operations on buckets that row-level security allows; without policies, users may do nothing. */
export function bucketRoutes(app: FastifyInstance, context: StorageContext): void {
  const { database } = context;
  app.get('/bucket', async (request) => {
    const caller = await callerOf(context, request.headers);
    const { limit, offset, sortColumn, sortOrder, search } = parseStorageInput(bucketListing, request.query);
    return listBuckets(database, caller, {
      limit: limit ?? null,
      offset,
      sortColumn,
      descending: sortOrder === 'desc',
      search,
    });
  });
  app.get<BucketParams>('/bucket/:id', async (request) =>
    visibleBucket(database, await callerOf(context, request.headers), request.params.id),
  );
  app.post('/bucket', async (request) => {
    const caller = await callerOf(context, request.headers);
    const input = parseStorageInput(bucketCreation, request.body);
    const id = checkBucketName(input.id ?? input.name);
    await createBucket(database, caller, { id, owner: userIdOf(caller), ...changeOf(input) });
    return { name: id };
  });
  app.put<BucketParams>('/bucket/:id', async (request) => {
    const caller = await callerOf(context, request.headers);
    await updateBucket(
      database,
      caller,
      request.params.id,
      changeOf(parseStorageInput(bucketChange, request.body)),
    );
    return { message: 'Successfully updated' };
  });
  app.delete<BucketParams>('/bucket/:id', async (request) => {
    await deleteBucket(database, await callerOf(context, request.headers), request.params.id);
    return { message: 'Successfully deleted' };
  });
  app.post<BucketParams>('/bucket/:id/empty', async (request) => {
    await emptyBucket(database, await callerOf(context, request.headers), request.params.id);
    await deleteUnusedBlobs(context);
    return { message: 'Successfully emptied' };
  });
}

function changeOf(input: z.output<typeof bucketChange>) {
  return {
    public: input.public,
    fileSizeLimit: input.file_size_limit,
    allowedMimeTypes: input.allowed_mime_types,
  };
}

interface Bucket {
  id: string;
  name: string;
  owner: string;
  public: boolean;
  file_size_limit: number | null;
  allowed_mime_types: string[] | null;
  /** Only in a list, as in a hosted project. */
  type?: string;
  created_at: string;
  updated_at: string;
}

const columns = `id, name, coalesce(owner::text, '') as owner, public, file_size_limit::float8 as file_size_limit,
  allowed_mime_types,
  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
  to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as updated_at`;

/** Reads a bucket without an access check, for its limits. Throws StorageError `NoSuchBucket`. */
export async function bucketRow(database: Database, id: string): Promise<Bucket> {
  const { rows } = await database.pool.query<Bucket>(`select ${columns} from storage.buckets where id = $1`, [
    id,
  ]);
  if (!rows[0]) throw noSuchBucket();
  return rows[0];
}

/** Throws StorageError `NoSuchBucket` if there is none that the caller may see. */
async function visibleBucket(database: Database, caller: Caller, id: string): Promise<Bucket> {
  const { rows } = await database.as(
    caller,
    (client) => client.query<Bucket>(`select ${columns} from storage.buckets where id = $1`, [id]),
    { readOnly: true },
  );
  if (!rows[0]) throw noSuchBucket();
  return rows[0];
}

interface BucketQuery extends Omit<z.output<typeof bucketListing>, 'limit' | 'sortOrder'> {
  limit: number | null;
  descending: boolean;
}

async function listBuckets(database: Database, caller: Caller, query: BucketQuery): Promise<Bucket[]> {
  const { rows } = await database.as(
    caller,
    (client) =>
      // The column is one of four constants, never the caller's text.
      client.query<Bucket>(
        `select ${columns}, type from storage.buckets b where position(lower($3) in lower(b.name)) > 0
         order by b.${query.sortColumn} ${query.descending ? 'desc' : 'asc'} limit $1 offset $2`,
        [query.limit, query.offset, query.search],
      ),
    { readOnly: true },
  );
  return rows;
}

interface BucketChange {
  public?: boolean | undefined;
  fileSizeLimit?: number | null | undefined;
  allowedMimeTypes?: string[] | null | undefined;
}

/** Throws StorageError `BucketAlreadyExists`; missing rights give the database's error. */
async function createBucket(
  database: Database,
  caller: Caller,
  bucket: BucketChange & { id: string; owner: string | null },
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

/** Missing fields stay unchanged. Throws StorageError `NoSuchBucket`. */
async function updateBucket(
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
async function deleteBucket(database: Database, caller: Caller, id: string): Promise<void> {
  const { rowCount } = await database
    .as(caller, (client) => client.query('delete from storage.buckets where id = $1', [id]))
    .catch((cause: unknown) => {
      if ((cause as { code?: string }).code !== '23503') throw cause;
      throw new StorageError('ResourceNotEmpty', 'The bucket you tried to delete is not empty', { cause });
    });
  if (rowCount === 0) throw noSuchBucket();
}

/** Removes every object that the caller may remove. Throws StorageError `NoSuchBucket`. */
async function emptyBucket(database: Database, caller: Caller, id: string): Promise<void> {
  await visibleBucket(database, caller, id);
  await database.as(caller, (client) =>
    client.query('delete from storage.objects where bucket_id = $1', [id]),
  );
}

export function noSuchBucket(): StorageError {
  return new StorageError('NoSuchBucket', 'Bucket not found');
}
