import { InvalidGmt } from '@cellfolio/analysis';
import { InvalidLibraryName, LibraryDamaged, LibraryExists, LibraryNotFetched } from './errors.ts';
import { fetchLibrary, type FetchLibraryOptions, libraryAddress, shownAddress } from './fetch-library.ts';
import { checkLibraryName } from './library-name.ts';
import type { LibraryRecord } from './library-record.ts';
import type { StoredLibraries } from './stored-libraries.ts';

/** What became of one library. */
export type PullOutcome =
  | {
      readonly name: string;
      readonly outcome: 'fetched';
      readonly record: LibraryRecord;
      readonly warnings: readonly string[];
    }
  | {
      readonly name: string;
      readonly outcome: 'kept';
      readonly record: LibraryRecord;
      readonly reason: string;
    }
  | { readonly name: string; readonly outcome: 'failed'; readonly reason: string };

export interface PullOptions extends Omit<FetchLibraryOptions, 'onProgress'> {
  /** Address of the publisher, without a closing slash. */
  readonly base: string;
  /** Leaves those alone that are stored already. */
  readonly missingOnly: boolean;
  /** Fetches also in the place of a library that was added from a file. */
  readonly replace: boolean;
  readonly onProgress?: (progress: { name: string; done: number; total: number }) => void;
}

/**
 * Fetches libraries one after the other and stores each once it is whole; one that cannot be fetched does not
 * keep the others from it, and what was stored under its name stays. Throws InvalidLibraryName before anything
 * is fetched, StoreWriteFailed, or the reason of the signal: then those already stored are kept.
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

/** A damaged library is one to fetch again. */
async function presentRecord(stored: StoredLibraries, name: string): Promise<LibraryRecord | undefined> {
  try {
    return await stored.find(name);
  } catch (error) {
    if (error instanceof LibraryDamaged) return undefined;
    throw error;
  }
}
