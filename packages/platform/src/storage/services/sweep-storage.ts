import { blobKeyOf, blobPrefix } from '../blob-key.ts';
import type { StorageContext } from '../storage-context.ts';
import { buryDeadBlobs } from './dead-blobs.ts';
import { deadline } from './deadline.ts';
import { thoseThatWent } from './those-that-went.ts';

export interface SweepResult {
  /** Uploads given up because nothing was heard of them. */
  readonly uploads: number;
  /** Blobs deleted. */
  readonly blobs: number;
}

/** Gives up uploads whose time is over and deletes bytes that nothing refers to. Any number of processes may do so. */
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
  return { uploads: rows[0]?.uploads ?? 0, blobs: await buryDeadBlobs(context) };
}

const batch = 200;

/** Forgets uploads that ended well, once nothing is left of their way. What fails is tried again the next time. */
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
    const tidy = await thoseThatWent(
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
  const known = async (versions: string[]): Promise<Set<string>> => {
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
    const asked = versions;
    versions = [];
    const found = await known(asked);
    return asked.filter((version) => !found.has(version)).map(blobKeyOf);
  };
  for await (const key of context.blobs.list(blobPrefix)) {
    versions.push(key.slice(key.lastIndexOf('/') + 1));
    if (versions.length >= 500) yield* await flush();
  }
  yield* await flush();
}
