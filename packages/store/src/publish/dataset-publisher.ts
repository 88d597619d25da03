import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { foreignAge, newMark, ownerState } from '@cellfolio/bytes';
import { collectionFolder, datasetFolder, idOfMark, markOf } from '../dataset-id.ts';
import type { DatasetManifest } from '../manifest.ts';
import type { StagingFolder } from './staging-folder.ts';

export interface PublishOptions {
  /** Replaces an existing dataset with the same id; otherwise DatasetExists is thrown. */
  replace: boolean;
  signal: AbortSignal | undefined;
}

/** Publishes finished datasets atomically for readers: to a folder of files, or a bucket. */
export interface DatasetPublisher {
  stagingRoot: string;
  sweep(): Promise<void>;
  has(id: string): Promise<boolean>;
  /**
   * Publishes a dataset whose files, except its manifest, are in the staged folder, which is removed. Returns the
   * stored manifest. Throws DatasetExists, StoreWriteFailed.
   */
  publish(
    staged: StagingFolder,
    manifest: DatasetManifest,
    options: PublishOptions,
  ): Promise<DatasetManifest>;
  /** Hides the dataset at once, then deletes its files. Throws DatasetNotFound, StoreWriteFailed. */
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Folders under `incoming/` are named `<id>~<host>~<pid>~<start>~<random>` and, for a dataset moved out of its place,
 * `~old` or `~removed` after that.
 */
export const incomingFolder = 'incoming';

export function incomingPath(root: string, id: string, role?: 'old' | 'removed'): string {
  const name = [markOf(id), newMark()];
  if (role) name.push(role);
  return join(root, incomingFolder, name.join('~'));
}

/** Removes the leftovers of dead writers, and restores a dataset whose replacement was never moved into place. */
export async function sweepIncoming(root: string): Promise<void> {
  const folder = join(root, incomingFolder);
  for (const name of await namesIn(folder)) {
    const [mark, host, pid, start, , role] = name.split('~');
    const id = mark && idOfMark(mark);
    if (!id || !host || !pid || !start) continue;
    const path = join(folder, name);
    const state = ownerState(host, pid, start);
    const abandoned = state === 'ended' || (state === 'elsewhere' && (await isOld(path)));
    if (!abandoned) continue;
    if (role === 'old' && !(await exists(datasetFolder(root, id)))) {
      await mkdir(collectionFolder(root, id), { recursive: true });
      await rename(path, datasetFolder(root, id));
    } else await rm(path, { recursive: true, force: true });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function isOld(path: string): Promise<boolean> {
  let latest = 0;
  for (const name of ['', ...(await readdir(path, { recursive: true }).catch(() => []))]) {
    const stats = await stat(join(path, name)).catch(() => undefined);
    if (stats) latest = Math.max(latest, stats.mtimeMs);
  }
  return Date.now() - latest > foreignAge;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
