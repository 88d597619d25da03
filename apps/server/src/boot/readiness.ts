import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freeBytes } from '@cellfolio/bytes';
import { type Database, isDiskFull } from '@cellfolio/platform';
import type { ObjectStore } from '@cellfolio/store';
import { diskFloorBytes } from './disk-reserve.ts';

/** More than a full disk may still have free in a partly filled block. */
const probeBytes = 64 * 1024;

export const diskFull = 'The data folder cannot be written: its disk is full.';

/** Every process writes the same bytes under this key. */
export const readinessKey = 'readiness';
const readinessBytes = new TextEncoder().encode('written by a process that starts\n');

export class Readiness {
  readonly #dataDir: string;
  readonly #database: Database;
  readonly #objects: Pick<ObjectStore, 'get' | 'head' | 'put'>;
  #storeWorked = false;
  #stopping = false;

  constructor(dataDir: string, database: Database, objects: Pick<ObjectStore, 'get' | 'head' | 'put'>) {
    this.#dataDir = dataDir;
    this.#database = database;
    this.#objects = objects;
  }

  stop(): void {
    this.#stopping = true;
  }

  async missing(): Promise<string | undefined> {
    if (this.#stopping) return 'The process is stopping.';
    const unwritable = await this.#unwritable();
    if (unwritable !== undefined) return unwritable;
    try {
      await this.#database.pool.query('select 1');
    } catch {
      return 'The database is unavailable.';
    }
    return this.#unusableStore();
  }

  /**
   * Writes and reads an object the first time and whenever it is missing (for example with its bucket); otherwise only
   * checks that it exists.
   */
  async #unusableStore(): Promise<string | undefined> {
    try {
      if (this.#storeWorked && (await this.#objects.head(readinessKey)) !== undefined) return undefined;
      this.#storeWorked = false;
      await this.#objects.put(readinessKey, readinessBytes);
      const read = await this.#objects.get(readinessKey);
      if (!Buffer.from(read).equals(readinessBytes))
        return 'The object store does not return what it was given.';
      this.#storeWorked = true;
      return undefined;
    } catch (error) {
      return isNoSuchBucket(error)
        ? 'The bucket of OBJECT_STORE_URL does not exist.'
        : 'The object store is unavailable.';
    }
  }

  async #unwritable(): Promise<string | undefined> {
    const path = join(this.#dataDir, `.readiness-${process.pid}`);
    try {
      // Others keep their files elsewhere, and of a small disk here caches.
      if (this.#database.kind === 'embedded' && (await freeBytes(this.#dataDir)) < diskFloorBytes)
        return diskFull;
      await writeFile(path, new Uint8Array(probeBytes));
      return undefined;
    } catch (error) {
      return isDiskFull(error) ? diskFull : 'The data folder cannot be written.';
    } finally {
      await rm(path, { force: true }).catch(() => {});
    }
  }
}

function isNoSuchBucket(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at.name === 'NoSuchBucket') return true;
  return false;
}
