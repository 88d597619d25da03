import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface QuietOptions {
  /** Lets go of what is not needed before somebody comes again; done one after the other. */
  readonly giveBack: readonly (() => Promise<unknown>)[];
  readonly onFailure: (error: unknown) => void;
  /** Quiet is so long without a call, in milliseconds. */
  readonly quietMilliseconds?: number;
  readonly collect?: () => void;
  /** Bytes that the process holds. */
  readonly resident?: () => number;
}

const usualQuiet = 30_000;
/** What is held may grow to so many times the least that was, before it is worth the work. */
const tolerated = 1.15;

/**
 * Gives memory back once nobody has called for a while and it has grown: an engine that nobody asks anything of allocates
 * nothing, and so collects nothing of what the last load left behind. Who works alone and thinks in between finds
 * everything as it was.
 */
export class QuietMemory {
  readonly #options: QuietOptions;
  readonly #milliseconds: number;
  #calls = 0;
  /** Bytes that were held after memory was given back; before that everything is too much. */
  #least = 0;
  #timer: NodeJS.Timeout | undefined;
  #givingBack = Promise.resolve();

  constructor(options: QuietOptions) {
    this.#options = options;
    this.#milliseconds = options.quietMilliseconds ?? usualQuiet;
    this.#wait();
  }

  /** A call has begun; returns what ends it. */
  called(): () => void {
    this.#calls += 1;
    clearTimeout(this.#timer);
    return () => {
      this.#calls -= 1;
      this.#wait();
    };
  }

  /** Waits for what is being given back. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#givingBack;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#calls > 0) return;
    this.#timer = setTimeout(() => {
      this.#givingBack = this.#givingBack.then(() => this.#giveBack());
    }, this.#milliseconds);
    this.#timer.unref();
  }

  async #giveBack(): Promise<void> {
    const {
      giveBack,
      onFailure,
      collect = collectGarbage,
      resident = process.memoryUsage.rss,
    } = this.#options;
    if (resident() <= tolerated * this.#least) return;
    for (const one of giveBack) {
      // Somebody came meanwhile: what is there is needed.
      if (this.#calls > 0) return;
      await one().catch(onFailure);
    }
    if (this.#calls > 0) return;
    collect();
    this.#least = Math.min(resident(), this.#least || Infinity);
  }
}

/** Of this thread alone. Takes a tenth of a second, in which nobody is answered. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  // The last resort also lets go of the young generation, which is as large as it ever was otherwise.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
