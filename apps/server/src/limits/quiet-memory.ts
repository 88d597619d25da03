import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface QuietOptions {
  /** Lets go of what is not needed before somebody comes again; done one after the other. */
  readonly giveBack: readonly (() => Promise<unknown>)[];
  readonly onFailure: (error: unknown) => void;
  /** Quiet is so long without a call, in milliseconds. */
  readonly quietMilliseconds?: number;
  readonly collect?: () => void;
}

const usualQuiet = 30_000;

/**
 * Gives memory back once nobody has called for a while, and once for each such time: an engine that nobody asks anything
 * of allocates nothing, and so collects nothing of what the last load left behind.
 */
export class QuietMemory {
  readonly #options: QuietOptions;
  readonly #milliseconds: number;
  #calls = 0;
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
    const { giveBack, onFailure, collect = collectGarbage } = this.#options;
    for (const one of giveBack) {
      // Somebody came meanwhile: what is there is needed.
      if (this.#calls > 0) return;
      await one().catch(onFailure);
    }
    if (this.#calls === 0) collect();
  }
}

/** Of this thread alone. Takes a tenth of a second, in which nobody is answered. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  // The last resort also lets go of the young generation, which is as large as it ever was otherwise.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
