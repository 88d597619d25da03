import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { access, copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { once } from 'node:events';
import { type BlobStore, FileBlobStore, ObjectNotFound, syncFile, syncFolder } from '@cellfolio/bytes';
import {
  blobKeyOf,
  blobPrefix,
  type Database,
  dumpDatabase,
  isDiskFull,
  lastMigration,
} from '@cellfolio/platform';
import { FileObjectStore, type ObjectStore } from '@cellfolio/store';
import { paths } from '../../boot/paths.ts';
import { readinessKey } from '../../boot/readiness.ts';
import { type BackupEntry, BackupFailed, PlaceNotEmpty, writeList } from './backup-list.ts';
import { demoAccountsFile } from '../../features/demo/index.ts';

export const dumpName = 'database.jsonl';
export const objectsFolder = 'objects';

/** Tables that refer to bytes missing from a backup: of unfinished uploads and deleted files. */
const transientTables = ['storage.uploads', 'storage.dead_blobs'];
/** Rows are copied again when one of their files was deleted meanwhile. */
const maxAttempts = 5;
const chunkBytes = 8 * 1024 * 1024;

export interface BackupSource {
  database: Database;
  blobs: BlobStore;
  objects: ObjectStore;
  dataDir: string;
}

/**
 * Writes all data of an installation into the new folder `target`: a snapshot of the rows, the files that they refer to,
 * datasets and gene sets, each with a checksum. Servers may keep running. The folder appears complete or not at all.
 * Throws BackupFailed, PlaceNotEmpty.
 */
export async function writeBackup(
  source: BackupSource,
  target: string,
  onStage: (stage: string, done: number, total: number) => void,
  signal: AbortSignal,
) {
  const folder = resolve(target);
  if (await exists(folder))
    throw new PlaceNotEmpty(`${folder} already exists; a backup is written into a new folder.`);
  const draft = `${folder}.part~`;
  // Left by an interrupted backup.
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    const copied = new FileBlobStore(draft);
    const entries = new Map<string, BackupEntry>();
    const { rows, keys } = await copyRowsAndFiles(source, draft, copied, entries, onStage, signal);
    const datasetFiles = await copyObjects(source.objects, draft, entries, onStage, signal);
    await copyDemoAccounts(source.dataDir, draft, entries);
    onStage('writing the list', 0, 1);
    const list = [...entries.values()];
    await writeList(draft, { writtenAt: new Date().toISOString(), entries: list });
    await syncFolder(draft);
    await rename(draft, folder);
    await syncFolder(dirname(folder));
    return {
      folder,
      rows,
      userFiles: keys.size,
      datasetFiles,
      bytes: list.reduce((sum, { size }) => sum + size, 0),
    };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!isDiskFull(error)) throw error;
    throw new BackupFailed(
      `Not enough disk space for the backup in ${dirname(folder)}. The partial backup was removed. Free space or choose another folder, then run the backup again.`,
      { cause: error },
    );
  }
}

async function copyRowsAndFiles(
  { database, blobs }: BackupSource,
  draft: string,
  copied: BlobStore,
  entries: Map<string, BackupEntry>,
  onStage: (stage: string, done: number, total: number) => void,
  signal: AbortSignal,
): Promise<{ rows: number; keys: Set<string> }> {
  for (let attempt = 1; ; attempt += 1) {
    onStage('rows', 0, 1);
    const { rows, keys } = await copyRows(database, draft, entries, signal);
    let done = 0;
    const vanished: string[] = [];
    for (const key of keys) {
      onStage('users’ files', done, keys.size);
      done += 1;
      if (entries.has(key)) continue;
      const entry = await copyBlob(blobs, copied, key, signal);
      if (entry) entries.set(key, entry);
      else vanished.push(key);
    }
    if (vanished.length === 0) {
      await removeUnusedFiles(copied, entries, keys);
      return { rows, keys };
    }
    // Deleted by their owners since the rows were read, so these are read again. Files still missing then are lost.
    if (attempt === maxAttempts) {
      throw new BackupFailed(
        `${vanished.length} files of users are in the database but not in the store, first ${vanished[0]}. ` +
          'Is OBJECT_STORE_URL the one that the server uses?',
      );
    }
  }
}

