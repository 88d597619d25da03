import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, isDiskFull } from '@cellfolio/platform';
import type { ObjectStore } from '@cellfolio/store';

/** More than a full disk may still have free in a partly filled block. */
const probeBytes = 64 * 1024;

/** Checks whether the process can serve calls. */
export class Readiness {
  readonly #dataDir: string;
  readonly #database: Database;
  readonly #objects: Pick<ObjectStore, 'head'>;
  #stopping = false;

  constructor(dataDir: string, database: Database, objects: Pick<ObjectStore, 'head'>) {
    this.#dataDir = dataDir;
    this.#database = database;
    this.#objects = objects;
  }

  /** Reports the process as not ready from now on. */
  stop(): void {
    this.#stopping = true;
  }

  /** As in `Probes`. */
  async missing(): Promise<string | undefined> {
    if (this.#stopping) return 'The process is stopping.';
    const unwritable = await this.#unwritable();
    if (unwritable !== undefined) return unwritable;
    try {
      await this.#database.pool.query('select 1');
    } catch {
      return 'The database is unavailable.';
    }
    try {
      // No such object: the answer counts.
      await this.#objects.head('datasets/.readiness');
    } catch {
      return 'The object store is unavailable.';
    }
    return undefined;
  }

  async #unwritable(): Promise<string | undefined> {
    const path = join(this.#dataDir, `.readiness-${process.pid}`);
    try {
      await writeFile(path, new Uint8Array(probeBytes));
      return undefined;
    } catch (error) {
      return isDiskFull(error)
        ? 'The data folder cannot be written: its disk is full.'
        : 'The data folder cannot be written.';
    } finally {
      await rm(path, { force: true }).catch(() => {});
    }
  }
}
