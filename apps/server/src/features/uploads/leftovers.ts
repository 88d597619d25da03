import { isStoreUnavailable } from '@cellfolio/bytes';
import type { Database } from '@cellfolio/platform';
import { customDatasetId, datasetIds, fileOfDataset, type ObjectStore, readManifest } from '@cellfolio/store';
import type { ObservedLeftovers } from '../../runtime/observability/observed.ts';

interface LeftoverDeps {
  database: Database;
  objects: ObjectStore;
  removeDataset: (fileId: string) => Promise<void>;
}

const batch = 500;

/**
 * An object is stored before its row, which an interrupted upload may write much later: nothing is removed for as long
 * as a resumable upload is kept.
 */
const graceHours = 24;

/** SQL condition: no row names the object, and no upload is about to replace it. */
const unnamed = `not exists (select from public.user_files f where f.file_path = o.name)
  and not exists (select from storage.uploads u where u.bucket_id = o.bucket_id and u.name = o.name)`;

/** Removes objects and datasets that no file row names. May run in any number of processes. */
export async function removeLeftovers(deps: LeftoverDeps): Promise<readonly ObservedLeftovers[]> {
  return [await removeObjects(deps.database), await removeDatasets(deps)];
}

/**
 * Locks first and checks again: a row that arrives meanwhile waits for the lock (`hold_object_of_new_file`), and one
 * that came before the lock is seen by the second statement.
 */
async function removeObjects(database: Database): Promise<ObservedLeftovers> {
  let [count, bytes] = [0, 0];
  for (;;) {
    const removed = await database.transaction(async (client) => {
      const { rows: candidates } = await client.query<{ id: string }>(
        `select o.id from storage.objects o
         where o.bucket_id = 'user-files' and o.updated_at < now() - make_interval(hours => $1) and ${unnamed}
         order by o.id limit $2 for update skip locked`,
        [graceHours, batch],
      );
      if (candidates.length === 0) return [];
      const { rows } = await client.query<{ bytes: number }>(
        `delete from storage.objects o where o.id = any($1::uuid[]) and ${unnamed}
         returning coalesce((metadata ->> 'size')::float8, 0) as bytes`,
        [candidates.map(({ id }) => id)],
      );
      return rows;
    });
    for (const row of removed) bytes += row.bytes;
    count += removed.length;
    if (removed.length < batch) return { kind: 'objects', count, bytes };
  }
}

/**
 * Datasets whose file is gone: a build may have ended after its file was deleted. File ids are never reused, and a row
 * exists before its dataset, so a dataset without a row stays without one.
 */
async function removeDatasets({
  database,
  objects,
  removeDataset,
}: LeftoverDeps): Promise<ObservedLeftovers> {
  const fileIds = (await datasetIds(objects, 'custom')).flatMap((id) => fileOfDataset(id) ?? []);
  const { rows } = await database.pool.query<{ id: string }>(
    `select dataset.file_id as id from unnest($1::uuid[]) as dataset (file_id)
     where not exists (select from public.user_files f where f.id = dataset.file_id)
       and not exists (select from cellfolio.jobs j where j.run_token is not null
         and (dataset.file_id = any(j.file_ids)
           or j.request #>> '{subset,part,dataset_filename}' = 'custom:' || dataset.file_id))`,
    [fileIds],
  );
  let bytes = 0;
  for (const { id } of rows) {
    bytes += await bytesOf(objects, id);
    await removeDataset(id);
  }
  return { kind: 'datasets', count: rows.length, bytes };
}

/** From its manifest; 0 for a damaged dataset. */
async function bytesOf(objects: ObjectStore, fileId: string): Promise<number> {
  try {
    const { files } = await readManifest(objects, customDatasetId(fileId));
    return Object.values(files).reduce((sum, { size }) => sum + size, 0);
  } catch (error) {
    if (isStoreUnavailable(error)) throw error;
    return 0;
  }
}
