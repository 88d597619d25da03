import { z } from 'zod';
import type { Caller, Database } from '../../database/database.ts';
import { StorageError } from '../storage-error.ts';
import { objectColumns, type StoredObject } from './stored-object.ts';

export interface PageQuery {
  readonly bucketId: string;
  /** Beginning of the whole name, slashes and all. */
  readonly prefix: string;
  /** Names that go on past the next slash are told as their folder, once. */
  readonly delimited: boolean;
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly sortColumn: 'name' | 'created_at' | 'updated_at';
  readonly descending: boolean;
}

/**
 * Names are whole, from the top of the bucket; a folder's ends in a slash. Where folders are told, a `key` is the part
 * of the name that is directly inside the prefix, without a slash.
 */
export interface Page {
  readonly hasNext: boolean;
  /** Absent on the last page. */
  readonly nextCursor?: string;
  readonly folders: readonly { readonly name: string; readonly key: string }[];
  readonly objects: readonly (Pick<
    StoredObject,
    'id' | 'name' | 'metadata' | 'created_at' | 'updated_at' | 'last_accessed_at'
  > & { readonly key: string | undefined })[];
}

/** The last entry of a page: the next one begins after it, whatever has come or gone in between. */
const position = z.tuple([
  z.union([z.literal('-infinity'), z.string().regex(/^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/)]),
  z.string().max(1024),
]);

/** A page of the objects under a prefix, as far as the caller may see them. Throws StorageError `InvalidRequest`. */
export async function pageObjects(database: Database, caller: Caller, query: PageQuery): Promise<Page> {
  const direction = query.descending ? 'desc' : 'asc';
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor);
  const { rows } = await database.as(
    caller,
    (client) =>
      // Column and direction are words of ours, never the caller's text.
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
    throw new StorageError('InvalidRequest', 'The cursor is not one of ours.', { cause });
  }
}
