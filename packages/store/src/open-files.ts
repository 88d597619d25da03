import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';

interface OpenFile {
  readonly handle: FileHandle;
  readonly inode: number;
  readonly size: number;
  users: number;
  evicted: boolean;
}

/**
 * File handles kept open for range reads, at most `limit` besides those in use. A file that was
 * replaced under its name is opened anew: a cached handle must never answer with the old bytes.
 */
export class OpenFiles {
  readonly #limit: number;
  /** In order of last use. */
  readonly #files = new Map<string, OpenFile>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs `work` on the open file. Throws as `fs.open` does. */
  async use<T>(path: string, work: (handle: FileHandle, size: number) => Promise<T>): Promise<T> {
    const file = await this.#acquire(path);
    try {
      return await work(file.handle, file.size);
    } finally {
      file.users--;
      if (file.evicted && file.users === 0) await file.handle.close();
    }
  }

  /** Closes all handles that are not in use. */
  async close(): Promise<void> {
    await Promise.all([...this.#files.keys()].map((path) => this.#evict(path)));
  }

  async #acquire(path: string): Promise<OpenFile> {
    const now = await stat(path);
    const known = this.#files.get(path);
    if (known && known.inode === now.ino && known.size === now.size) {
      known.users++;
      this.#files.delete(path);
      this.#files.set(path, known);
      return known;
    }
    const handle = await open(path, 'r');
    const opened = await handle.stat();
    const file: OpenFile = { handle, inode: opened.ino, size: opened.size, users: 1, evicted: false };
    // Another reader may have opened the same file meanwhile; the later one stays in the cache.
    await this.#evict(path);
    this.#files.set(path, file);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= this.#limit) break;
      await this.#evict(oldest);
    }
    return file;
  }

  async #evict(path: string): Promise<void> {
    const file = this.#files.get(path);
    if (!file) return;
    this.#files.delete(path);
    file.evicted = true;
    if (file.users === 0) await file.handle.close();
  }
}
