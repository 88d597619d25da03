import type { Species } from '@cellfolio/analysis';
import { packStrings, type PackedStrings } from '@cellfolio/model';
import type { ObjectStore } from '@cellfolio/store';
import { sharedCopy } from '../compute/shared.ts';
import type { OrthologueTable } from '../compute/task.ts';
import { StoredOrthologues, type StoredTable } from './stored-orthologues.ts';

/** How long a listing is believed: a table added by the command line shows after this time. */
const listingMilliseconds = 2000;

interface VersionedTable extends OrthologueTable {
  readonly version: string;
}

/** The tables of orthologues of a running server, in memory that all threads see. A damaged one counts as not there. */
export class OrthologueTables {
  readonly #stored: StoredOrthologues;
  #listing: { at: number; tables: Promise<readonly VersionedTable[]> } | undefined;

  constructor(objects: ObjectStore) {
    this.#stored = new StoredOrthologues(objects);
  }

  /** The tables between a species and others. */
  async of(species: Species): Promise<readonly VersionedTable[]> {
    return (await this.#list()).filter(({ from, to }) => from === species || to === species);
  }

  /** Changes with what is installed; for cache keys. */
  async version(): Promise<string> {
    return (await this.#list()).map(({ version }) => version).join(',');
  }

  #list(): Promise<readonly VersionedTable[]> {
    const now = performance.now();
    if (!this.#listing || now - this.#listing.at > listingMilliseconds) {
      const tables = this.#stored.all().then(({ tables: found }) => found.map(sharedTable));
      this.#listing = { at: now, tables };
      tables.catch(() => (this.#listing = undefined));
    }
    return this.#listing.tables;
  }
}

function sharedTable({ from, to, origin, pairs, version }: StoredTable): VersionedTable {
  const column = (place: 0 | 1): PackedStrings => {
    const { bytes, offsets } = packStrings(pairs.map((pair) => pair[place]));
    return { bytes: sharedCopy(bytes), offsets: sharedCopy(offsets) };
  };
  return { from, to, origin, version, fromSymbols: column(0), toSymbols: column(1) };
}
