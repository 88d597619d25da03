import { createReadStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type BlobStore, FileBlobStore } from '@cellfolio/bytes';
import {
  blobPrefix,
  type Database,
  dumpHeader,
  lastMigration,
  requireEmptyDatabase,
  restoreDatabase,
  RestoreError,
} from '@cellfolio/platform';
import { FileObjectStore, type ObjectStore } from '@cellfolio/store';
import { BackupDamaged, type BackupList, PlaceNotEmpty, readList, verifyBackup } from './backup-list.ts';
import { copyObject, dumpName, exists, isCopiedObject, objectsFolder } from './write-backup.ts';
import { paths } from '../../boot/paths.ts';
import { demoAccountsFile } from '../../features/demo/index.ts';

interface RestoreTarget {
  /** Empty, and migrated as the database of the backup. */
  database: Database;
  blobs: BlobStore;
  objects: ObjectStore;
  dataDir: string;
}

/** Checks all files of a backup, so that a corrupt one is never restored in part. Throws BackupDamaged. */
export async function checkBackup(
  source: string,
  onStage: (stage: string, done: number, total: number) => void,
  signal: AbortSignal,
): Promise<BackupList> {
  const folder = resolve(source);
  const list = await readList(folder);
  const total = list.entries.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  const onBytes = (bytes: number) => onStage('checking every byte', (done += bytes), total);
  await verifyBackup(folder, list, onBytes, signal);
  if (!list.entries.some(({ path }) => path === dumpName)) {
    throw new BackupDamaged(folder, `there is no ${dumpName} in it.`);
  }
  return list;
}

/**
 * Restores a checked backup into an empty installation: files first, then all rows in one transaction. After a failure
 * the files are deleted again. Throws PlaceNotEmpty, BackupDamaged. `writtenAt` is when the backup was written, ISO 8601.
 */
export async function restoreBackup(
  source: string,
  { writtenAt, entries }: BackupList,
  target: RestoreTarget,
  onStage: (stage: string, done: number, total: number) => void,
  signal: AbortSignal,
) {
  const folder = resolve(source);
  await requireEmpty(target);
  const undo: (() => Promise<void>)[] = [];
  try {
    const copies = new FileBlobStore(folder);
    const userFiles = entries.filter(({ path }) => path.startsWith(blobPrefix));
    for (const [done, { path: key, size }] of userFiles.entries()) {
      onStage('users’ files', done, userFiles.length);
      undo.push(() => target.blobs.delete(key));
      const body = await copies.get(key, { signal });
      await target.blobs.put(key, body, { maxBytes: size, expectedBytes: size, signal });
    }
    const objects = new FileObjectStore(join(folder, objectsFolder));
    const keys = entries
      .filter(({ path }) => path.startsWith(`${objectsFolder}/`))
      .map(({ path }) => path.slice(objectsFolder.length + 1));
    for (const [done, key] of keys.entries()) {
      onStage('datasets and gene sets', done, keys.length);
      undo.push(() => target.objects.delete(key));
      await copyObject(objects, target.objects, key, signal);
    }
    await objects.close();
    onStage('rows', 0, 1);
    const { rows } = await restoreRows(folder, target.database, signal);
    if (entries.some(({ path }) => path === demoAccountsFile)) {
      await mkdir(target.dataDir, { recursive: true });
      const bytes = await readFile(join(folder, demoAccountsFile));
      await writeFile(join(target.dataDir, demoAccountsFile), bytes, { mode: 0o600 });
    }
    return { writtenAt, rows, userFiles: userFiles.length, datasetFiles: keys.length };
  } catch (error) {
    for (const step of undo.toReversed()) await step().catch(() => {});
    throw error;
  }
}

/** The last migration of databases whose backups do not name theirs. */
const unnamedLevel = '20260101001040_follow_ups_in_code.sql';

/** The last migration of the database that a checked backup is of: it is restored as that, and migrated after it. */
export async function backupLevel(source: string, signal: AbortSignal): Promise<string> {
  for await (const line of linesOf(join(resolve(source), dumpName), signal))
    return dumpHeader(line).migration ?? unnamedLevel;
  return unnamedLevel;
}

/** Throws PlaceNotEmpty for a database with later migrations than the one of the backup. */
export async function requireLevel(database: Database, level: string): Promise<void> {
  const last = await lastMigration(database, paths.migrations);
  if (last === undefined || last <= level) return;
  throw new PlaceNotEmpty(
    'The database is of a later version than the backup. Restore it into a new database, or another DATA_DIR, that no server has opened.',
  );
}

/** `silenced`: tables whose triggers would create jobs and owners, which a backup has; `retired`: tables and columns of earlier versions. */
const restoreOptions = {
  silenced: ['auth.users', 'public.user_files'],
  retired: ['cellfolio.file_events', 'cellfolio.jobs.queued_at', 'cellfolio.custom_datasets.state'],
};

async function restoreRows(
  folder: string,
  database: Database,
  signal: AbortSignal,
): Promise<{ rows: number }> {
  try {
    return await restoreDatabase(database, linesOf(join(folder, dumpName), signal), restoreOptions);
  } catch (cause) {
    signal.throwIfAborted();
    if (!(cause instanceof RestoreError) || cause.line === 0) throw cause;
    throw new BackupDamaged(folder, cause.message, { part: dumpName, cause });
  }
}

/** Opens the file with the first read: an earlier `createInterface` would drop lines that are not read yet. */
async function* linesOf(path: string, signal: AbortSignal): AsyncIterable<string> {
  const input = createReadStream(path, { signal });
  try {
    yield* createInterface({ input, crlfDelay: Infinity });
  } finally {
    input.destroy();
  }
}

/** Throws PlaceNotEmpty. */
async function requireEmpty({ database, blobs, objects, dataDir }: RestoreTarget): Promise<void> {
  const refuse = (what: string) =>
    new PlaceNotEmpty(
      `${what} A backup is restored into an empty installation only; choose another DATA_DIR.`,
    );
  try {
    await requireEmptyDatabase(database);
  } catch (error) {
    if (error instanceof RestoreError) throw refuse(`The database is in use: ${error.message}`);
    throw error;
  }
  for await (const key of blobs.list(blobPrefix)) throw refuse(`There is already a file of a user (${key}).`);
  for await (const key of objects.list('')) {
    if (isCopiedObject(key)) throw refuse(`There are already datasets (${key}).`);
  }
  if (await exists(join(dataDir, demoAccountsFile))) throw refuse(`There is already a ${demoAccountsFile}.`);
}
