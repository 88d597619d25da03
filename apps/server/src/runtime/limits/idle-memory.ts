import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

interface IdleOptions {
  /** Release memory that can be rebuilt; run in this order. */
  release: readonly (() => Promise<unknown>)[];
  onFailure: (error: unknown) => void;
  /** Time without a call until the process counts as idle. */
  idleMilliseconds?: number;
  collect?: () => void;
  resident?: () => number;
}

const defaultIdleMilliseconds = 30_000;
const growthLimit = 1.15;

/**
 * Releases memory when the process is idle and its memory has grown. An idle engine allocates nothing, and so never
 * collects the garbage of the last load. Pauses of a single user do not release the caches.
 */
export class IdleMemory {
  readonly #options: IdleOptions;
  readonly #milliseconds: number;
  #calls = 0;
  /** Resident bytes after the last release; 0 before the first. */
  #baseline = 0;
  #timer: NodeJS.Timeout | undefined;
  #releasing = Promise.resolve();

  constructor(options: IdleOptions) {
    this.#options = options;
    this.#milliseconds = options.idleMilliseconds ?? defaultIdleMilliseconds;
    this.#wait();
  }

  called(): () => void {
    this.#calls += 1;
    clearTimeout(this.#timer);
    return () => {
      this.#calls -= 1;
      this.#wait();
    };
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#releasing;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#calls > 0) return;
    this.#timer = setTimeout(() => {
      this.#releasing = this.#releasing.then(() => this.#release());
    }, this.#milliseconds);
    this.#timer.unref();
  }

  async #release(): Promise<void> {
    const {
      release,
      onFailure,
      collect = collectGarbage,
      resident = process.memoryUsage.rss,
    } = this.#options;
    if (resident() <= growthLimit * this.#baseline) return;
    for (const one of release) {
      // A new call would need the caches.
      if (this.#calls > 0) return;
      await one().catch(onFailure);
    }
    if (this.#calls > 0) return;
    collect();
    this.#baseline = Math.min(resident(), this.#baseline || Infinity);
  }
}

/** Collects this thread's garbage. Blocks the event loop for about 0.1 s. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  // Only the last resort shrinks the young generation too.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
