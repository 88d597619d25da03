import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eachLimited, StoreWriteFailed, syncFolder } from '@cellfolio/bytes';

/** Files waiting for the disk to confirm them while further ones are written. */
const pendingSyncs = 16;

/** A folder being filled: every file is hashed while written and synced when closed. */
export class StagingFolder {
  readonly path: string;
  /** Size and SHA-256 of each closed file, by its path inside the folder. */
  readonly files = new Map<string, { size: number; sha256: string }>();
  readonly #folders = new Set<string>();
  readonly #syncing = new Set<Promise<void>>();
  readonly #creating = new Set<Promise<StagingFile>>();
  readonly #open = new Set<FileHandle>();
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

  /** Opens a new file. Throws StoreWriteFailed. */
  async create(path: string): Promise<StagingFile> {
    const creating = this.#create(path);
    this.#creating.add(creating);
    try {
      return await creating;
    } finally {
      this.#creating.delete(creating);
    }
  }

  /** Writes a whole file. Throws StoreWriteFailed. */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    const file = await this.create(path);
    await file.append([bytes]);
    await file.close();
  }

  /** Resolves when all files and the names of all folders inside are on the disk. Throws StoreWriteFailed. */
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

  /** Removes the folder. Work still under way cannot bring any of it back. */
  async remove(): Promise<void> {
    this.#removed = true;
    await Promise.allSettled(this.#creating);
    await Promise.all(this.#syncing);
    await Promise.all([...this.#open].map((handle) => handle.close().catch(() => undefined)));
    this.#open.clear();
    await rm(this.path, { recursive: true, force: true });
  }

  async #create(path: string): Promise<StagingFile> {
    const full = join(this.path, path);
    if (this.#removed) throw new StoreWriteFailed(full, { cause: new Error('the dataset was discarded') });
    await this.#makeFolder(dirname(full));
    try {
      const handle = await open(full, 'wx');
      this.#open.add(handle);
      return new StagingFile(path, full, handle, (file) => this.#finish(file));
    } catch (error) {
      throw new StoreWriteFailed(full, { cause: error });
    }
  }

  async #finish(file: StagingFile): Promise<void> {
    this.files.set(file.path, { size: file.size, sha256: file.sha256() });
    const sync = this.#sync(file).finally(() => this.#syncing.delete(sync));
    this.#syncing.add(sync);
    if (this.#syncing.size >= pendingSyncs) await Promise.race(this.#syncing);
    if (this.#failure) throw this.#failure;
  }

  async #sync(file: StagingFile): Promise<void> {
    try {
      await file.handle.sync();
      await file.handle.close();
    } catch (error) {
      this.#failure ??= new StoreWriteFailed(file.fullPath, { cause: error });
      await file.handle.close().catch(() => undefined);
    }
    this.#open.delete(file.handle);
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

/** A file being appended to. */
export class StagingFile {
  /** Path inside the staged folder. */
  readonly path: string;
  readonly fullPath: string;
  readonly handle: FileHandle;
  size = 0;
  readonly #hash: Hash = createHash('sha256');
  readonly #finish: (file: StagingFile) => Promise<void>;

  constructor(
    path: string,
    fullPath: string,
    handle: FileHandle,
    finish: (file: StagingFile) => Promise<void>,
  ) {
    this.path = path;
    this.fullPath = fullPath;
    this.handle = handle;
    this.#finish = finish;
  }

  /** Throws StoreWriteFailed. */
  async append(pieces: readonly Uint8Array[]): Promise<void> {
    try {
      let length = 0;
      for (const piece of pieces) length += piece.length;
      // The disk works on the pieces while this thread hashes them.
      const writing = this.handle.writev(pieces as Uint8Array<ArrayBuffer>[], this.size);
      writing.catch(() => undefined);
      for (const piece of pieces) this.#hash.update(piece);
      const { bytesWritten } = await writing;
      if (bytesWritten !== length) await this.#rest(Buffer.concat(pieces), bytesWritten);
      this.size += length;
    } catch (error) {
      throw new StoreWriteFailed(this.fullPath, { cause: error });
    }
  }

  /** Throws StoreWriteFailed, also for an earlier file of the same folder that the disk refused. */
  async close(): Promise<void> {
    await this.#finish(this);
  }

  sha256(): string {
    return this.#hash.digest('hex');
  }

  /** A nearly full disk takes a part first and says why only at the next attempt. */
  async #rest(bytes: Uint8Array, written: number): Promise<void> {
    for (let at = written; at < bytes.length;) {
      const { bytesWritten } = await this.handle.write(bytes, at, bytes.length - at, this.size + at);
      at += bytesWritten;
    }
  }
}
