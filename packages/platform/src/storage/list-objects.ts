import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseStorageInput, callerOf } from './storage-request.ts';
import { bucketRow } from './buckets.ts';
import type { StorageContext } from './storage-context.ts';
import type { Caller, Database } from '../database/database.ts';
import { objectColumns, type StoredObject } from './objects.ts';
import { StorageError } from './storage-error.ts';

const text = z
  .string()
  .max(1024)
  .regex(/^[^\0]*$/, 'must not contain a NUL');

const listBody = z.object({
  prefix: text.default(''),
  search: text.nullish(),
  limit: z.int().min(1).max(1000).default(100),
  offset: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  sortBy: z
    .object({
      column: z.enum(['name', 'updated_at', 'created_at', 'last_accessed_at']).default('name'),
      order: z.enum(['asc', 'desc']).default('asc'),
    })
    .default({ column: 'name', order: 'asc' }),
});

const pageBody = z.object({
  prefix: text.default(''),
  limit: z.int().min(1).max(1000).default(1000),
  cursor: text.max(4096).nullish(),
  with_delimiter: z.boolean().default(false),
  sortBy: z
    .object({
      column: z.enum(['name', 'updated_at', 'created_at']).default('name'),
      order: z.enum(['asc', 'desc']).default('asc'),
    })
    .default({ column: 'name', order: 'asc' }),
});

export function pageRoute(app: FastifyInstance, context: StorageContext): void {
  app.post<{ Params: { bucket: string } }>('/object/list-v2/:bucket', async (request) => {
    const caller = await callerOf(context, request.headers);
    const input = parseStorageInput(pageBody, request.body);
    await bucketRow(context.database, request.params.bucket);
    return pageObjects(context.database, caller, {
      bucketId: request.params.bucket,
      prefix: input.prefix,
      delimited: input.with_delimiter,
      limit: input.limit,
      cursor: input.cursor || undefined,
      sortColumn: input.sortBy.column,
      descending: input.sortBy.order === 'desc',
    });
  });
}

export function listRoute(app: FastifyInstance, context: StorageContext): void {
  app.post<{ Params: { bucket: string } }>('/object/list/:bucket', async (request) => {
    const caller = await callerOf(context, request.headers);
    const { prefix, search, limit, offset, sortBy } = parseStorageInput(listBody, request.body);
    await bucketRow(context.database, request.params.bucket);
    return listObjects(context.database, caller, {
      bucketId: request.params.bucket,
      prefix,
      search: search ?? '',
      limit,
      offset,
      sortColumn: sortBy.column,
      descending: sortBy.order === 'desc',
    });
  });
}

interface ListQuery {
  bucketId: string;
  /** A folder, with or without a trailing slash; empty for the top. */
  prefix: string;
  /** Case-insensitive prefix of the names. */
  search: string;
  limit: number;
  offset: number;
  sortColumn: 'name' | 'updated_at' | 'created_at' | 'last_accessed_at';
  descending: boolean;
}

/** A file, by its name within the folder, or a folder, whose other fields are null. */
type ListEntry =
  | Pick<
      StoredObject,
      | 'id'
      | 'bucket_id'
      | 'owner'
      | 'owner_id'
      | 'name'
      | 'metadata'
      | 'created_at'
      | 'updated_at'
      | 'last_accessed_at'
    >
  | {
      name: string;
      id: null;
      metadata: null;
      created_at: null;
      updated_at: null;
      last_accessed_at: null;
    };

/** Direct content of a folder, folders first, visible to the caller. */
async function listObjects(database: Database, caller: Caller, query: ListQuery): Promise<ListEntry[]> {
  const folder = query.prefix.replace(/^\/+|\/+$/g, '');
  const prefix = folder === '' ? '' : `${folder}/`;
  const direction = query.descending ? 'desc' : 'asc';
  const { rows } = await database.as(
    caller,
    (client) =>
      // Sort column and direction are constants, never the caller's text.
      client.query<StoredObject & { child: string; is_folder: boolean }>(
        `with inside as (
           select *, substr(o.name, length($2) + 1) as rest from storage.objects o
           where bucket_id = $1 and o.name ^@ $2 and starts_with(lower(substr(o.name, length($2) + 1)), lower($3))
         ), folders as (
           select split_part(rest, '/', 1) as child from inside where position('/' in rest) > 0 group by 1
         ), entries as (
           select true as is_folder, child, null::uuid as object_id, null::timestamptz as sort_time from folders
           union all
           select false, rest, id, ${query.sortColumn === 'name' ? 'null' : query.sortColumn} from inside
           where position('/' in rest) = 0
         ), page as (
           select * from entries
           order by is_folder desc, sort_time ${direction}, child ${direction} limit $4 offset $5
         )
         select page.is_folder, page.child, ${objectColumns} from page left join storage.objects o on o.id = page.object_id
         order by page.is_folder desc, page.sort_time ${direction}, page.child ${direction}`,
        [query.bucketId, prefix, query.search, query.limit, query.offset],
      ),
    { readOnly: true },
  );
  return rows.map(entryOf);
}

