interface SharedRead<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Runs reads of the same key once. A caller that is cancelled leaves at once; the read itself is cancelled
 * when nobody waits for it any more.
 */
export class SharedReads<Key, T> {
  readonly #running = new Map<Key, SharedRead<T>>();

  async run(
    key: Key,
    signal: AbortSignal | undefined,
    read: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const shared = this.#running.get(key) ?? this.#start(key, read);
    shared.waiting++;
    try {
      return await (signal ? raceAbort(shared.result, signal) : shared.result);
    } finally {
      shared.waiting--;
      if (shared.waiting === 0) {
        // A later caller must not join a read that is being cancelled.
        if (this.#running.get(key) === shared) this.#running.delete(key);
        shared.controller.abort();
      }
    }
  }

  #start(key: Key, read: (signal: AbortSignal) => Promise<T>): SharedRead<T> {
    const controller = new AbortController();
    const result = read(controller.signal);
    // The read may fail after its last caller has left.
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
