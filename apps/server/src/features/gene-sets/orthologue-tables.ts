import type { Species } from '@cellfolio/analysis';
import { speciesName } from '@cellfolio/contract';
import { type PackedStrings, packStrings, sharedCopy } from '@cellfolio/model';
import type { ObjectStore } from '@cellfolio/store';
import { orthologuesKey, StoredOrthologues, type StoredTable, type TableHead } from './stored-orthologues.ts';

/** How long a listing is believed: a table added by the command line shows after this time. */
const listingMilliseconds = 2000;

/** Pairs of symbols in shared memory. */
export interface OrthologueTable {
  readonly from: Species;
  readonly to: Species;
  /** File that it came from. */
  readonly origin: string;
  readonly fromSymbols: PackedStrings;
  readonly toSymbols: PackedStrings;
}

/** The tables between a species and others. */
export interface TablesOfSpecies {
  readonly tables: readonly OrthologueTable[];
  /** The other species of tables that cannot be read. */
  readonly damaged: readonly Species[];
}

type ReadTable = OrthologueTable | 'damaged' | undefined;

/** The tables of orthologues of a running server, each read once, in memory that all threads see. */
export class OrthologueTables {
  readonly #stored: StoredOrthologues;
  /** By key. */
  readonly #read = new Map<string, { readonly tag: string; readonly table: Promise<ReadTable> }>();
  #listing: { at: number; heads: Promise<readonly TableHead[]> } | undefined;

  constructor(objects: ObjectStore) {
    this.#stored = new StoredOrthologues(objects);
  }

  async of(species: Species): Promise<TablesOfSpecies> {
    const heads = new Map((await this.#heads()).map((head) => [head.key, head]));
    for (const key of this.#read.keys()) if (!heads.has(key)) this.#read.delete(key);
    const tables: OrthologueTable[] = [];
    const damaged: Species[] = [];
    for (const other of speciesName.options) {
      const head = heads.get(orthologuesKey(species, other));
      const table = head && (await this.#table(head));
      if (table === 'damaged') damaged.push(other);
      else if (table) tables.push(table);
    }
    return { tables, damaged };
  }

  /** Changes with what is installed, and reads no table; for cache keys. */
  async version(): Promise<string> {
    return (await this.#heads()).map(({ key, tag }) => `${key}@${tag}`).join(',');
  }

  #table({ key, tag }: TableHead): Promise<ReadTable> {
    const known = this.#read.get(key);
    if (known?.tag === tag) return known.table;
    const table = this.#stored
      .read(key)
      .then((found) => (found === 'damaged' || !found ? found : sharedTable(found)));
    this.#read.set(key, { tag, table });
    table.catch(() => this.#read.delete(key));
    return table;
  }

  #heads(): Promise<readonly TableHead[]> {
    const now = performance.now();
    if (!this.#listing || now - this.#listing.at > listingMilliseconds) {
      const heads = this.#stored.heads();
      this.#listing = { at: now, heads };
      heads.catch(() => (this.#listing = undefined));
    }
    return this.#listing.heads;
  }
}

function sharedTable({ from, to, origin, pairs }: StoredTable): OrthologueTable {
  const column = (place: 0 | 1): PackedStrings => {
    const { bytes, offsets } = packStrings(pairs.map((pair) => pair[place]));
    return { bytes: sharedCopy(bytes), offsets: sharedCopy(offsets) };
  };
  return { from, to, origin, fromSymbols: column(0), toSymbols: column(1) };
}
