import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { cellStateNames } from '@cellfolio/contract';
import { type GeneSetColumns, readGmt } from '@cellfolio/analysis';
import { ObjectNotFound, type ObjectStore } from '@cellfolio/store';
import { LibraryDamaged, LibraryExists, InvalidLibraryName } from './errors.ts';
import { offeredLibraries } from './built-in-libraries.ts';

const libraryRecord = z.object({
  name: z.string(),
  source: z.enum(['publisher', 'file']),
  origin: z.string(),
  /** ISO 8601. */
  storedAt: z.iso.datetime(),
  /** Name of the text beside the record. Every write uses a new name, so that no reader sees the text change. */
  text: z.string().regex(/^[0-9a-f-]{36}\.gmt$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().nonnegative(),
  setCount: z.int().positive(),
  geneCount: z.int().positive(),
  /** Number of the 50 cell states among its sets. */
  cellStateCount: z.int().nonnegative(),
});

export type LibraryRecord = z.infer<typeof libraryRecord>;

/** Spellings that differ from ours in more than case and punctuation, reduced to letters and digits. */
const otherSpellings: ReadonlyMap<string, string> = new Map([
  ['TNFALPHASIGNALINGVIANFKB', 'TNFA SIGNALING VIA NFKB'],
  // Enrichr's library doubles the letter.
  ['PPEROXISOME', 'PEROXISOME'],
  // MSigDB until version 6.
  ['REACTIVEOXIGENSPECIESPATHWAY', 'REACTIVE OXYGEN SPECIES PATHWAY'],
]);

const stateBySpelling: ReadonlyMap<string, string> = new Map([
  ...cellStateNames.map((name) => [plain(name), name] as const),
  ...otherSpellings,
]);

/** The cell state of a set's name, in MSigDB's, Enrichr's or our spelling; undefined for other sets. */
export function cellStateOf(setName: string): string | undefined {
  return stateBySpelling.get(plain(setName.replace(/^HALLMARK[_ ]/i, '')));
}

function plain(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '');
}

const root = 'gene-sets/';
const recordFile = 'library.json';

export interface DamagedRecord {
  name: string;
  reason: string;
}

export interface NewLibrary {
  name: string;
  /** Text in GMT format, stored byte for byte. */
  bytes: Uint8Array;
  source: LibraryRecord['source'];
  /** Address or file name; error messages about the text begin with it. */
  origin: string;
  replace: boolean;
}

/**
 * Gene-set libraries in an object store: one record each, which names its text. A library changes when its record does,
 * which the store replaces as a whole; the new text is written before and the old one removed after.
 */
export class StoredLibraries {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** All records ordered by name, and those that cannot be used. */
  async all(): Promise<{ records: LibraryRecord[]; damaged: DamagedRecord[] }> {
    const records: LibraryRecord[] = [];
    const damaged: DamagedRecord[] = [];
    for await (const key of this.#objects.list(root)) {
      const [name, file, ...rest] = key.slice(root.length).split('/');
      if (!name || file !== recordFile || rest.length > 0) continue;
      try {
        const record = await this.#record(name);
        if (record) records.push(record);
      } catch (error) {
        if (!(error instanceof LibraryDamaged)) throw error;
        damaged.push({ name, reason: error.reason });
      }
    }
    return { records, damaged };
  }

  /** The record of one library, or undefined when it is not stored. Throws InvalidLibraryName, LibraryDamaged. */
  async find(name: string): Promise<LibraryRecord | undefined> {
    checkLibraryName(name);
    return this.#record(name);
  }

  /** The text of a library, as stored. Throws LibraryDamaged, or ObjectNotFound when it was replaced. */
  async text({ name, text, bytes, sha256 }: LibraryRecord): Promise<string> {
    const content = await this.#objects.get(keyOf(name, text));
    if (content.byteLength !== bytes || sha256Of(content) !== sha256) {
      throw new LibraryDamaged(name, 'its text does not match its checksum');
    }
    return new TextDecoder().decode(content);
  }

