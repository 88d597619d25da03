import { InvalidGmt } from '@cellfolio/analysis';
import type { ProgressEvent } from '@cellfolio/contract';
import { InvalidLibraryName, LibraryDamaged, LibraryExists, LibraryNotFetched } from './errors.ts';
import { shownAddress } from '../../runtime/remote/open-answer.ts';
import { fetchLibrary, type FetchLibraryOptions, libraryAddress } from './fetch-library.ts';
import { checkLibraryName, type LibraryRecord, type StoredLibraries } from './stored-libraries.ts';
import { offeredLibraries } from './built-in-libraries.ts';

export type PullOutcome =
  | {
      name: string;
      outcome: 'fetched';
      record: LibraryRecord;
      warnings: readonly string[];
    }
  | {
      name: string;
      outcome: 'kept';
      record: LibraryRecord;
      reason: string;
    }
  | { name: string; outcome: 'failed'; reason: string };

export interface PullOptions extends Omit<FetchLibraryOptions, 'onProgress'> {
  /** Address of the publisher, without a trailing slash. */
  base: string;
  missingOnly: boolean;
  /** Also replaces a library that was added from a file. */
  replace: boolean;
  onProgress?: (progress: { name: string; done: number; total: number }) => void;
}

/**
 * Fetches libraries one after the other and stores each once it is complete; a failure does not stop the others, and
 * the previously stored library of that name stays. Throws InvalidLibraryName before anything is fetched,
 * StoreWriteFailed, or the reason of the signal: libraries stored by then are kept.
 */
export async function pullLibraries(
  stored: StoredLibraries,
  names: readonly string[],
  options: PullOptions,
): Promise<PullOutcome[]> {
  for (const name of names) checkLibraryName(name);
  const outcomes: PullOutcome[] = [];
  for (const name of new Set(names)) outcomes.push(await pull(stored, name, options));
  return outcomes;
}

async function pull(stored: StoredLibraries, name: string, options: PullOptions): Promise<PullOutcome> {
  const { base, missingOnly, replace, onProgress } = options;
  try {
    const present = await presentRecord(stored, name);
    if (present && missingOnly)
      return { name, outcome: 'kept', record: present, reason: 'it is there already' };
    if (present?.source === 'file' && !replace) {
      return {
        name,
        outcome: 'kept',
        record: present,
        reason: 'it was added from a file; --replace fetches it',
      };
    }
    const bytes = await fetchLibrary(name, base, {
      ...options,
      onProgress: (progress) => onProgress?.({ name, ...progress }),
    });
    options.signal.throwIfAborted();
    const origin = shownAddress(libraryAddress(base, name));
    const { record, warnings } = await stored.put({
      name,
      bytes,
      source: 'publisher',
      origin,
      replace: true,
    });
    return { name, outcome: 'fetched', record, warnings };
  } catch (error) {
    if (
      error instanceof LibraryNotFetched ||
      error instanceof InvalidGmt ||
      error instanceof LibraryExists ||
      error instanceof InvalidLibraryName
    ) {
      return { name, outcome: 'failed', reason: error.message };
    }
    throw error;
  }
}

/** A damaged library is fetched again. */
async function presentRecord(stored: StoredLibraries, name: string): Promise<LibraryRecord | undefined> {
  try {
    return await stored.find(name);
  } catch (error) {
    if (error instanceof LibraryDamaged) return undefined;
    throw error;
  }
}

interface Following {
  /** Bytes of one library; `total` is 0 when the publisher does not state the size. */
  onProgress: (progress: ProgressEvent) => void;
  /** Stops following; the pull continues. */
  signal: AbortSignal;
}

/**
 * Pulls the offered libraries in a running server, one pull at a time: a request during a pull follows it. A pull
 * continues when all its callers have left, and ends with the server; libraries stored by then are kept.
 */
export class LibraryPulls {
  readonly #stored: StoredLibraries;
  readonly #publisher: Pick<PullOptions, 'base' | 'timeoutMilliseconds'>;
  readonly #ending = new AbortController();
  readonly #followers = new Set<Following['onProgress']>();
  #running: Promise<readonly PullOutcome[]> | undefined;
  #last: ProgressEvent | undefined;

  constructor(stored: StoredLibraries, publisher: Pick<PullOptions, 'base' | 'timeoutMilliseconds'>) {
    this.#stored = stored;
    this.#publisher = publisher;
  }

  /** The outcome of each library. Throws StoreWriteFailed, or the reason of the signal. */
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
