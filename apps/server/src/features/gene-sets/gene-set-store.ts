import { type GeneSet, type GeneSetColumns, geneSetsOf, parseGmt, readGmt } from '@cellfolio/analysis';
import { cellStateNames, type GeneSetOrigin } from '@cellfolio/contract';
import { ByteCache, ObjectNotFound, type ObjectStore, SharedWork } from '@cellfolio/store';
import { builtInSets, hallmarkLibrary, offeredLibraries, type OfferedLibrary } from './built-in-libraries.ts';
import { cellStateOf, type LibraryRecord, type DamagedRecord, StoredLibraries } from './stored-libraries.ts';
import { LibraryDamaged, UnknownLibrary } from './errors.ts';

export interface LibraryHead extends Readonly<GeneSetOrigin> {
  setCount: number;
  /** Changes with the content; for cache keys, together with the name. */
  version: string;
}

export interface LoadedLibrary extends LibraryHead {
  sets: readonly GeneSet[];
  warnings: readonly string[];
}

interface ReadLibrary extends Pick<LoadedLibrary, 'version' | 'warnings'> {
  sets: GeneSetColumns;
}

interface LibrarySummary extends LibraryHead {
  geneCount: number;
  /** ISO 8601; absent for a built-in library. */
  storedAt?: string;
  origin?: string;
  /** Why it cannot be used; counts are 0 then. */
  damaged?: string;
}

/** TTL of a listing: a library added by the command line appears after this time. */
const listingMilliseconds = 2000;
/** Estimated memory of parsed libraries. The four offered ones take about a tenth of it. */
const parsedBytes = 128 * 1024 * 1024;
/** Strings of a parsed text take about this many times its bytes. */
const parsedSize = 6;

interface Listing {
  records: ReadonlyMap<string, LibraryRecord>;
  damaged: ReadonlyMap<string, DamagedRecord>;
}

interface Parsed {
  library: LoadedLibrary;
  bytes: number;
}

/** The gene-set libraries that a running server offers: stored ones, and built-in ones in place of those not stored. */
export class GeneSetLibraries {
  readonly #stored: StoredLibraries;
  readonly #parsed = new ByteCache<string, Parsed>(parsedBytes, ({ bytes }) => bytes);
  readonly #parsing = new SharedWork<string, LoadedLibrary>();
  #listing: { at: number; content: Promise<Listing> } | undefined;
  #cellStates: LoadedLibrary | undefined;

  constructor(objects: ObjectStore) {
    this.#stored = new StoredLibraries(objects);
  }

  /** The offered libraries first, then the others by name. Reads no sets. */
  async list(): Promise<LibrarySummary[]> {
    const { records, damaged } = await this.#list();
    const summaryOf = (name: string): LibrarySummary => {
      const record = records.get(name);
      if (record) {
        const { geneCount, storedAt, origin } = record;
        return { ...storedHead(record), geneCount, storedAt, origin };
      }
      const reason = damaged.get(name)?.reason;
      if (reason !== undefined) return { ...damagedHead(name), geneCount: 0, damaged: reason };
      const offered = offeredLibrary(name)!;
      return { ...builtInHead(offered), geneCount: offered.builtIn.geneCount };
    };
    return namesOf({ records, damaged }).map(summaryOf);
  }

  /** Throws UnknownLibrary, or LibraryDamaged instead of falling back to a built-in library. */
  async load(name: string): Promise<LoadedLibrary> {
    const library = await this.#find(name);
    return 'builtIn' in library
      ? loadBuiltIn(library)
      : this.#loadStored(library, (record) => this.#parse(record));
  }

  /** A library's metadata, without reading its sets. Throws as `load`. */
  async head(name: string): Promise<LibraryHead> {
    const library = await this.#find(name);
    return 'builtIn' in library ? builtInHead(library) : storedHead(library);
  }

