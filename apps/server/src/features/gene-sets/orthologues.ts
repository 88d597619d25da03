import { type Species, type OrthologuePairs, parseOrthologues } from '@cellfolio/analysis';
import { speciesName } from '@cellfolio/contract';
import { type PackedStrings, packStrings, sharedCopy, unpackStrings } from '@cellfolio/model';
import { type ObjectStore, ObjectNotFound } from '@cellfolio/store';
import { z } from 'zod';
import { nomenclatureOf } from '../../runtime/gene-names/nomenclature.ts';
import { builtInOrthologues, builtInPairs } from './built-in-orthologues.ts';

/** TTL of a listing: a table added by the command line appears after this time. */
const listingMilliseconds = 2000;

export interface OrthologueTable {
  from: Species;
  to: Species;
  /** Its file, or the source and release of the built-in one. */
  origin: string;
  licence: string;
  fromSymbols: PackedStrings;
  toSymbols: PackedStrings;
}

export interface TablesOfSpecies {
  tables: readonly OrthologueTable[];
  damaged: readonly Species[];
}

type ReadTable = OrthologueTable | 'damaged' | undefined;

/**
 * Orthologue tables of a running server, each read once, in memory that all threads share: the stored ones, and the
 * built-in one unless a table of its species is stored.
 */
export class OrthologueTables {
  readonly #stored: StoredOrthologues;
  readonly #read = new Map<string, { tag: string; table: Promise<ReadTable> }>();
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

