import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreWriteFailed, syncFolder } from '@cellfolio/bytes';
import { collectionFolder, datasetFolder, derivedPrefix, filesPrefix } from '../dataset-id.ts';
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

const maxAttempts = 5;

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
    const { id } = manifest;
    await staged.write('manifest.json', manifestBytes(manifest));
    await staged.settle();
    signal?.throwIfAborted();
    const collection = collectionFolder(this.stagingRoot, id);
    try {
      await mkdir(collection, { recursive: true });
      const old = await this.#moveIntoPlace(id, staged.path, replace);
      await syncFolder(collection);
      await syncFolder(this.stagingRoot);
      await this.#removeFiles(id, old);
    } catch (error) {
      if (error instanceof DatasetExists) throw error;
      throw new StoreWriteFailed(datasetFolder(this.stagingRoot, id), { cause: error });
    }
    return manifest;
  }

  async remove(id: string): Promise<void> {
    try {
      const moved = await this.#moveAway(id, 'removed');
      if (moved === undefined) throw new DatasetNotFound(id);
      await syncFolder(collectionFolder(this.stagingRoot, id));
      await this.#removeFiles(id, moved);
    } catch (error) {
      if (error instanceof DatasetNotFound) throw error;
      throw new StoreWriteFailed(datasetFolder(this.stagingRoot, id), { cause: error });
    }
  }

  async close(): Promise<void> {}

  /**
   * Renames a finished folder. With `replace` an existing dataset is moved away first, to the returned path; if the
   * process dies between the two moves, the next writer moves it back.
   */
  async #moveIntoPlace(id: string, staged: string, replace: boolean): Promise<string | undefined> {
    const place = datasetFolder(this.stagingRoot, id);
    let old: string | undefined;
    // Another writer may take the place between the two moves.
    for (let attempt = 1; ; attempt++) {
      try {
        await rename(staged, place);
        return old;
      } catch (error) {
        if (!isTaken(error) || attempt > maxAttempts) {
          if (old) await rename(old, place).catch(() => undefined);
          throw error;
        }
        if (!replace) throw new DatasetExists(id, { cause: error });
        old = await this.#moveAway(id, 'old');
      }
    }
  }

  async #moveAway(id: string, role: 'old' | 'removed'): Promise<string | undefined> {
    await mkdir(join(this.stagingRoot, incomingFolder), { recursive: true });
    const moved = incomingPath(this.stagingRoot, id, role);
    try {
      await rename(datasetFolder(this.stagingRoot, id), moved);
      return moved;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async #removeFiles(id: string, moved: string | undefined): Promise<void> {
    if (moved) await rm(moved, { recursive: true, force: true });
    for (const prefix of [filesPrefix(id), derivedPrefix(id)])
      await rm(join(this.stagingRoot, prefix), { recursive: true, force: true });
  }
}

function isTaken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  // Windows answers EPERM where others say that the folder is not empty.
  return code === 'ENOTEMPTY' || code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32');
}
