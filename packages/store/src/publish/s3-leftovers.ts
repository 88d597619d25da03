import { eachLimited, foreignAge, newMark, ownerState, type S3ObjectStore } from '@cellfolio/bytes';
import { datasetPrefix, filesPrefix, idOfMark, manifestKey, markOf } from '../dataset-id.ts';
import { DatasetDamaged, DatasetNotFound } from '../errors.ts';
import { readManifest } from '../manifest.ts';

/**
 * Empty objects below `incoming/` mark folders that no manifest names, or soon none will:
 * `<id>~<folder>~<host>~<pid>~<start>~<random>` for one that a writer fills, and `<id>~<folder>~old` for one whose
 * dataset is replaced or removed. They are written before and deleted after: listing them finds all leftovers.
 */
const notes = 'incoming/';
const deletionMark = 'old';
const deletionsAtOnce = 8;
const renewal = 3600 * 1000;

interface Claim {
  key: string;
  /** Renews the claim's age; cheap to call. */
  renew: () => Promise<void>;
}

interface Note {
  key: string;
  id: string;
  folder: string;
  /** Undefined for a folder whose dataset is being removed. */
  owner: { host: string; pid: string; start: string } | undefined;
  changedAt: number;
}

/** Tracks and removes folders in a bucket that belong to no dataset yet, or no longer. */
export class S3Leftovers {
  readonly #objects: S3ObjectStore;

  constructor(objects: S3ObjectStore) {
    this.#objects = objects;
  }

  /** Call before the first object goes into a new folder. */
  async claim(id: string, folder: string): Promise<Claim> {
    const key = `${notes}${markOf(id)}~${folder}~${newMark()}`;
    await this.#objects.put(key, new Uint8Array(0));
    let renewed = performance.now();
    const renew = async (): Promise<void> => {
      if (performance.now() - renewed < renewal) return;
      renewed = performance.now();
      await this.#objects.put(key, new Uint8Array(0));
    };
    return { key, renew };
  }

  /** Call before a folder loses the manifest that names it. */
  async markForDeletion(id: string, folder: string): Promise<void> {
    await this.#objects.put(`${notes}${markOf(id)}~${folder}~${deletionMark}`, new Uint8Array(0));
  }

  async drop(id: string, folder: string, claim: Claim): Promise<void> {
    await this.#deleteAll(`${filesPrefix(id)}${folder}/`);
    await this.#objects.delete(claim.key);
  }

  /**
   * Removes all folders of an id except the one named in its manifest and those being filled. Reads folders before
   * claims, and claims before the manifest: a concurrent publish loses nothing.
   */
  async tidy(id: string, claim?: Claim): Promise<void> {
    const prefix = filesPrefix(id);
    const keys: string[] = [];
    for await (const key of this.#objects.list(prefix)) keys.push(key);
    // Objects beside the manifest: of a dataset that was copied into the bucket as a folder.
    for await (const key of this.#objects.list(datasetPrefix(id)))
      if (key !== manifestKey(id)) keys.push(key);
    const datasetNotes = (await this.#notes(`${notes}${markOf(id)}~`)).filter((note) => note.id === id);
    const keptFolders = new Set(
      datasetNotes.flatMap(({ owner, folder, key }) => (owner && key !== claim?.key ? [folder] : [])),
    );
    const named = await this.#namedFolder(id);
    if (named !== undefined) keptFolders.add(named);
    const lost = keys.filter((key) => {
      if (!key.startsWith(prefix)) return named !== '';
      return !keptFolders.has(key.slice(prefix.length, key.indexOf('/', prefix.length)));
    });
    await this.#deleteKeys(lost);
    const done = datasetNotes.filter(({ owner, key, folder }) =>
      owner ? key === claim?.key : !keptFolders.has(folder),
    );
    await this.#deleteKeys(done.map(({ key }) => key));
  }

  async sweep(): Promise<void> {
    for (const note of await this.#notes(notes)) {
      const { id, folder, owner, changedAt, key } = note;
      const old = Date.now() - changedAt > foreignAge;
      if (owner) {
        const state = ownerState(owner.host, owner.pid, owner.start);
        if (state === 'running' || (state === 'elsewhere' && !old)) continue;
      }
      const named = await this.#namedFolder(id).catch((error: unknown) => {
        // What a manifest names that cannot be read is not known: nothing may go.
        if (error instanceof DatasetDamaged) return folder;
        throw error;
      });
      if (named !== folder) await this.#deleteAll(`${filesPrefix(id)}${folder}/`);
      // Another process may be about to delete the manifest that names it.
      else if (!owner && !old) continue;
      await this.#objects.delete(key);
    }
  }

  async #notes(prefix: string): Promise<Note[]> {
    const parsedNotes: Note[] = [];
    for await (const { key, changedAt } of this.#objects.listObjects(prefix)) {
      const [mark = '', folder = '', host = '', pid, start, random] = key.slice(notes.length).split('~');
      const id = idOfMark(mark);
      if (id === undefined || !/^[0-9a-z-]{8,64}$/.test(folder)) continue;
      if (host === deletionMark && pid === undefined)
        parsedNotes.push({ key, id, folder, owner: undefined, changedAt });
      else if (pid !== undefined && start !== undefined && random !== undefined) {
        parsedNotes.push({ key, id, folder, owner: { host, pid, start }, changedAt });
      }
    }
    return parsedNotes;
  }

  /**
   * Folder named in a dataset's manifest; empty if its objects are beside it, undefined without a manifest. Throws
   * DatasetDamaged.
   */
  async #namedFolder(id: string): Promise<string | undefined> {
    try {
      return (await readManifest(this.#objects, id)).folder ?? '';
    } catch (error) {
      if (error instanceof DatasetNotFound) return undefined;
      throw error;
    }
  }

  async #deleteAll(prefix: string): Promise<void> {
    const keys: string[] = [];
    for await (const key of this.#objects.list(prefix)) keys.push(key);
    await this.#deleteKeys(keys);
  }

  async #deleteKeys(keys: readonly string[]): Promise<void> {
    await eachLimited(keys.length, deletionsAtOnce, (i) => this.#objects.delete(keys[i]!));
  }
}
