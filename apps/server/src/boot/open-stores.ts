import { type BlobStore, FileBlobStore, openBlobStore } from '@cellfolio/bytes';
import { type Database, isDiskFull, migrate, openDatabase } from '@cellfolio/platform';
import { type OpenedObjectStore, openObjectStore } from '@cellfolio/store';
import { diskFloorBytes, diskFullAdvice, releaseReserve } from './disk-reserve.ts';
import { paths } from './paths.ts';
import type { Settings } from './settings/read-settings.ts';

type DatabaseSettings = Pick<Settings, 'dataDir' | 'databaseUrl'>;

/** Opens the database without applying migrations. `log` takes one line at a time. */
export async function openDatabaseOf(
  { dataDir, databaseUrl }: DatabaseSettings,
  log?: (line: string) => void,
): Promise<Database> {
  if (databaseUrl) return openDatabase({ dataDir, url: databaseUrl, ...(log && { log }) });
  const openEmbedded = () => openDatabase({ dataDir, ...(log && { log }) });
  await releaseReserve(dataDir);
  try {
    return await openEmbedded();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    if (await releaseReserve(dataDir, true)) return openEmbedded();
    throw new Error(`${(error as Error).message}. ${diskFullAdvice(dataDir)}`, { cause: error });
  }
}

/** Opens the store of users' files: an S3 store, or the folder `files/` beside the datasets. */
export async function openFiles({
  filesUrl,
  objectRoot,
}: Pick<Settings, 'filesUrl' | 'objectRoot'>): Promise<BlobStore> {
  return filesUrl === undefined
    ? new FileBlobStore(objectRoot, { keptFree: diskFloorBytes })
    : openBlobStore(filesUrl);
}

/** Opens the datasets without the server's cache, so that commands report what is stored. */
export function openUncached({ objects }: Pick<Settings, 'objects'>): Promise<OpenedObjectStore> {
  return openObjectStore(objects.kind === 's3' ? { ...objects, cacheBytes: 0 } : objects);
}

/** Opens the datasets as `openUncached` does, for the duration of `work`. */
export async function withObjects<T>(
  settings: Pick<Settings, 'objects'>,
  work: (objects: OpenedObjectStore) => Promise<T>,
): Promise<T> {
  const objects = await openUncached(settings);
  try {
    return await work(objects);
  } finally {
    await objects.close();
  }
}

/** Opens the database, applies its migrations, and closes it when `work` ends. */
export async function withDatabase<T>(
  settings: DatabaseSettings,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabaseOf(settings);
  try {
    await migrate(database, paths.migrations);
    return await work(database);
  } finally {
    await database.close();
  }
}
