/**
 * Identical concurrent work runs once. Each waiter may leave by its own signal; the work itself is
 * aborted when the last waiter has left.
 */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /** Joins the running work of this key or starts it. Rejects with the signal's reason when it aborts. */
  async run(key: string, signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#start(key, work);
    flight.waiters++;
    try {
      return await untilAborted(flight.result, signal);
    } finally {
      flight.waiters--;
      if (flight.waiters === 0) {
        // Nobody may join work that is being aborted.
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
        flight.controller.abort();
      }
    }
  }

  get size(): number {
    return this.#flights.size;
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const flight: Flight<T> = { waiters: 0, controller, result: work(controller.signal) };
    this.#flights.set(key, flight);
    const settled = () => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    };
    flight.result.then(settled, settled);
    return flight;
  }
}

interface Flight<T> {
  waiters: number;
  readonly controller: AbortController;
  readonly result: Promise<T>;
}

function untilAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return result;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
