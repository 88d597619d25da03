import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { InvalidObjectKey, ObjectNotFound, StoreWriteFailed } from './errors.ts';
import {
  type ByteSource,
  keySegments,
  type ListedFolder,
  type ListsFolders,
  memoryFor,
  type ObjectHead,
  type OpenedStore,
  outside,
  type ReadOptions,
  type WriteOptions,
} from './object-store.ts';
import { OpenFiles } from './open-files.ts';
import { makeFolder, syncFolder } from './sync-folder.ts';

/** Suffix of partially written objects; such files are never listed. */
export const partSuffix = '.part~';
const openFileLimit = 64;
/** A file system with timestamps in whole seconds does not show a second change within one. */
const settledMilliseconds = 2000;

export class FileObjectStore implements OpenedStore, ListsFolders {
  readonly #root: string;
  readonly #open = new OpenFiles(openFileLimit);

  constructor(root: string) {
    this.#root = resolve(root);
  }

  /** The file of an object, for readers that need a path. Throws InvalidObjectKey. */
  pathOf(key: string): string {
    const segments = keySegments(key);
    if (key.endsWith(partSuffix))
      throw new InvalidObjectKey(key, `"${partSuffix}" is reserved for unfinished objects`);
    return join(this.#root, ...segments);
  }

  async get(key: string, options?: ReadOptions): Promise<Uint8Array> {
    options?.signal?.throwIfAborted();
    const path = this.pathOf(key);
    try {
      return await this.#open.use(path, async (file) => {
        const range = options?.range ?? { offset: 0, length: file.size };
        const { offset, length } = range;
        if (offset < 0 || length < 0 || offset + length > file.size) throw outside(key, range, file.size);
        const bytes = memoryFor(length, options?.into);
        await file.read(bytes, offset);
        return bytes;
      });
    } catch (error) {
      throw isAbsentFile(error) ? new ObjectNotFound(key, { cause: error }) : error;
    }
  }

  async put(key: string, body: Uint8Array | ByteSource, { signal }: WriteOptions = {}): Promise<void> {
    await this.publish(key, async (part) => {
      const handle = await open(part, 'wx');
      try {
        if (body instanceof Uint8Array) await handle.writeFile(body);
        else {
          for await (const piece of body) {
            signal?.throwIfAborted();
            await handle.writeFile(piece);
          }
        }
        await handle.sync();
      } finally {
        await handle.close();
      }
    });
  }

  /** Publishes the complete, synced file that `write` creates at the given path. Throws StoreWriteFailed. */
  async publish(key: string, write: (part: string) => Promise<void>): Promise<void> {
    const path = this.pathOf(key);
    const part = `${path}.${randomBytes(6).toString('hex')}${partSuffix}`;
    try {
      await makeFolder(dirname(path));
      await write(part);
      await rename(part, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(part, { force: true });
      throw new StoreWriteFailed(path, { cause: error });
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  /** Deletes an object and its partial files left by crashed writers. */
  async deleteParts(key: string): Promise<void> {
    const path = this.pathOf(key);
    const names = await readdir(dirname(path)).catch(nothingWhereAbsent);
    const ours = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith(partSuffix));
    for (const name of [basename(path), ...ours]) await rm(join(dirname(path), name), { force: true });
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
      const stats = await lookAt(join(path, name));
      if (stats) yield { key: `${folder}${name}/`, tag: tagOf(stats) };
    }
  }

  async folderTag(folder: string): Promise<string | undefined> {
    const stats = await lookAt(this.#folder(folder));
    const settled = stats && Date.now() - Number(stats.ctimeMs) > settledMilliseconds;
    return settled ? tagOf(stats) : undefined;
  }

  async head(key: string): Promise<ObjectHead | undefined> {
    const stats = await lookAt(this.pathOf(key));
    return stats?.isFile() ? { size: Number(stats.size), tag: tagOf(stats) } : undefined;
  }

  /** Closes the open files below a prefix: a deleted file uses disk space until it is closed. */
  async forget(prefix: string): Promise<void> {
    await this.#open.closeBelow(this.#folder(prefix));
  }

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
}

async function lookAt(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (isAbsentFile(error)) return undefined;
    throw error;
  }
}

/** With times, because an inode number may be reused after its folder is deleted. */
function tagOf({ ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino}-${mtimeNs}-${ctimeNs}`;
}

function nothingWhereAbsent(error: unknown): [] {
  if (isAbsentFile(error)) return [];
  throw error;
}

export function isAbsentFile(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  // EISDIR, ENOTDIR: the key is a folder, or below another object.
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}
