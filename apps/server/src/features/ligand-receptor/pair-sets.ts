import { createHash } from 'node:crypto';
import { type InteractionPair, parsePairs, type Species } from '@cellfolio/analysis';
import { abridgedPairs, speciesName } from '@cellfolio/contract';
import { ObjectNotFound, type ObjectStore } from '@cellfolio/store';
import { z } from 'zod';
import { abridgedPairsCsv } from './abridged-pairs.ts';

/** What has to be said of a set of pairs wherever its results are. */
export interface PairSetHead {
  readonly name: string;
  /** Beside its name: what should be known of it. */
  readonly label: string;
  readonly release: string;
  readonly licence: string;
  readonly species: Species;
  readonly pairCount: number;
  /** Another one whenever the pairs are others. */
  readonly version: string;
}

export interface PairSet extends PairSetHead {
  readonly pairs: readonly InteractionPair[];
}

const storedSet = z.object({
  name: z.string(),
  release: z.string(),
  licence: z.string(),
  species: speciesName,
  /** File that it came from. */
  origin: z.string(),
  /** ISO 8601. */
  storedAt: z.iso.datetime(),
  /** As the file had them. */
  csv: z.string(),
});
type StoredSet = z.infer<typeof storedSet>;

/** There is a set of that name, or none can have it. */
export class PairSetExists extends Error {
  override readonly name = 'PairSetExists';

  constructor(set: string) {
    super(
      set === abridgedPairs
        ? `The name ${abridgedPairs} is that of the set that comes with the product. Choose another one with --name.`
        : `There is a set of pairs ${set} already. Replace it with --replace.`,
    );
  }
}

/** A name that could leave its folder or that no store can hold. */
export class InvalidPairSetName extends Error {
  override readonly name = 'InvalidPairSetName';

  constructor(set: string) {
    super(
      `${JSON.stringify(set)} cannot name a set of pairs: use 1 to 80 letters, digits, ".", "_" or "-", and no leading dot.`,
    );
  }
}

const root = 'ligand-receptor-pairs/';
const keyOf = (name: string) => `${root}${name}.json`;

/** Sets of ligand–receptor pairs: the abridged one of the product, and those in an object store, replaced whole. */
export class PairSets {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** All that can be used, the abridged one last, and the names of those that cannot be read. */
  async all(): Promise<{ sets: PairSet[]; damaged: string[] }> {
    const sets: PairSet[] = [];
    const damaged: string[] = [];
    for await (const key of this.#objects.list(root)) {
      const name = key.slice(root.length).replace(/\.json$/, '');
      const set = isName(name) ? await this.#read(name) : 'damaged';
      if (set === 'damaged') damaged.push(name);
      else if (set) sets.push(set);
    }
    return { sets: [...sets, abridgedSet()], damaged };
  }

  /** One set; undefined where there is none. */
  async find(name: string): Promise<PairSet | 'damaged' | undefined> {
    if (name === abridgedPairs) return abridgedSet();
    return isName(name) ? this.#read(name) : undefined;
  }

  /** Stores a set once its text has been read without fault. Throws InvalidPairs, InvalidPairSetName, PairSetExists. */
  async put(set: Omit<StoredSet, 'storedAt'>, replace: boolean): Promise<PairSet & { duplicates: number }> {
    if (!isName(set.name)) throw new InvalidPairSetName(set.name);
    const { duplicates } = parsePairs(set.csv, set.origin);
    const isTaken = (await this.#objects.head(keyOf(set.name))) !== undefined;
    if (set.name === abridgedPairs || (isTaken && !replace)) throw new PairSetExists(set.name);
    const stored = { ...set, storedAt: new Date().toISOString() };
    await this.#objects.put(keyOf(set.name), new TextEncoder().encode(JSON.stringify(stored)));
    return { ...setOf(stored), duplicates };
  }

  /** True where there was such a set. */
  async remove(name: string): Promise<boolean> {
    if (!isName(name) || (await this.#objects.head(keyOf(name))) === undefined) return false;
    await this.#objects.delete(keyOf(name));
    return true;
  }

  async #read(name: string): Promise<PairSet | 'damaged' | undefined> {
    let bytes: Uint8Array;
    try {
      bytes = await this.#objects.get(keyOf(name));
    } catch (error) {
      // It was removed since it was listed, or never there.
      if (error instanceof ObjectNotFound) return undefined;
      throw error;
    }
    try {
      const stored = storedSet.parse(JSON.parse(new TextDecoder().decode(bytes)));
      return stored.name === name ? setOf(stored) : 'damaged';
    } catch {
      return 'damaged';
    }
  }
}

function isName(name: string): boolean {
  return /^(?!\.)[A-Za-z0-9_.-]{1,80}$/.test(name);
}

function setOf({ name, release, licence, species, origin, csv }: StoredSet): PairSet {
  const { pairs } = parsePairs(csv, origin);
  return {
    name,
    label: '',
    release,
    licence,
    species,
    pairs,
    pairCount: pairs.length,
    version: versionOf(csv),
  };
}

let abridged: PairSet | undefined;

function abridgedSet(): PairSet {
  if (abridged) return abridged;
  const { pairs } = parsePairs(abridgedPairsCsv, abridgedPairs);
  return (abridged = {
    name: abridgedPairs,
    label: 'starter, abridged',
    release: 'well-known pairs, written for Cellfolio from primary literature',
    licence: 'Apache 2.0, as Cellfolio',
    species: 'human',
    pairs,
    pairCount: pairs.length,
    version: versionOf(abridgedPairsCsv),
  });
}

/** Of the text of a set or of a list of somebody's own. */
export function versionOf(csv: string): string {
  return createHash('sha256').update(csv).digest('hex').slice(0, 16);
}