/** Writes the dump and returns the keys of the files in it. */
async function copyRows(
  database: Database,
  draft: string,
  entries: Map<string, BackupEntry>,
  signal: AbortSignal,
): Promise<{ rows: number; keys: Set<string> }> {
  const path = join(draft, dumpName);
  const out = createWriteStream(path, { mode: 0o600 });
  const hash = createHash('sha256');
  const keys = new Set<string>();
  let size = 0;
  const failed = once(out, 'error').then(([error]) => {
    throw error;
  });
  failed.catch(() => {});
  const write = async (line: string): Promise<void> => {
    signal.throwIfAborted();
    const bytes = Buffer.from(`${line}\n`);
    hash.update(bytes);
    size += bytes.byteLength;
    if (line.startsWith('{"table":"storage.objects"')) {
      const { version } = (JSON.parse(line) as { row: { version: string } }).row;
      keys.add(blobKeyOf(version));
    }
    if (!out.write(bytes)) await Promise.race([once(out, 'drain'), failed]);
  };
  const migration = await lastMigration(database, paths.migrations);
  const { rows } = await dumpDatabase(database, write, { without: transientTables, migration });
  await Promise.race([closed(out), failed]);
  await syncFile(path);
  entries.set(dumpName, { path: dumpName, size, sha256: hash.digest('hex') });
  return { rows, keys };
}

/** Undefined when it was deleted meanwhile. */
async function copyBlob(
  from: BlobStore,
  to: BlobStore,
  key: string,
  signal: AbortSignal,
): Promise<BackupEntry | undefined> {
  try {
    const body = await from.get(key, { signal });
    const { size, digest } = await to.put(key, body, { maxBytes: Infinity, signal });
    return { path: key, size, sha256: digest };
  } catch (error) {
    if (error instanceof ObjectNotFound) return undefined;
    throw error;
  }
}

/** Deletes copies of files whose rows were deleted since the previous attempt. */
async function removeUnusedFiles(
  copied: BlobStore,
  entries: Map<string, BackupEntry>,
  keys: ReadonlySet<string>,
): Promise<void> {
  for (const key of entries.keys()) {
    if (!key.startsWith(blobPrefix) || keys.has(key)) continue;
    await copied.delete(key);
    entries.delete(key);
  }
}

/** True for datasets and gene sets; the root may also contain users' files and unfinished imports. */
export function isCopiedObject(key: string): boolean {
  return !key.startsWith(blobPrefix) && !key.startsWith('incoming/') && key !== readinessKey;
}

async function copyObjects(
  objects: ObjectStore,
  draft: string,
  entries: Map<string, BackupEntry>,
  onStage: (stage: string, done: number, total: number) => void,
  signal: AbortSignal,
): Promise<number> {
  const copies = new FileObjectStore(join(draft, objectsFolder));
  const keys: string[] = [];
  for await (const key of objects.list('')) if (isCopiedObject(key)) keys.push(key);
  for (const [done, key] of keys.entries()) {
    onStage('datasets and gene sets', done, keys.length);
    const { size, sha256 } = await copyObject(objects, copies, key, signal);
    entries.set(`${objectsFolder}/${key}`, { path: `${objectsFolder}/${key}`, size, sha256 });
  }
  await copies.close();
  return keys.length;
}

/** Copies in chunks, as a matrix may exceed the memory. Throws BackupFailed when the object is removed meanwhile. */
export async function copyObject(
  from: ObjectStore,
  to: ObjectStore,
  key: string,
  signal: AbortSignal,
): Promise<{ size: number; sha256: string }> {
  const metadata = await from.head(key);
  const hash = createHash('sha256');
  const size = metadata?.size ?? 0;
  const chunks = async function* (): AsyncIterable<Uint8Array> {
    for (let offset = 0; offset < size; offset += chunkBytes) {
      const range = { offset, length: Math.min(chunkBytes, size - offset) };
      const chunk = await from.get(key, { range, signal });
      hash.update(chunk);
      yield chunk;
    }
  };
  try {
    if (!metadata) throw new Error('not found');
    await to.put(key, chunks());
  } catch (cause) {
    signal.throwIfAborted();
    if ((await from.head(key).catch(() => undefined))?.size === metadata?.size) throw cause;
    throw new BackupFailed(`${key} was changed or removed while it was copied; write the backup again.`, {
      cause,
    });
  }
  return { size, sha256: hash.digest('hex') };
}

async function copyDemoAccounts(
  dataDir: string,
  draft: string,
  entries: Map<string, BackupEntry>,
): Promise<void> {
  const from = join(dataDir, demoAccountsFile);
  if (!(await exists(from))) return;
  const to = join(draft, demoAccountsFile);
  await copyFile(from, to);
  await syncFile(to);
  const bytes = await readFile(to);
  entries.set(demoAccountsFile, {
    path: demoAccountsFile,
    size: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function closed(out: WriteStream): Promise<void> {
  out.end();
  await once(out, 'close');
}
