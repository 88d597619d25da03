import type { BlobState } from '@cellfolio/bytes';
import { blobKeyOf, blobPrefix } from './objects.ts';
import type { StorageContext } from './storage-context.ts';

interface SweepResult {
  uploads: number;
  blobs: number;
}

/** Gives up expired uploads and deletes unreferenced bytes. Any number of processes may run it. */
export async function sweepStorage(
  context: Pick<StorageContext, 'database' | 'blobs' | 'log' | 'now'>,
): Promise<SweepResult> {
  await tidyFinished(context);
  // In one statement: an upload that is being committed right now has its row locked, and loses or wins as a whole.
  const { rows } = await context.database.pool.query<{ uploads: number }>(
    `with expired as (
       delete from storage.uploads
       where finished_at is null and expires_at < now() + make_interval(secs => $1)
       returning id, blob_state
     ), noted as (
       insert into storage.dead_blobs (version, blob_state)
       select id::text, coalesce(blob_state, '{}') from expired
       on conflict do nothing
     )
     select count(*)::int as uploads from expired`,
    [deadline(context.now)],
  );
  return { uploads: rows[0]?.uploads ?? 0, blobs: await deleteAllUnusedBlobs(context) };
}

const batch = 200;

/** Removes records of finished uploads once nothing else is left of them. Failures are retried the next time. */
async function tidyFinished({
  database,
  blobs,
  log,
  now,
}: Pick<StorageContext, 'database' | 'blobs' | 'log' | 'now'>): Promise<void> {
  for (;;) {
    const { rows } = await database.pool.query<{ id: string }>(
      `select id from storage.uploads
       where finished_at is not null and expires_at < now() + make_interval(secs => $1)
       order by expires_at limit $2`,
      [deadline(now), batch],
    );
    const tidy = await settleAll(
      rows,
      ({ id }) => blobs.resumable.tidy(blobKeyOf(id)),
      (err, { id }) => log.warn({ err, upload: id }, 'what an upload put aside could not be deleted'),
    );
    const ids = tidy.map(({ id }) => id);
    await database.pool.query('delete from storage.uploads where id = any($1::uuid[])', [ids]);
    // A store that fails is not asked again and again for the same ones.
    if (rows.length < batch || ids.length === 0) return;
  }
}

/**
 * Keys in the blob store that no object, upload or note refers to: none, unless the database was restored from an older
 * backup. Reads the whole listing; for the operator, not for a timer.
 */
export async function* orphanedBlobs(
  context: Pick<StorageContext, 'database' | 'blobs'>,
): AsyncIterable<string> {
  const findKnown = async (versions: string[]): Promise<Set<string>> => {
    const { rows } = await context.database.pool.query<{ version: string }>(
      `select version from storage.objects where version = any($1)
       union select id::text from storage.uploads where id::text = any($1)
       union select version from storage.dead_blobs where version = any($1)`,
      [versions],
    );
    return new Set(rows.map(({ version }) => version));
  };
  let versions: string[] = [];
  const flush = async (): Promise<string[]> => {
    const listedVersions = versions;
    versions = [];
    const inUse = await findKnown(listedVersions);
    return listedVersions.filter((version) => !inUse.has(version)).map(blobKeyOf);
  };
  for await (const key of context.blobs.list(blobPrefix)) {
    versions.push(key.slice(key.lastIndexOf('/') + 1));
    if (versions.length >= 500) yield* await flush();
  }
  yield* await flush();
}

type BlobDeletionContext = Pick<StorageContext, 'database' | 'blobs' | 'log'>;

const blobBatch = 200;
const newest = 64;

/**
 * Deletes unreferenced bytes, then their record. Failures stay recorded for the next run.
 * Returns the number deleted.
 */
async function deleteAllUnusedBlobs(context: BlobDeletionContext): Promise<number> {
  let buried = 0;
  for (;;) {
    const { noted, gone } = await deleteBatch(context, 'asc', blobBatch);
    buried += gone;
    // A store that fails is not asked again and again for the same ones.
    if (noted < blobBatch || gone === 0) return buried;
  }
}

/**
 * For callers that do not wait: deletes the newest few, most likely the caller's own. Failures are only logged; the
 * next sweep deletes the rest.
 */
export async function deleteUnusedBlobs(context: BlobDeletionContext): Promise<void> {
  await deleteBatch(context, 'desc', newest).catch((error: unknown) =>
    context.log.warn({ err: error }, 'bytes that are no longer needed could not be deleted now'),
  );
}

async function deleteBatch(
  context: BlobDeletionContext,
  order: 'asc' | 'desc',
  limit: number,
): Promise<{ noted: number; gone: number }> {
  const { rows } = await context.database.pool.query<{ version: string; blob_state: BlobState }>(
    `select version, blob_state from storage.dead_blobs order by created_at ${order}, version limit $1`,
    [limit],
  );
  const buried = await settleAll(
    rows,
    ({ version, blob_state: state }) =>
      state === null
        ? context.blobs.delete(blobKeyOf(version))
        : context.blobs.resumable.discard(blobKeyOf(version), state),
    (err, { version }) =>
      context.log.warn({ err, version }, 'bytes that are no longer needed could not be deleted'),
  );
  const deleted = buried.map(({ version }) => version);
  if (deleted.length > 0) {
    await context.database.pool.query('delete from storage.dead_blobs where version = any($1)', [deleted]);
  }
  return { noted: rows.length, gone: deleted.length };
}

const atATime = 8;

/** Processes all items, a few at a time, and returns the successful ones; failures are reported and block nothing. */
async function settleAll<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  onFailure: (error: unknown, item: T) => void,
): Promise<T[]> {
  const queue = [...items];
  const went: T[] = [];
  const worker = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      try {
        await work(next);
        went.push(next);
      } catch (error) {
        onFailure(error, next);
      }
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return went;
}

/**
 * For `now() + make_interval(secs => …)`: seconds until a moment this many milliseconds from now, by the clock of the
 * database, which all processes share, so that a process whose machine's clock jumps neither gives up the work of
 * others nor keeps its own forever. An injected clock counts by its difference from the machine's.
 */
export function deadline(now: () => number, milliseconds = 0): number {
  return (now() - Date.now() + milliseconds) / 1000;
}
