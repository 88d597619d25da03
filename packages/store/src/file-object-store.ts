import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { datasetPrefix } from './dataset-id.ts';
import { InvalidObjectKey, ObjectNotFound, StoreWriteFailed } from './errors.ts';
import { keySegments } from './object-key.ts';
import type { ListedFolder, ObjectStore, ReadOptions } from './object-store.ts';
import { OpenFiles } from './open-files.ts';
import { syncFolder } from './sync-folder.ts';

/** Name of a half-written object; such files are never listed. */
const partSuffix = '.part~';
const openFileLimit = 64;
/** A file system that counts whole seconds shows no second change within one. */
const settledMilliseconds = 2000;

/** Objects as files under one root folder; a key is the path below it. */
export class FileObjectStore implements ObjectStore {
  readonly #root: string;
  readonly #open = new OpenFiles(openFileLimit);

  constructor(root: string) {
    this.#root = resolve(root);
  }

  /** Throws ObjectNotFound, InvalidObjectKey, or RangeError where the range leaves the object. */
  async get(key: string, options?: ReadOptions): Promise<Uint8Array> {
    options?.signal?.throwIfAborted();
    const path = this.#path(key);
    try {
      return await this.#open.use(path, async (file) => {
        const { offset, length } = options?.range ?? { offset: 0, length: file.size };
        if (offset < 0 || length < 0 || offset + length > file.size) {
          throw new RangeError(
            `bytes ${offset} to ${offset + length} are outside "${key}" of ${file.size} bytes`,
          );
        }
        const given = options?.into;
        // Not from a pool: a part that is kept must not keep a larger shared buffer alive.
        const bytes =
          given && given.length >= length ? given.subarray(0, length) : Buffer.allocUnsafeSlow(length);
        await file.read(bytes, offset);
        return bytes;
      });
    } catch (error) {
      throw isAbsent(error) ? new ObjectNotFound(key, { cause: error }) : error;
    }
  }

  /** The object appears whole or not at all. Throws StoreWriteFailed. */
  async put(key: string, body: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#path(key);
    const part = `${path}.${randomBytes(6).toString('hex')}${partSuffix}`;
    try {
      await mkdir(dirname(path), { recursive: true });
      const handle = await open(part, 'wx');
      try {
        if (body instanceof Uint8Array) await handle.writeFile(body);
        else for await (const piece of body) await handle.writeFile(piece);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(part, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(part, { force: true });
      throw new StoreWriteFailed(path, { cause: error });
    }
  }

  /** Harmless where there is no such object. */
  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  async *list(prefix: string): AsyncIterable<string> {
    const cut = prefix.lastIndexOf('/');
    const folder = cut < 0 ? '' : prefix.slice(0, cut + 1);
    if (folder !== '') keySegments(folder.slice(0, -1));
    yield* this.#walk(folder, prefix);
  }

  async *listFolders(folder: string): AsyncIterable<ListedFolder> {
    const path = this.#folder(folder);
    const entries = await readdir(path, { withFileTypes: true }).catch(nothingWhereAbsent);
    for (const { name } of entries.filter((entry) => entry.isDirectory())) {
      const found = await lookAt(join(path, name));
      if (found) yield { key: `${folder}${name}/`, tag: tagOf(found) };
    }
  }

  async folderTag(folder: string): Promise<string | undefined> {
    const found = await lookAt(this.#folder(folder));
    const settled = found && Date.now() - Number(found.ctimeMs) > settledMilliseconds;
    return settled ? tagOf(found) : undefined;
  }

  async head(key: string): Promise<{ size: number; tag: string } | undefined> {
    try {
      const found = await stat(this.#path(key), { bigint: true });
      return found.isFile() ? { size: Number(found.size), tag: tagOf(found) } : undefined;
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  /** Closes the file handles kept of a dataset: a deleted file takes its room on the disk until its last reader closes it. */
  async forget(datasetId: string): Promise<void> {
    await this.#open.closeBelow(join(this.#root, ...keySegments(datasetPrefix(datasetId).slice(0, -1))));
  }

  /** Closes the file handles kept for range reads. The store can still be used. */
  async close(): Promise<void> {
    await this.#open.close();
  }

  async *#walk(folder: string, prefix: string): AsyncIterable<string> {
    const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch(
      nothingWhereAbsent,
    );
    // Byte order of whole keys: a folder sorts as its name with the slash that follows it.
    const keys = entries
      .map((entry) => ({ entry, key: folder + entry.name + (entry.isDirectory() ? '/' : '') }))
      .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
    for (const { entry, key } of keys) {
      if (entry.isDirectory()) {
        if (key.startsWith(prefix) || prefix.startsWith(key)) yield* this.#walk(key, prefix);
      } else if (entry.isFile() && key.startsWith(prefix) && !key.endsWith(partSuffix)) yield key;
    }
  }

  #folder(key: string): string {
    return join(this.#root, ...keySegments(key.slice(0, -1)));
  }

  #path(key: string): string {
    const segments = keySegments(key);
    if (key.endsWith(partSuffix))
      throw new InvalidObjectKey(key, `"${partSuffix}" is kept for unfinished objects`);
    return join(this.#root, ...segments);
  }
}

async function lookAt(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** A number of a file system is given to another folder once its own is gone, but not at the same time. */
function tagOf({ ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino}-${mtimeNs}-${ctimeNs}`;
}

function nothingWhereAbsent(error: unknown): [] {
  if (isAbsent(error)) return [];
  throw error;
}

function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  // EISDIR and ENOTDIR: a folder or a part of another object is not an object.
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}
