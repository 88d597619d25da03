import type { Database } from '@cellfolio/platform';
import type { ObjectStore } from '@cellfolio/store';

/** Whether calls may be sent to this process. */
export class Readiness {
  readonly #database: Database;
  readonly #objects: Pick<ObjectStore, 'head'>;
  #stopping = false;

  constructor(database: Database, objects: Pick<ObjectStore, 'head'>) {
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
}
