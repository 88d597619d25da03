import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, isDiskFull } from '@cellfolio/platform';
import type { ObjectStore } from '@cellfolio/store';

/** Little, but more than what a full disk may still have in the last block of something. */
const probeBytes = 64 * 1024;

/** Whether calls may be sent to this process. */
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

  /** From now on calls belong elsewhere; those that are here are finished. */
  stop(): void {
    this.#stopping = true;
  }

  /** What is missing, in words without secrets; undefined when nothing is. */
  async missing(): Promise<string | undefined> {
    if (this.#stopping) return 'The process is stopping.';
    const unwritable = await this.#unwritable();
    if (unwritable !== undefined) return unwritable;
    try {
      await this.#database.pool.query('select 1');
    } catch {
      return 'The database does not answer.';
    }
    try {
      // There is no such object; a store that says so is there.
      await this.#objects.head('datasets/.readiness');
    } catch {
      return 'The object store does not answer.';
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
