import { blobKeyOf } from '../blob-key.ts';
import type { BlobState } from '../blobs/blob-store.ts';
import type { StorageContext } from '../storage-context.ts';

type Burial = Pick<StorageContext, 'database' | 'blobs' | 'log'>;

const atATime = 8;
const batch = 200;

/**
 * Deletes bytes that nothing refers to any more, and then the note of them. What fails stays noted for the next time.
 * Returns how many went.
 */
export async function buryDeadBlobs(context: Burial): Promise<number> {
  let buried = 0;
  for (;;) {
    const { rows } = await context.database.pool.query<{ version: string; blob_state: BlobState }>(
      'select version, blob_state from storage.dead_blobs order by created_at, version limit $1',
      [batch],
    );
    const queue = [...rows];
    const gone: string[] = [];
    const work = async (): Promise<void> => {
      for (let next = queue.pop(); next; next = queue.pop()) {
        if (await bury(context, next.version, next.blob_state)) gone.push(next.version);
      }
    };
    await Promise.all(Array.from({ length: atATime }, work));
    await context.database.pool.query('delete from storage.dead_blobs where version = any($1)', [gone]);
    buried += gone.length;
    // A store that fails is not asked again and again for the same ones.
    if (rows.length < batch || gone.length === 0) return buried;
  }
}

/** As `buryDeadBlobs`, for after an answer that does not depend on it: failures are logged only. */
export async function buryQuietly(context: Burial): Promise<void> {
  await buryDeadBlobs(context).catch((error: unknown) =>
    context.log.warn({ err: error }, 'bytes that are no longer needed could not be deleted now'),
  );
}

async function bury({ blobs, log }: Burial, version: string, state: BlobState): Promise<boolean> {
  try {
    if (state === null) await blobs.delete(blobKeyOf(version));
    else await blobs.resumable.discard(blobKeyOf(version), state);
    return true;
  } catch (error) {
    log.warn({ err: error, version }, 'bytes that are no longer needed could not be deleted');
    return false;
  }
}