  /** Reads the sets of a library in a tenth of the time and memory of `load`, without caching. Throws as `load`. */
  async read(name: string): Promise<ReadLibrary> {
    const library = await this.#find(name);
    if ('builtIn' in library) {
      const { builtIn } = library;
      return { sets: await builtInSets(builtIn), version: builtIn.version, warnings: [] };
    }
    return this.#loadStored(library, async (record) => ({
      ...readGmt(await this.#stored.text(record), record.origin),
      version: record.sha256,
    }));
  }

  /** The record of a stored library, or the offered library in its place. */
  async #find(name: string): Promise<LibraryRecord | OfferedLibrary> {
    const listing = await this.#list();
    const record = listing.records.get(name);
    if (record) return record;
    const fault = listing.damaged.get(name);
    if (fault) throw new LibraryDamaged(name, fault.reason);
    const offered = offeredLibrary(name);
    if (!offered) throw new UnknownLibrary(name, namesOf(listing));
    return offered;
  }

  /**
   * The 50 hallmark states under the names and in the order of `cellStateNames`: from MSigDB_Hallmark_2020 when stored,
   * else from the newest stored library that has them all, else the built-in ones. Throws LibraryDamaged.
   */
  async cellStates(): Promise<LoadedLibrary> {
    const { records, damaged } = await this.#list();
    const fault = damaged.get(hallmarkLibrary);
    if (fault) throw new LibraryDamaged(hallmarkLibrary, fault.reason);
    const whole = [...records.values()]
      .filter(({ cellStateCount }) => cellStateCount === cellStateNames.length)
      .sort((a, b) => (a.storedAt < b.storedAt ? 1 : -1));
    const record = whole.find(({ name }) => name === hallmarkLibrary) ?? whole[0];
    const builtIn = offeredLibrary(hallmarkLibrary)!;
    const head = record ? storedHead(record) : builtInHead(builtIn);
    const version = `${head.version}:states`;
    if (this.#cellStates?.version !== version || this.#cellStates.name !== head.name) {
      const library = record
        ? await this.#loadStored(record, (libraryRecord) => this.#parse(libraryRecord))
        : await loadBuiltIn(builtIn);
      const incomplete = record ? undefined : records.get(hallmarkLibrary);
      this.#cellStates = {
        ...library,
        version,
        sets: statesOf(library.sets),
        warnings: incomplete
          ? [
              ...library.warnings,
              `The stored ${hallmarkLibrary} holds ${incomplete.cellStateCount} of the ${cellStateNames.length} cell states, so those of ${builtIn.builtIn.title} are used; fetch it again.`,
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
    const cached = this.#parsed.get(key);
    if (cached) return cached.library;
    return this.#parsing.run(key, undefined, async () => {
      const text = await this.#stored.text(record);
      const { sets, warnings } = parseGmt(text, record.origin);
      const library: LoadedLibrary = { ...storedHead(record), sets, warnings };
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

function offeredLibrary(name: string): OfferedLibrary | undefined {
  return offeredLibraries.find((offered) => offered.name === name);
}

function builtInHead({ name, builtIn }: OfferedLibrary): LibraryHead {
  const { title, source, release, licence, citation, setCount, version } = builtIn;
  return { name, title, source, release, licence, citation, setCount, version };
}

async function loadBuiltIn(offered: OfferedLibrary): Promise<LoadedLibrary> {
  return { ...builtInHead(offered), sets: geneSetsOf(await builtInSets(offered.builtIn)), warnings: [] };
}

function storedHead({ name, source, setCount, origin, storedAt, sha256 }: LibraryRecord): LibraryHead {
  const day = storedAt.slice(0, 10);
  const terms = offeredLibrary(name)?.published ?? { licence: 'that of its publisher', citation: '' };
  return {
    name,
    title: name,
    source,
    release: source === 'file' ? `file ${origin}, added ${day}` : `fetched ${day}`,
    ...(source === 'file' ? { licence: 'not stated', citation: '' } : terms),
    setCount,
    version: sha256,
  };
}

function damagedHead(name: string): LibraryHead {
  return {
    name,
    title: name,
    source: 'file',
    release: '',
    licence: '',
    citation: '',
    setCount: 0,
    version: '',
  };
}

export function originOf(library: GeneSetOrigin): GeneSetOrigin {
  const { name, title, source, release, licence, citation } = library;
  return { name, title, source, release, licence, citation };
}

function statesOf(sets: readonly GeneSet[]): GeneSet[] {
  const byState = new Map(sets.map((set) => [cellStateOf(set.name), set.genes]));
  return cellStateNames.map((name) => ({ name, genes: byState.get(name) ?? [] }));
}
