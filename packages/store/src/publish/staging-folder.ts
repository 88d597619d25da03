import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eachLimited, StoreWriteFailed, syncFolder } from '@cellfolio/bytes';
import type { ShardFile } from '../entry-writer.ts';
import type { FileRecord } from '../manifest.ts';

/** Maximum files waiting for their sync while further ones are written. */
const pendingSyncs = 16;

/** A folder being filled: every file has its checksum and is synced when closed. */
export class StagingFolder {
  readonly path: string;
  readonly files = new Map<string, FileRecord>();
  readonly #folders = new Set<string>();
  readonly #syncing = new Set<Promise<void>>();
  readonly #creating = new Set<Promise<FileHandle>>();
  readonly #opened = new Set<FileHandle>();
  #removed = false;
  #failure: StoreWriteFailed | undefined;

  private constructor(path: string) {
    this.path = path;
  }

  /** Throws StoreWriteFailed. */
  static async create(path: string): Promise<StagingFolder> {
    const folder = new StagingFolder(path);
    await folder.#makeFolder(path);
    return folder;
  }

  /** Opens a new file for writing by others, in any order and thread. Throws StoreWriteFailed. */
  async place(path: string): Promise<PlacedFile> {
    const full = join(this.path, path);
    const handle = await this.#handle(full);
    return {
      place: { descriptor: handle.fd, path: full },
      close: (record) => this.#finish(path, handle, record),
    };
  }

  /** Writes a whole file. Throws StoreWriteFailed. */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    const full = join(this.path, path);
    const handle = await this.#handle(full);
    try {
      await handle.writeFile(bytes);
    } catch (error) {
      throw new StoreWriteFailed(full, { cause: error });
    }
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await this.#finish(path, handle, { size: bytes.length, sha256 });
  }

  /** Resolves when all files and the names of all folders inside are on disk. Throws StoreWriteFailed. */
  async settle(): Promise<void> {
    await Promise.all(this.#syncing);
    if (this.#failure) throw this.#failure;
    const folders = [...this.#folders];
    // Side by side, for a journal takes many at once.
    await eachLimited(folders.length, pendingSyncs, async (i) => {
      const folder = folders[i]!;
      try {
        await syncFolder(folder);
      } catch (error) {
        throw new StoreWriteFailed(folder, { cause: error });
      }
    });
  }

  /** Removes the folder. Work in progress cannot recreate any of it. */
  async remove(): Promise<void> {
    this.#removed = true;
    await Promise.allSettled(this.#creating);
    await Promise.all(this.#syncing);
    await Promise.all([...this.#opened].map((handle) => handle.close().catch(() => undefined)));
    this.#opened.clear();
    await rm(this.path, { recursive: true, force: true });
  }

  async #handle(path: string): Promise<FileHandle> {
    const opening = this.#open(path);
    this.#creating.add(opening);
    try {
      return await opening;
    } finally {
      this.#creating.delete(opening);
    }
  }

  async #open(path: string): Promise<FileHandle> {
    if (this.#removed) throw new StoreWriteFailed(path, { cause: new Error('the dataset was discarded') });
    await this.#makeFolder(dirname(path));
    try {
      const handle = await open(path, 'wx');
      this.#opened.add(handle);
      return handle;
    } catch (error) {
      throw new StoreWriteFailed(path, { cause: error });
    }
  }

  async #finish(path: string, handle: FileHandle, record: FileRecord): Promise<void> {
    this.files.set(path, record);
    const sync = this.#sync(join(this.path, path), handle).finally(() => this.#syncing.delete(sync));
    this.#syncing.add(sync);
    if (this.#syncing.size >= pendingSyncs) await Promise.race(this.#syncing);
    if (this.#failure) throw this.#failure;
  }

  async #sync(path: string, handle: FileHandle): Promise<void> {
    try {
      await handle.sync();
      await handle.close();
    } catch (error) {
      this.#failure ??= new StoreWriteFailed(path, { cause: error });
      await handle.close().catch(() => undefined);
    }
    this.#opened.delete(handle);
  }

  async #makeFolder(path: string): Promise<void> {
    if (this.#folders.has(path)) return;
    try {
      await mkdir(path, { recursive: true });
    } catch (error) {
      throw new StoreWriteFailed(path, { cause: error });
    }
    for (let at = path; at.length >= this.path.length; at = dirname(at)) this.#folders.add(at);
  }
}

export interface PlacedFile {
  place: ShardFile;
  /** Throws StoreWriteFailed, also for a failure of an earlier file of the same folder. */
  close(record: FileRecord): Promise<void>;
}
