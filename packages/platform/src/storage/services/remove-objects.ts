import type { Caller } from '../../database/database.ts';
import type { StorageContext } from '../storage-context.ts';
import { buryQuietly } from './dead-blobs.ts';
import { objectColumns, type StoredObject } from './stored-object.ts';

/** Removes those of the names that are there and that the caller may remove; says nothing of the others. */
export async function removeObjects(
  context: StorageContext,
  caller: Caller,
  bucketId: string,
  names: readonly string[],
): Promise<StoredObject[]> {
  const { rows } = await context.database.as(caller, (client) =>
    client.query<StoredObject>(
      `delete from storage.objects where bucket_id = $1 and name = any($2::text[]) returning ${objectColumns}`,
      [bucketId, names],
    ),
  );
  if (rows.length > 0) await buryQuietly(context);
  return rows;
}
