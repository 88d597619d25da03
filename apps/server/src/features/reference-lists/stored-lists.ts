import { createHash } from 'node:crypto';
import type { ListHead } from '@cellfolio/analyses';
import { speciesName } from '@cellfolio/contract';
import { ObjectNotFound, type ObjectStore } from '@cellfolio/store';
import { z } from 'zod';

export interface ReferenceList<Entry> extends ListHead {
  entries: readonly Entry[];
}

export interface ListKind<Entry> {
  /** Folder in the store, without a slash. */
  folder: string;
  /** Name of one list, such as `set of pairs`, and of its entries, such as `pairs`; the latter is also its command. */
  noun: string;
  entries: string;
  /** Throws an error that names the file and the line. */
  parse(csv: string, origin: string): { entries: readonly Entry[]; duplicates: number };
  abridged: { release: string; csv: string };
}

const abridgedName = 'abridged';
export const ownList = 'own list';

const storedList = z.object({
  name: z.string(),
  release: z.string(),
  licence: z.string(),
  species: speciesName,
  origin: z.string(),
  /** ISO 8601. */
  storedAt: z.iso.datetime(),
  /** Unchanged text of the file. */
  csv: z.string(),
});
type StoredList = z.infer<typeof storedList>;

export class ListExists extends Error {
  override readonly name = 'ListExists';

  constructor(list: string, noun: string) {
    super(
      list === abridgedName
        ? `The name ${abridgedName} belongs to the built-in ${noun}. Choose another name with --name.`
        : `A ${noun} ${list} already exists. Replace it with --replace.`,
    );
  }
}

/** A name that could leave its folder or that no store can hold. */
export class InvalidListName extends Error {
  override readonly name = 'InvalidListName';

  constructor(list: string, noun: string) {
    super(
      `${JSON.stringify(list)} is not a valid name for a ${noun}: use 1 to 80 letters, digits, ".", "_" or "-", and no leading dot.`,
    );
  }
}

export interface ChosenList {
  name: string;
  /** CSV in place of a stored list. */
  own: string | undefined;
}

/** Lists of one kind: the abridged one of the product, and those in an object store, replaced as a whole. */
export class StoredLists<Entry> {
  readonly kind: ListKind<Entry>;
  readonly #objects: ObjectStore;
  readonly #abridged: ReferenceList<Entry>;

  constructor(objects: ObjectStore, kind: ListKind<Entry>) {
    this.#objects = objects;
    this.kind = kind;
    const { release, csv } = kind.abridged;
    const licence = 'Apache 2.0, as Cellfolio';
    const stored = {
      name: abridgedName,
      release,
      licence,
      species: 'human',
      origin: abridgedName,
      csv,
    } as const;
    this.#abridged = { ...this.#listOf(stored), label: 'starter, abridged' };
  }

  /** All usable lists, the abridged one last, and the names of those that cannot be read. */
  async all(): Promise<{ lists: ReferenceList<Entry>[]; damaged: string[] }> {
    const lists: ReferenceList<Entry>[] = [];
    const damaged: string[] = [];
    const root = `${this.kind.folder}/`;
    for await (const key of this.#objects.list(root)) {
      const name = key.slice(root.length).replace(/\.json$/, '');
      const list = isName(name) ? await this.#read(name) : 'damaged';
      if (list === 'damaged') damaged.push(name);
      else if (list) lists.push(list);
    }
    return { lists: [...lists, this.#abridged], damaged };
  }

  /** Undefined when the list does not exist. */
  async find(name: string): Promise<ReferenceList<Entry> | 'damaged' | undefined> {
    if (name === abridgedName) return this.#abridged;
    return isName(name) ? this.#read(name) : undefined;
  }

  /** The version of the list that a call names; empty where it cannot be read. */
  async version({ name, own }: ChosenList): Promise<string> {
    if (own !== undefined) return versionOf(own);
    const list = await this.find(name);
    return list === undefined || list === 'damaged' ? '' : list.version;
  }

  /**
   * Stores a list after its text has been parsed without errors. Throws what its kind throws, InvalidListName,
   * ListExists.
   */
  async put(
    list: Omit<StoredList, 'storedAt'>,
    replace: boolean,
  ): Promise<ReferenceList<Entry> & { duplicates: number }> {
    const { noun } = this.kind;
    if (!isName(list.name)) throw new InvalidListName(list.name, noun);
    const { duplicates } = this.kind.parse(list.csv, list.origin);
    const key = this.#keyOf(list.name);
    const isTaken = (await this.#objects.head(key)) !== undefined;
    if (list.name === abridgedName || (isTaken && !replace)) throw new ListExists(list.name, noun);
    const stored = { ...list, storedAt: new Date().toISOString() };
    await this.#objects.put(key, new TextEncoder().encode(JSON.stringify(stored)));
    return { ...this.#listOf(stored), duplicates };
  }

  async remove(name: string): Promise<boolean> {
    if (!isName(name) || (await this.#objects.head(this.#keyOf(name))) === undefined) return false;
    await this.#objects.delete(this.#keyOf(name));
    return true;
  }

  async #read(name: string): Promise<ReferenceList<Entry> | 'damaged' | undefined> {
    let bytes: Uint8Array;
    try {
      bytes = await this.#objects.get(this.#keyOf(name));
    } catch (error) {
      // It was removed since it was listed, or never there.
      if (error instanceof ObjectNotFound) return undefined;
      throw error;
    }
    try {
      const stored = storedList.parse(JSON.parse(new TextDecoder().decode(bytes)));
      return stored.name === name ? this.#listOf(stored) : 'damaged';
    } catch {
      return 'damaged';
    }
  }

  #keyOf(name: string): string {
    return `${this.kind.folder}/${name}.json`;
  }

  #listOf({
    name,
    release,
    licence,
    species,
    origin,
    csv,
  }: Omit<StoredList, 'storedAt'>): ReferenceList<Entry> {
    const { entries } = this.kind.parse(csv, origin);
    return {
      name,
      label: '',
      release,
      licence,
      species,
      entries,
      count: entries.length,
      version: versionOf(csv),
    };
  }
}

function isName(name: string): boolean {
  return /^(?!\.)[A-Za-z0-9_.-]{1,80}$/.test(name);
}

/** A list written for one dataset, whatever its species. Throws what its kind throws. */
export function ownListOf<Entry>(kind: ListKind<Entry>, csv: string): ReferenceList<Entry> {
  const { entries } = kind.parse(csv, 'The list');
  return {
    name: ownList,
    label: '',
    release: '',
    licence: '',
    species: 'human',
    entries,
    count: entries.length,
    version: versionOf(csv),
  };
}

function versionOf(csv: string): string {
  return createHash('sha256').update(csv).digest('hex').slice(0, 16);
}

export function headOf({ name, label, release, licence, species, count, version }: ListHead): ListHead {
  return { name, label, release, licence, species, count, version };
}