  async version(): Promise<string> {
    return (await this.#heads()).map(({ key, tag }) => `${key}@${tag}`).join(',');
  }

  /** Species whose genes are mapped to those of this one; reads no table. */
  async mappedTo(species: Species): Promise<readonly Species[]> {
    const keys = new Set((await this.#heads()).map(({ key }) => key));
    return speciesName.options.filter((other) => keys.has(orthologuesKey(species, other)));
  }

  #table({ key, tag }: TableHead): Promise<ReadTable> {
    const cached = this.#read.get(key);
    if (cached?.tag === tag) return cached.table;
    const table = tag === builtInOrthologues.version ? builtInTable() : this.#storedTable(key);
    this.#read.set(key, { tag, table });
    table.catch(() => this.#read.delete(key));
    return table;
  }

  async #storedTable(key: string): Promise<ReadTable> {
    const table = await this.#stored.read(key);
    return table === 'damaged' || !table ? table : sharedTable({ ...table, licence: 'not stated' });
  }

  #heads(): Promise<readonly TableHead[]> {
    const now = performance.now();
    if (!this.#listing || now - this.#listing.at > listingMilliseconds) {
      const heads = this.#stored.heads().then(withBuiltIn);
      this.#listing = { at: now, heads };
      heads.catch(() => (this.#listing = undefined));
    }
    return this.#listing.heads;
  }
}

function withBuiltIn(stored: readonly TableHead[]): readonly TableHead[] {
  const { from, to, version } = builtInOrthologues;
  const builtIn = { key: orthologuesKey(from, to), tag: version };
  return stored.some(({ key }) => key === builtIn.key) ? stored : [...stored, builtIn];
}

async function builtInTable(): Promise<OrthologueTable> {
  return sharedTable({ ...builtInOrthologues, pairs: await builtInPairs() });
}

function sharedTable({
  from,
  to,
  origin,
  licence,
  pairs,
}: Pick<StoredTable, 'from' | 'to' | 'origin' | 'pairs'> & { licence: string }): OrthologueTable {
  const column = (place: 0 | 1): PackedStrings => {
    const { bytes, offsets } = packStrings(pairs.map((pair) => pair[place]));
    return { bytes: sharedCopy(bytes), offsets: sharedCopy(offsets) };
  };
  return { from, to, origin, licence, fromSymbols: column(0), toSymbols: column(1) };
}

/**
 * One orthologue for each gene of `from`, or of `to` unless `isForward`: of several, the one with the same name in any
 * case, else the first in the table, so that a gene is drawn once. A gene that the table lacks by this name is looked up
 * by the other names that mean it alone.
 */
export function orthologuesBySymbol(
  { from, to, fromSymbols, toSymbols }: Omit<OrthologueTable, 'origin' | 'licence'>,
  isForward: boolean,
): (symbol: string) => string | undefined {
  const [ours, theirs] = isForward ? [fromSymbols, toSymbols] : [toSymbols, fromSymbols];
  const names = unpackStrings(theirs);
  const nameByKey = new Map<string, string>();
  unpackStrings(ours).forEach((symbol, i) => {
    const key = symbol.toUpperCase();
    const name = names[i]!;
    if (!nameByKey.has(key) || name.toUpperCase() === key) nameByKey.set(key, name);
  });
  const nomenclature = nomenclatureOf(isForward ? from : to);
  const byOtherName = (symbol: string) => {
    const [gene, ...more] = nomenclature?.genesCalled(symbol) ?? [];
    if (gene === undefined || more.length > 0) return undefined;
    const other = nomenclature!
      .namesOf(gene)
      .flat()
      .find((name) => nameByKey.has(name.toUpperCase()));
    return other === undefined ? undefined : nameByKey.get(other.toUpperCase());
  };
  return (symbol) => nameByKey.get(symbol.toUpperCase()) ?? byOtherName(symbol);
}

const root = 'orthologues/';

const storedTable = z.object({
  from: speciesName,
  to: speciesName,
  origin: z.string(),
  /** ISO 8601. */
  storedAt: z.iso.datetime(),
  pairs: z.array(z.tuple([z.string(), z.string()])).max(500_000),
});

/** Symbols of one species with their orthologues in another; used in both directions. */
type StoredTable = z.infer<typeof storedTable>;

interface TableHead {
  key: string;
  /** Changes with the content of the table. */
  tag: string;
}

export class OrthologuesExist extends Error {
  override readonly name = 'OrthologuesExist';

  constructor(from: Species, to: Species) {
    super(`A table of orthologs between ${from} and ${to} already exists. Replace it with --replace.`);
  }
}

/** Orthologue tables in an object store: one object per pair of species, replaced as a whole. */
export class StoredOrthologues {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** All tables, and the keys of those that cannot be read, so that one of them never hides the others. */
  async all(): Promise<{ tables: StoredTable[]; damaged: string[] }> {
    const tables: StoredTable[] = [];
    const damaged: string[] = [];
    for await (const key of this.#objects.list(root)) {
      const table = await this.read(key);
      if (table === 'damaged') damaged.push(key);
      else if (table) tables.push(table);
    }
    return { tables, damaged };
  }

  /** Every table, including those that cannot be read. */
  async heads(): Promise<TableHead[]> {
    const heads: TableHead[] = [];
    for await (const key of this.#objects.list(root)) {
      const head = await this.#objects.head(key);
      if (head) heads.push({ key, tag: head.tag });
    }
    return heads;
  }

  /** Stores a table after its text has been parsed without errors. Throws InvalidOrthologues, OrthologuesExist. */
  async put(table: {
    text: string;
    from: Species;
    to: Species;
    origin: string;
    replace: boolean;
  }): Promise<OrthologuePairs> {
    const { text, from, to, origin, replace } = table;
    const orthologuePairs = parseOrthologues(text, origin, { from, to });
    const key = orthologuesKey(from, to);
    if (!replace && (await this.#objects.head(key))) throw new OrthologuesExist(from, to);
    const stored: StoredTable = {
      from,
      to,
      origin,
      storedAt: new Date().toISOString(),
      pairs: orthologuePairs.pairs.map(([a, b]) => [a, b]),
    };
    await this.#objects.put(key, new TextEncoder().encode(JSON.stringify(stored)));
    return orthologuePairs;
  }

  async remove(from: Species, to: Species): Promise<boolean> {
    const key = orthologuesKey(from, to);
    const there = (await this.#objects.head(key)) !== undefined;
    await this.#objects.delete(key);
    return there;
  }

  async read(key: string): Promise<StoredTable | 'damaged' | undefined> {
    let bytes: Uint8Array;
    try {
      bytes = await this.#objects.get(key);
    } catch (error) {
      // It was removed since it was listed.
      if (error instanceof ObjectNotFound) return undefined;
      throw error;
    }
    try {
      return storedTable.parse(JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      return 'damaged';
    }
  }
}

/** Key of the table between two species: the same for both directions. */
function orthologuesKey(from: Species, to: Species): string {
  return `${root}${[from, to].sort().join('-').replaceAll(' ', '_')}.json`;
}
