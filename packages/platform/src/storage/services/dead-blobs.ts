import { blobKeyOf } from '../blob-key.ts';
import type { BlobState } from '@cellfolio/bytes';
import type { StorageContext } from '../storage-context.ts';
import { thoseThatWent } from './those-that-went.ts';

type Burial = Pick<StorageContext, 'database' | 'blobs' | 'log'>;

const batch = 200;
const newest = 64;

/**
 * Deletes bytes that nothing refers to any more, and then the note of them. What fails stays noted for the next time.
 * Returns how many went.
 */
export async function buryDeadBlobs(context: Burial): Promise<number> {
  let buried = 0;
  for (;;) {
    const { noted, gone } = await buryBatch(context, 'asc', batch);
    buried += gone;
    // A store that fails is not asked again and again for the same ones.
    if (noted < batch || gone === 0) return buried;
  }
}

/**
 * After an answer that does not depend on it: the newest few, which are most likely the caller's own. Failures are
 * logged only, and what is left is found by the next round of clearing up.
 */
export async function buryQuietly(context: Burial): Promise<void> {
  await buryBatch(context, 'desc', newest).catch((error: unknown) =>
    context.log.warn({ err: error }, 'bytes that are no longer needed could not be deleted now'),
  );
}

async function buryBatch(
  context: Burial,
  order: 'asc' | 'desc',
  limit: number,
): Promise<{ noted: number; gone: number }> {
  const { rows } = await context.database.pool.query<{ version: string; blob_state: BlobState }>(
    `select version, blob_state from storage.dead_blobs order by created_at ${order}, version limit $1`,
    [limit],
  );
  const buried = await thoseThatWent(
    rows,
    ({ version, blob_state: state }) =>
      state === null
        ? context.blobs.delete(blobKeyOf(version))
        : context.blobs.resumable.discard(blobKeyOf(version), state),
    (err, { version }) =>
      context.log.warn({ err, version }, 'bytes that are no longer needed could not be deleted'),
  );
  const gone = buried.map(({ version }) => version);
  if (gone.length > 0) {
    await context.database.pool.query('delete from storage.dead_blobs where version = any($1)', [gone]);
  }
  return { noted: rows.length, gone: gone.length };
}