function entryOf({
  is_folder,
  child,
  ...object
}: StoredObject & { child: string; is_folder: boolean }): ListEntry {
  if (is_folder) {
    return {
      name: child,
      id: null,
      metadata: null,
      created_at: null,
      updated_at: null,
      last_accessed_at: null,
    };
  }
  const { id, bucket_id, owner, owner_id, metadata, created_at, updated_at, last_accessed_at } = object;
  return {
    name: child,
    id,
    bucket_id,
    owner,
    owner_id,
    created_at,
    updated_at,
    last_accessed_at,
    metadata,
  };
}

interface PageQuery {
  bucketId: string;
  prefix: string;
  /** Names that continue past the next slash are listed once, as their folder. */
  delimited: boolean;
  limit: number;
  cursor: string | undefined;
  sortColumn: 'name' | 'created_at' | 'updated_at';
  descending: boolean;
}

/**
 * Names are full paths in the bucket; a folder's ends in a slash. With `delimited`, a `key` is the part of the name
 * directly inside the prefix, without a slash.
 */
interface Page {
  hasNext: boolean;
  nextCursor?: string;
  folders: readonly { name: string; key: string }[];
  objects: readonly (Pick<
    StoredObject,
    'id' | 'name' | 'metadata' | 'created_at' | 'updated_at' | 'last_accessed_at'
  > & { key: string | undefined })[];
}

/** Last entry of a page: the next page begins after it, whatever was added or removed in between. */
const position = z.tuple([
  z.union([z.literal('-infinity'), z.string().regex(/^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/)]),
  z.string().max(1024),
]);

/** A page of the objects under a prefix that the caller may see. Throws StorageError `InvalidRequest`. */
async function pageObjects(database: Database, caller: Caller, query: PageQuery): Promise<Page> {
  const direction = query.descending ? 'desc' : 'asc';
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor);
  const { rows } = await database.as(
    caller,
    (client) =>
      // Column and direction are constants, never the caller's text.
      client.query<StoredObject & { entry: string; is_folder: boolean; sort_time: string }>(
        `with inside as (
           select name, id, substr(name, length($2) + 1) as rest,
             ${query.sortColumn === 'name' ? `'-infinity'::timestamptz` : query.sortColumn} as sort_time
           from storage.objects where bucket_id = $1 and name ^@ $2
         ), entries as (
           select distinct true as is_folder, $2 || split_part(rest, '/', 1) || '/' as entry, null::uuid as object_id,
             '-infinity'::timestamptz as sort_time
           from inside where $3 and position('/' in rest) > 0
           union all
           select false, name, id, sort_time from inside where not ($3 and position('/' in rest) > 0)
         ), page as (
           select * from entries
           where $4::text is null
             or (sort_time, entry collate "C") ${query.descending ? '<' : '>'} ($4::text::timestamptz, $5::text collate "C")
           order by sort_time ${direction}, entry collate "C" ${direction} limit $6
         )
         select page.is_folder, page.entry, page.sort_time::text as sort_time, ${objectColumns}
         from page left join storage.objects o on o.id = page.object_id
         order by page.sort_time ${direction}, page.entry collate "C" ${direction}`,
        [
          query.bucketId,
          query.prefix,
          query.delimited,
          after?.[0] ?? null,
          after?.[1] ?? null,
          query.limit + 1,
        ],
      ),
    { readOnly: true },
  );
  const level = query.prefix.split('/').length - 1;
  const keyOf = (entry: string) => entry.split('/')[level] ?? '';
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const hasNext = rows.length > shown.length;
  return {
    hasNext,
    ...(hasNext && last && { nextCursor: writeCursor(last.sort_time, last.entry) }),
    folders: shown.filter((row) => row.is_folder).map(({ entry }) => ({ name: entry, key: keyOf(entry) })),
    objects: shown
      .filter((row) => !row.is_folder)
      .map(({ id, name, metadata, created_at, updated_at, last_accessed_at }) => ({
        id,
        name,
        key: query.delimited ? keyOf(name) : undefined,
        metadata,
        created_at,
        updated_at,
        last_accessed_at,
      })),
  };
}

function writeCursor(time: string, name: string): string {
  return Buffer.from(JSON.stringify([time, name])).toString('base64url');
}

function readCursor(text: string): z.output<typeof position> {
  try {
    return position.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch (cause) {
    throw new StorageError('InvalidRequest', 'The cursor is not valid.', { cause });
  }
}
