import { type GeneSet, type GeneSetColumns, geneSetColumns, parseGmt, readGmt } from '@cellfolio/analysis';
import { cellStateNames } from '@cellfolio/contract';
import { ByteCache, ObjectNotFound, type ObjectStore, SharedWork } from '@cellfolio/store';
import { cellStateOf } from './cell-state-names.ts';
import { LibraryDamaged, UnknownLibrary } from './errors.ts';
import { hallmarkLibrary, offeredLibraries, starterLabel } from './library-names.ts';
import type { LibraryRecord } from './library-record.ts';
import { starterSets } from './starter-sets.ts';
import { countGenes, type DamagedRecord, StoredLibraries } from './stored-libraries.ts';

/** Where a library comes from: its publisher, a local file, or our own abridged sets. */
export type LibrarySource = 'publisher' | 'file' | 'starter';

/** A library without its sets. */
export interface LibraryHead {
  readonly name: string;
  readonly source: LibrarySource;
  /** `starter, abridged` or empty; shown wherever results of the library are. */
  readonly label: string;
  readonly setCount: number;
  /** Changes with the content; for cache keys, beside the name. */
  readonly version: string;
}

/** A library with its sets. */
export interface LoadedLibrary extends Omit<LibraryHead, 'setCount'> {
  readonly sets: readonly GeneSet[];
  /** What is doubtful about it, in sentences. */
  readonly warnings: readonly string[];
}

/** The sets of a library at a version, as columns. */
export interface ReadLibrary extends Pick<LoadedLibrary, 'version' | 'warnings'> {
  readonly sets: GeneSetColumns;
}

/** What a list of libraries shows. */
export interface LibrarySummary {
  readonly name: string;
  readonly source: LibrarySource;
  readonly label: string;
  readonly setCount: number;
  /** Distinct genes over all sets. */
  readonly geneCount: number;
  /** When it was stored, ISO 8601; absent for a starter. */
  readonly storedAt?: string;
  /** Address or file name it came from; absent for a starter. */
  readonly origin?: string;
  readonly version: string;
  /** Why it cannot be used; counts are 0 then. */
  readonly damaged?: string;
}

/** How long a listing is believed: a library added by the command line shows after this time. */
const listingMilliseconds = 2000;
/** Estimated memory of parsed libraries. The four offered ones take about a tenth of it. */
const parsedBytes = 128 * 1024 * 1024;
/** Strings of a parsed text take about this many times its bytes. */
const parsedSize = 6;

interface Listing {
  readonly records: ReadonlyMap<string, LibraryRecord>;
  readonly damaged: ReadonlyMap<string, DamagedRecord>;
}

interface Parsed {
  readonly library: LoadedLibrary;
  readonly bytes: number;
}

/** The gene-set libraries that a running server offers: stored ones, and our own where one is not stored. */
export class GeneSetLibraries {
  readonly #stored: StoredLibraries;
  readonly #parsed = new ByteCache<string, Parsed>(parsedBytes, ({ bytes }) => bytes);
  readonly #parsing = new SharedWork<string, LoadedLibrary>();
  #listing: { at: number; content: Promise<Listing> } | undefined;
  #cellStates: LoadedLibrary | undefined;

  constructor(objects: ObjectStore) {
    this.#stored = new StoredLibraries(objects);
  }

  /** The offered libraries first, then the others by name. */
  async list(): Promise<LibrarySummary[]> {
    const { records, damaged } = await this.#list();
    const names = namesOf({ records, damaged });
    return Promise.all(
      names.map(async (name): Promise<LibrarySummary> => {
        const record = records.get(name);
        if (record) return summaryOf(record);
        const fault = damaged.get(name);
        if (fault) {
          return {
            name,
            source: 'file',
            label: '',
            setCount: 0,
            geneCount: 0,
            version: '',
            damaged: fault.reason,
          };
        }
        const { sets, ...starter } = await starterLibrary(name);
        return {
          name,
          source: starter.source,
          label: starter.label,
          setCount: sets.length,
          geneCount: countGenes(sets),
          version: starter.version,
        };
      }),
    );
  }

  /** Throws UnknownLibrary, or LibraryDamaged rather than a starter in the place of what was fetched. */
  async load(name: string): Promise<LoadedLibrary> {
    const record = await this.#find(name);
    return record ? this.#loadStored(record, (found) => this.#parse(found)) : starterLibrary(name);
  }

  /** What is known of a library without reading its sets. Throws as `load` does. */
  async head(name: string): Promise<LibraryHead> {
    const record = await this.#find(name);
    if (record) {
      const { source, setCount, sha256: version } = record;
      return { name, source, label: '', setCount, version };
    }
    const { source, label, sets, version } = await starterLibrary(name);
    return { name, source, label, setCount: sets.length, version };
  }

