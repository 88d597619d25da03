import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreWriteFailed, syncFolder } from '@cellfolio/bytes';
import { collectionFolder, datasetFolder, filesPrefix } from '../dataset-id.ts';
import { DatasetExists, DatasetNotFound } from '../errors.ts';
import { type DatasetManifest, manifestBytes } from '../manifest.ts';
import {
  type DatasetPublisher,
  incomingFolder,
  incomingPath,
  type PublishOptions,
  sweepIncoming,
} from './dataset-publisher.ts';
import type { StagingFolder } from './staging-folder.ts';

/** Datasets as folders below the root of a FileObjectStore: prepared beside the others and renamed into place. */
export class FilePublisher implements DatasetPublisher {
  readonly stagingRoot: string;

  constructor(root: string) {
    this.stagingRoot = root;
  }

  async sweep(): Promise<void> {
    await sweepIncoming(this.stagingRoot);
  }

  async has(id: string): Promise<boolean> {
    return (await stat(datasetFolder(this.stagingRoot, id)).catch(() => undefined)) !== undefined;
  }

  async publish(
    staged: StagingFolder,
    manifest: DatasetManifest,
    { replace, signal }: PublishOptions,
  ): Promise<DatasetManifest> {
    await staged.write('manifest.json', manifestBytes(manifest));
    await staged.settle();
    signal?.throwIfAborted();
    await moveIntoPlace(this.stagingRoot, manifest.id, staged.path, replace);
    return manifest;
  }

  async remove(id: string): Promise<void> {
    await removeFolder(this.stagingRoot, id);
  }

  async close(): Promise<void> {}
}

/**
 * Moves a finished folder into its place in one step. With `replace` a dataset that is there moves away
 * first; should the process die between the two moves, the next writer puts it back.
 * Throws DatasetExists, StoreWriteFailed.
 */
export async function moveIntoPlace(
  root: string,
  id: string,
  staged: string,
  replace: boolean,
): Promise<void> {
  const place = datasetFolder(root, id);
  const collection = collectionFolder(root, id);
  try {
    await mkdir(collection, { recursive: true });
    let old: string | undefined;
    // Another writer may take the place between the two moves: try again, but not for ever.
    for (let attempt = 1; ; attempt++) {
      try {
        await rename(staged, place);
        break;
      } catch (error) {
        if (!isTaken(error) || attempt > 5) {
          if (old) await rename(old, place).catch(() => undefined);
          throw error;
        }
        if (!replace) throw new DatasetExists(id, { cause: error });
        old = await moveAway(root, id, place, 'old');
      }
    }
    await syncFolder(collection);
    await syncFolder(root);
    if (old) await rm(old, { recursive: true, force: true });
    await removeFilesElsewhere(root, id);
  } catch (error) {
    if (error instanceof DatasetExists) throw error;
    throw new StoreWriteFailed(place, { cause: error });
  }
}

/** Takes a dataset away: it is gone at once, its files follow. Throws DatasetNotFound, StoreWriteFailed. */
export async function removeFolder(root: string, id: string): Promise<void> {
  const place = datasetFolder(root, id);
  try {
    const moved = await moveAway(root, id, place, 'removed');
    if (moved === undefined) throw new DatasetNotFound(id);
    await syncFolder(collectionFolder(root, id));
    await rm(moved, { recursive: true, force: true });
    await removeFilesElsewhere(root, id);
  } catch (error) {
    if (error instanceof DatasetNotFound) throw error;
    throw new StoreWriteFailed(place, { cause: error });
  }
}

/** Those of a dataset that came as objects out of a bucket: they are in no folder beside their manifest. */
async function removeFilesElsewhere(root: string, id: string): Promise<void> {
  await rm(join(root, filesPrefix(id)), { recursive: true, force: true });
}

async function moveAway(
  root: string,
  id: string,
  place: string,
  role: 'old' | 'removed',
): Promise<string | undefined> {
  await mkdir(join(root, incomingFolder), { recursive: true });
  const moved = incomingPath(root, id, role);
  try {
    await rename(place, moved);
    return moved;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  // Windows answers EPERM where others say that the folder is not empty.
  return code === 'ENOTEMPTY' || code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32');
}
