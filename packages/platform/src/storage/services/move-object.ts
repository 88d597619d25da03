import type { Caller } from '../../database/database.ts';
import { checkObjectKey } from '../object-key.ts';
import { alreadyExists } from '../storage-answers.ts';
import type { StorageContext } from '../storage-context.ts';
import { bucketRow } from './buckets.ts';
import { checkExtension } from './plan-upload.ts';
import { noSuchKey } from './stored-object.ts';

export interface Relocation {
  readonly caller: Caller;
  readonly bucketId: string;
  readonly sourceKey: string;
  readonly destinationBucket: string;
  readonly destinationKey: string;
}

/** Gives an object another name; its bytes stay where they are. Throws StorageError, or the database's 42501. */
export async function moveObject(context: StorageContext, move: Relocation): Promise<{ id: string }> {
  const destination = checkObjectKey(move.destinationKey);
  const bucket = await bucketRow(context.database, move.destinationBucket);
  checkExtension(destination, context.buckets.get(bucket.id) ?? {});
  const { rows } = await context.database
    .as(move.caller, (client) =>
      client.query<{ id: string }>(
        `update storage.objects set bucket_id = $3, name = $4, updated_at = now()
         where bucket_id = $1 and name = $2 returning id`,
        [move.bucketId, move.sourceKey, bucket.id, destination],
      ),
    )
    .catch((cause: unknown) => {
      throw (cause as { code?: string }).code === '23505' ? alreadyExists(cause) : cause;
    });
  if (!rows[0]) throw noSuchKey();
  return rows[0];
}