  /** Reads the sets of a library in a tenth of the time and memory of `load`, and keeps nothing. Throws as it does. */
  async read(name: string): Promise<ReadLibrary> {
    const record = await this.#find(name);
    if (!record) {
      const { sets, version, warnings } = await starterLibrary(name);
      return { sets: geneSetColumns(sets), version, warnings };
    }
    return this.#loadStored(record, async (found) => ({
      ...readGmt(await this.#stored.text(found), found.origin),
      version: found.sha256,
    }));
  }

  /** The record of a stored library; undefined where a starter stands in for it. */
  async #find(name: string): Promise<LibraryRecord | undefined> {
    const listing = await this.#list();
    const record = listing.records.get(name);
    if (record) return record;
    const fault = listing.damaged.get(name);
    if (fault) throw new LibraryDamaged(name, fault.reason);
    if (!offeredLibraries.some((offered) => offered.name === name)) {
      throw new UnknownLibrary(name, namesOf(listing));
    }
    return undefined;
  }

  /**
   * The 50 hallmark states under the names and in the order of `cellStateNames`: from MSigDB_Hallmark_2020 where
   * it is stored, else from the newest stored library that has them all, else our own. Throws LibraryDamaged.
   */
  async cellStates(): Promise<LoadedLibrary> {
    const { records, damaged } = await this.#list();
    const fault = damaged.get(hallmarkLibrary);
    if (fault) throw new LibraryDamaged(hallmarkLibrary, fault.reason);
    const whole = [...records.values()]
      .filter(({ cellStateCount }) => cellStateCount === cellStateNames.length)
      .sort((a, b) => (a.storedAt < b.storedAt ? 1 : -1));
    const record = whole.find(({ name }) => name === hallmarkLibrary) ?? whole[0];
    const library = record
      ? await this.#loadStored(record, (found) => this.#parse(found))
      : await starterLibrary(hallmarkLibrary);
    const version = `${library.version}:states`;
    if (this.#cellStates?.version !== version || this.#cellStates.name !== library.name) {
      const incomplete = record ? undefined : records.get(hallmarkLibrary);
      this.#cellStates = {
        ...library,
        version,
        sets: statesOf(library.sets),
        warnings: incomplete
          ? [
              ...library.warnings,
              `The stored ${hallmarkLibrary} holds ${incomplete.cellStateCount} of the ${cellStateNames.length} cell states, so abridged ones are used; fetch it again.`,
            ]
          : library.warnings,
      };
    }
    return this.#cellStates;
  }

  async #loadStored<T>(record: LibraryRecord, load: (record: LibraryRecord) => Promise<T>): Promise<T> {
    try {
      return await load(record);
    } catch (error) {
      if (!(error instanceof ObjectNotFound)) throw error;
      // It was replaced or removed since it was listed.
      this.#listing = undefined;
      const fresh = (await this.#list()).records.get(record.name);
      if (!fresh || fresh.text === record.text) {
        throw new LibraryDamaged(record.name, 'its text is missing', { cause: error });
      }
      return load(fresh);
    }
  }

  async #parse(record: LibraryRecord): Promise<LoadedLibrary> {
    const key = `${record.name}/${record.text}`;
    const known = this.#parsed.get(key);
    if (known) return known.library;
    return this.#parsing.run(key, undefined, async () => {
      const text = await this.#stored.text(record);
      const { sets, warnings } = parseGmt(text, record.origin);
      const library: LoadedLibrary = {
        name: record.name,
        source: record.source,
        label: '',
        sets,
        version: record.sha256,
        warnings,
      };
      this.#parsed.set(key, { library, bytes: record.bytes * parsedSize });
      return library;
    });
  }

  #list(): Promise<Listing> {
    const now = performance.now();
    if (!this.#listing || now - this.#listing.at > listingMilliseconds) {
      const content = this.#stored.all().then(({ records, damaged }) => ({
        records: new Map(records.map((record) => [record.name, record])),
        damaged: new Map(damaged.map((fault) => [fault.name, fault])),
      }));
      this.#listing = { at: now, content };
      content.catch(() => (this.#listing = undefined));
    }
    return this.#listing.content;
  }
}

function namesOf({ records, damaged }: Listing): string[] {
  const offered = offeredLibraries.map(({ name }) => name);
  const others = [...records.keys(), ...damaged.keys()].filter((name) => !offered.includes(name));
  return [...offered, ...others.sort()];
}

function summaryOf(record: LibraryRecord): LibrarySummary {
  const { name, source, setCount, geneCount, storedAt, origin, sha256 } = record;
  return { name, source, label: '', setCount, geneCount, storedAt, origin, version: sha256 };
}

/** What stands in for an offered library. */
async function starterLibrary(name: string): Promise<LoadedLibrary> {
  const starter = offeredLibraries.find((offered) => offered.name === name)?.starter ?? 'pathways';
  return { name, source: 'starter', label: starterLabel, ...(await starterSets(starter)), warnings: [] };
}

function statesOf(sets: readonly GeneSet[]): GeneSet[] {
  const byState = new Map(sets.map((set) => [cellStateOf(set.name), set.genes]));
  return cellStateNames.map((name) => ({ name, genes: byState.get(name) ?? [] }));
}
