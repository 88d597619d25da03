import type { ByteSource } from '@cellfolio/bytes';
import { StorageError } from './storage-error.ts';

/**
 * Limits the concurrent uploads of this process, over all users: each costs memory. (Per user: `uploadLimits` of
 * `gateway/service-admissions.ts`.) Further ones queue with unread bodies, and are refused after a timeout.
 */
export class UploadSlots {
  readonly #limit: number;
  readonly #waitMs: number;
  #taken = 0;
  readonly #waiting = new Set<() => void>();

  constructor(limit: number, waitSeconds: number) {
    this.#limit = limit;
    this.#waitMs = waitSeconds * 1000;
  }

  /** Throws StorageError `SlowDown` if no slot becomes free in time. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken >= this.#limit) await this.#turn();
    else this.#taken += 1;
    try {
      return await work();
    } finally {
      this.#handOver();
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(take);
        reject(
          new StorageError('SlowDown', 'Too many files are being uploaded right now. Please try again soon.'),
        );
      }, this.#waitMs);
      this.#waiting.add(take);
    });
  }

  /** Passes the slot to the longest waiter, which keeps the count unchanged. */
  #handOver(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

/**
 * The same chunks, with a timeout for the next one: a silent sender would hold its reservation and memory forever.
 * Throws StorageError `InvalidRequest`.
 */
export async function* withoutStalls(body: ByteSource, seconds: number): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  let stalled = false;
  try {
    for (;;) {
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        stalled = true;
        reject(
          new StorageError(
            'InvalidRequest',
            `No data arrived for ${seconds} seconds, so the upload was stopped.`,
          ),
        );
      }, seconds * 1000);
      let next: IteratorResult<Uint8Array>;
      try {
        next = await Promise.race([pieces.next(), late]);
      } finally {
        clearTimeout(timer);
      }
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // A stalled source is not asked to stop: that would wait for it too.
    if (!stalled) await pieces.return?.();
  }
}
