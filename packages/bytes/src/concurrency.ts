/**
 * Runs `work` for 0 .. count - 1, at most `limit` at a time. After the first error starts no more, waits for the
 * running ones to settle and throws it.
 */
export async function eachLimited(
  count: number,
  limit: number,
  work: (i: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  let failure: unknown;
  const run = async () => {
    while (next < count && !failed) {
      try {
        await work(next++);
      } catch (error) {
        failure = failed ? failure : error;
        failed = true;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, count) }, run));
  if (failed) throw failure;
}

interface Sharing<T> {
  result: Promise<T>;
  controller: AbortController;
  waiting: number;
}

/**
 * Runs identical concurrent work once. A cancelled caller is rejected immediately; the work is cancelled when its
 * last caller is.
 */
export class SharedWork<Key, T> {
  readonly #running = new Map<Key, Sharing<T>>();

  async run(
    key: Key,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const shared = this.#running.get(key) ?? this.#start(key, work);
    shared.waiting++;
    try {
      return await (signal ? raceAbort(shared.result, signal) : shared.result);
    } finally {
      shared.waiting--;
      if (shared.waiting === 0) {
        // A later caller must not join work that is being cancelled.
        if (this.#running.get(key) === shared) this.#running.delete(key);
        shared.controller.abort();
      }
    }
  }

  #start(key: Key, work: (signal: AbortSignal) => Promise<T>): Sharing<T> {
    const controller = new AbortController();
    const result = work(controller.signal);
    // The work may fail after its last caller was cancelled.
    result.catch(() => undefined);
    const shared = { result, controller, waiting: 0 };
    this.#running.set(key, shared);
    return shared;
  }
}

function raceAbort<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
