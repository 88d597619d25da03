import type { Caller, Database } from '../../database/database.ts';
import { objectColumns, type StoredObject } from './stored-object.ts';

export interface ListQuery {
  readonly bucketId: string;
  /** A folder, with or without a slash at the end; empty for the top. */
  readonly prefix: string;
  /** Beginning of the names wanted, whatever the case. */
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
  readonly sortColumn: 'name' | 'updated_at' | 'created_at' | 'last_accessed_at';
  readonly descending: boolean;
}

/** A file, by its name within the folder, or a folder, whose other fields are null. */
export type ListEntry =
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
      readonly name: string;
      readonly id: null;
      readonly metadata: null;
      readonly created_at: null;
      readonly updated_at: null;
      readonly last_accessed_at: null;
    };

/** What is directly in a folder, folders first, as far as the caller may see it. */
export async function listObjects(
  database: Database,
  caller: Caller,
  query: ListQuery,
): Promise<ListEntry[]> {
  const folder = query.prefix.replace(/^\/+|\/+$/g, '');
  const prefix = folder === '' ? '' : `${folder}/`;
  const direction = query.descending ? 'desc' : 'asc';
  const { rows } = await database.as(
    caller,
    (client) =>
      // Sort column and direction are words of ours, never the caller's text.
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