  /**
   * Stores a library after its text has been parsed without errors. Throws InvalidGmt, InvalidLibraryName,
   * LibraryExists, StoreWriteFailed; the previous library is then unchanged.
   */
  async put({ name, bytes, source, origin, replace }: NewLibrary) {
    checkLibraryName(name);
    const { sets, warnings } = readGmt(new TextDecoder().decode(bytes), origin);
    await this.#refuseTaken(name, replace);
    const earlier = await this.#outdatedBy(name);
    const record: LibraryRecord = {
      name,
      source,
      origin,
      storedAt: new Date().toISOString(),
      text: `${randomUUID()}.gmt`,
      sha256: sha256Of(bytes),
      bytes: bytes.byteLength,
      setCount: sets.names.length,
      geneCount: new Set(sets.genes).size,
      cellStateCount: countCellStates(sets),
    };
    await this.#objects.put(keyOf(name, record.text), bytes);
    try {
      await this.#objects.put(keyOf(name, recordFile), new TextEncoder().encode(JSON.stringify(record)));
    } catch (error) {
      await this.#objects.delete(keyOf(name, record.text)).catch(() => undefined);
      throw error;
    }
    for (const key of earlier) await this.#objects.delete(key);
    return { record, warnings };
  }

  /** Returns whether the library existed. Throws InvalidLibraryName. */
  async remove(name: string): Promise<boolean> {
    checkLibraryName(name);
    const texts = await this.#texts(name);
    const there = (await this.#objects.head(keyOf(name, recordFile))) !== undefined;
    // The record first: from then on nobody looks for the text.
    await this.#objects.delete(keyOf(name, recordFile));
    for (const key of texts) await this.#objects.delete(key);
    return there || texts.length > 0;
  }

  async #record(name: string): Promise<LibraryRecord | undefined> {
    let bytes: Uint8Array;
    try {
      bytes = await this.#objects.get(keyOf(name, recordFile));
    } catch (error) {
      if (error instanceof ObjectNotFound) return undefined;
      throw error;
    }
    let content: unknown;
    try {
      content = JSON.parse(new TextDecoder().decode(bytes));
    } catch (cause) {
      throw new LibraryDamaged(name, 'its record is not JSON', { cause });
    }
    const parsed = libraryRecord.safeParse(content);
    if (!parsed.success) {
      throw new LibraryDamaged(name, 'its record is incomplete', { cause: parsed.error });
    }
    if (parsed.data.name !== name) throw new LibraryDamaged(name, 'its record belongs to another library');
    return parsed.data;
  }

  /** Names that differ only in case would be one folder on some file systems, and look like one library. */
  async #refuseTaken(name: string, replace: boolean): Promise<void> {
    const { records, damaged } = await this.all();
    const stored = [...records, ...damaged].map((library) => library.name);
    if (stored.includes(name)) {
      if (!replace) throw new LibraryExists(name, name);
      return;
    }
    const usedNames = [...stored, ...offeredLibraries.map((offered) => offered.name)];
    const alike = usedNames.find((other) => other !== name && other.toLowerCase() === name.toLowerCase());
    if (alike) throw new LibraryExists(name, alike);
  }

  /**
   * Texts that become obsolete with a new record: only that of the current record, since any other may belong to a
   * record that another process is about to write; all when the current record is unreadable.
   */
  async #outdatedBy(name: string): Promise<string[]> {
    try {
      const record = await this.#record(name);
      return record ? [keyOf(name, record.text)] : [];
    } catch (error) {
      if (error instanceof LibraryDamaged) return this.#texts(name);
      throw error;
    }
  }

  async #texts(name: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const key of this.#objects.list(`${root}${name}/`)) if (key.endsWith('.gmt')) keys.push(key);
    return keys;
  }
}

function keyOf(name: string, file: string): string {
  return `${root}${name}/${file}`;
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function countCellStates({ names }: GeneSetColumns): number {
  return new Set(names.map(cellStateOf).filter((state) => state !== undefined)).size;
}

/** Throws InvalidLibraryName for a name that could leave its folder or that no store can hold. */
export function checkLibraryName(name: string): void {
  // The leading dot keeps "." and "..", and names that folders hide, out of the keys.
  if (!/^(?!\.)[A-Za-z0-9_.-]{1,80}$/.test(name)) throw new InvalidLibraryName(name);
}
