import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Lock, Locker, RequestRelease } from '@tus/server';
import type { Database } from '../../database/database.ts';

const retryMs = 200;

interface UploadLocksOptions {
  readonly database: Database;
  readonly waitSeconds: number;
  /** A lease expires this long after its process last renewed it. */
  readonly leaseSeconds: number;
  readonly idle: (id: string) => Promise<void>;
}

/** Shaped so that the protocol's server treats it as one of its own errors. */
class UploadLockedError extends Error {
  override readonly name = 'UploadLockedError';
  readonly status_code = 423;
  readonly body = 'The upload is being written to by another request; try again in a moment.\n';

  constructor() {
    super('The upload stayed locked.');
  }
}

interface LockHolder {
  readonly askToStop: RequestRelease;
  readonly freed: Promise<void>;
  readonly free: () => void;
}

/**
 * One writer per upload. The next writer asks the holder to stop: usually a connection that died unnoticed. In memory
 * within a process; by a lease in the database between processes.
 */
export class UploadLocks implements Locker {
  readonly #options: UploadLocksOptions;
  readonly #holders = new Map<string, LockHolder>();

  constructor(options: UploadLocksOptions) {
    this.#options = options;
  }

  newLock(id: string): Lock {
    let stopRenewing = (): void => {};
    let lease: string | undefined;
    return {
      lock: async (signal, askToStop) => {
        const giveUp = AbortSignal.any([signal, AbortSignal.timeout(this.#options.waitSeconds * 1000)]);
        await this.#hold(id, askToStop, giveUp);
        try {
          lease = await this.#lease(id, giveUp);
        } catch (error) {
          this.#free(id);
          throw error;
        }
        if (lease !== undefined) stopRenewing = this.#renew(id, lease, askToStop);
      },
      unlock: async () => {
        try {
          await this.#options.idle(id);
          stopRenewing();
          if (lease !== undefined) await this.#endLease(id, lease);
        } finally {
          this.#free(id);
        }
      },
    };
  }

  async #hold(id: string, askToStop: RequestRelease, giveUp: AbortSignal): Promise<void> {
    for (;;) {
      const holder = this.#holders.get(id);
      if (!holder) break;
      await holder.askToStop();
      await Promise.race([holder.freed, aborted(giveUp)]);
      if (giveUp.aborted) throw new UploadLockedError();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#holders.set(id, { askToStop, freed: promise, free: resolve });
  }

  #free(id: string): void {
    this.#holders.get(id)?.free();
    this.#holders.delete(id);
  }

  /** Undefined if no lease is needed: the embedded database has one process, and a new upload has no row. */
  async #lease(id: string, giveUp: AbortSignal): Promise<string | undefined> {
    const { database, leaseSeconds } = this.#options;
    if (database.kind === 'embedded') return undefined;
    const holder = randomUUID();
    for (;;) {
      const { rowCount } = await database.pool.query(
        `update storage.uploads set lock_holder = $2, lock_until = now() + make_interval(secs => $3), lock_wanted = false
         where id = $1 and (lock_until is null or lock_until < now())`,
        [id, holder, leaseSeconds],
      );
      if (rowCount === 1) return holder;
      const update = await database.pool.query(
        'update storage.uploads set lock_wanted = true where id = $1',
        [id],
      );
      if (update.rowCount === 0) return undefined;
      await delay(retryMs, undefined, { signal: giveUp }).catch(() => {
        throw new UploadLockedError();
      });
    }
  }

  #renew(id: string, holder: string, askToStop: RequestRelease): () => void {
    const { database, leaseSeconds } = this.#options;
    const renew = async (): Promise<void> => {
      const { rows } = await database.pool.query<{ lock_wanted: boolean }>(
        `update storage.uploads set lock_until = now() + make_interval(secs => $3)
         where id = $1 and lock_holder = $2 returning lock_wanted`,
        [id, holder, leaseSeconds],
      );
      if (!rows[0] || rows[0].lock_wanted) await askToStop();
    };
    // The lease expires; writes without it are refused at their checkpoint.
    const timer = setInterval(() => void renew().catch(() => {}), leaseSeconds * 100);
    timer.unref();
    return () => clearInterval(timer);
  }

  async #endLease(id: string, holder: string): Promise<void> {
    await this.#options.database.pool
      .query(
        `update storage.uploads set lock_holder = null, lock_until = null, lock_wanted = false
         where id = $1 and lock_holder = $2`,
        [id, holder],
      )
      .catch(() => {});
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
