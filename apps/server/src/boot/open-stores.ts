import { type BlobStore, FileBlobStore, openBlobStore } from '@cellfolio/bytes';
import { type Database, type DatabaseLog, isDiskFull, migrate, openDatabase } from '@cellfolio/platform';
import { type OpenedObjectStore, openObjectStore } from '@cellfolio/store';
import { diskFloorBytes, diskFullAdvice, releaseReserve } from './disk-reserve.ts';
import { paths } from './paths.ts';
import type { Settings } from './settings/read-settings.ts';

type DatabaseSettings = Pick<Settings, 'dataDir' | 'databaseUrl'>;

/** The PostgreSQL server of the setting refused access. */
class DatabaseNotOpened extends Error {
  override readonly name = 'DatabaseNotOpened';
  readonly setting = 'DATABASE_URL';
}

/** Opens the database without applying migrations. `log` takes one line at a time. Throws DatabaseNotOpened. */
export async function openDatabaseOf(
  { dataDir, databaseUrl }: DatabaseSettings,
  log?: DatabaseLog,
): Promise<Database> {
  if (databaseUrl === undefined) return openEmbedded(dataDir, log);
  try {
    return await openDatabase({ dataDir, url: databaseUrl, ...(log && { log }) });
  } catch (cause) {
    // The driver's message has neither the address nor the password.
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : String(cause);
    throw new DatabaseNotOpened(`DATABASE_URL: the database cannot be opened: ${reason}`, { cause });
  }
}

/** On a full disk, opens it with the space that was reserved for it. */
async function openEmbedded(dataDir: string, log?: DatabaseLog): Promise<Database> {
  const opened = () => openDatabase({ dataDir, ...(log && { log }) });
  await releaseReserve(dataDir);
  try {
    return await opened();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    if (await releaseReserve(dataDir, true)) return opened();
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
