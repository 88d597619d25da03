import { AsyncLocalStorage } from 'node:async_hooks';
import { NestedTransactionError } from './errors.ts';

/**
 * Knows whether the code that runs now was called from inside a transaction of this database. On the one
 * connection of the embedded database a second request would wait for ever; it is refused for PostgreSQL too,
 * where the same code would run dry the pool under load.
 */
export class TransactionGuard {
  readonly #current = new AsyncLocalStorage<{ active: boolean }>();

  async run<T>(work: () => Promise<T>): Promise<T> {
    // What the work leaves running in the background inherits the mark: it must lapse with the transaction.
    const mark = { active: true };
    try {
      return await this.#current.run(mark, work);
    } finally {
      mark.active = false;
    }
  }

  /** Throws NestedTransactionError inside a transaction. */
  refuseNested(): void {
    if (this.#current.getStore()?.active) throw new NestedTransactionError();
  }
}
