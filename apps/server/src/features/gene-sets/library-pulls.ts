import { offeredLibraries } from './offered-libraries.ts';
import { pullLibraries, type PullOptions, type PullOutcome } from './pull-libraries.ts';
import type { StoredLibraries } from './stored-libraries.ts';

/** How far a pull has come: bytes of one library, of 0 where the publisher does not say how many there are. */
export interface PullProgress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}

export interface Following {
  readonly onProgress: (progress: PullProgress) => void;
  /** Ends the following; the pull goes on. */
  readonly signal: AbortSignal;
}

/**
 * Pulls the offered libraries in a running server, one pull at a time: whoever asks while one is under way follows it.
 * It goes on when everybody who asked has gone away, and ends with the server; then those already stored are kept.
 */
export class LibraryPulls {
  readonly #stored: StoredLibraries;
  readonly #publisher: Pick<PullOptions, 'base' | 'timeoutMilliseconds'>;
  readonly #ending = new AbortController();
  readonly #followers = new Set<Following['onProgress']>();
  #running: Promise<readonly PullOutcome[]> | undefined;
  #last: PullProgress | undefined;

  constructor(stored: StoredLibraries, publisher: Pick<PullOptions, 'base' | 'timeoutMilliseconds'>) {
    this.#stored = stored;
    this.#publisher = publisher;
  }

  /** What became of each library. Throws StoreWriteFailed, or the reason of the signal. */
  async follow({ onProgress, signal }: Following): Promise<readonly PullOutcome[]> {
    signal.throwIfAborted();
    const running = (this.#running ??= this.#pull());
    if (this.#last) onProgress(this.#last);
    this.#followers.add(onProgress);
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([running, left.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
      this.#followers.delete(onProgress);
    }
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#ending.abort(new DOMException('The server is stopping.', 'AbortError'));
    await this.#running?.catch(() => undefined);
  }

  #pull(): Promise<readonly PullOutcome[]> {
    const names = offeredLibraries.map(({ name }) => name);
    const pulling = pullLibraries(this.#stored, names, {
      ...this.#publisher,
      missingOnly: false,
      replace: false,
      signal: this.#ending.signal,
      onProgress: ({ name, done, total }) => {
        const stage = `Fetching ${name} (${names.indexOf(name) + 1} of ${names.length})`;
        this.#last = { stage, done, total };
        for (const tell of this.#followers) tell(this.#last);
      },
    }).finally(() => {
      this.#running = undefined;
      this.#last = undefined;
    });
    // It may fail after everybody has left.
    pulling.catch(() => undefined);
    return pulling;
  }
}
