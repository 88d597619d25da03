import { close, fstat, open, read, statSync } from 'node:fs';
import { sep } from 'node:path';
import { promisify } from 'node:util';

// Plain descriptors: the garbage collector closes an unreferenced FileHandle with a warning.
const openFile = promisify(open);
const readInto = promisify(read);
const closeFile = promisify(close);
const statFile = promisify(fstat);

/** Files are closed after this idle time (ms), so that deleted ones free their disk space. */
const idleTime = 15_000;

interface OpenFile {
  descriptor: number;
  inode: number;
  size: number;
  users: number;
  evicted: boolean;
}

export interface ReadableFile {
  size: number;
  /** Fills `bytes` from a position. Throws RangeError if the file ends before. */
  read(bytes: Uint8Array, position: number): Promise<void>;
}

/**
 * Files kept open for range reads, at most `limit` besides those in use. A replaced file is reopened, so that old
 * bytes are never returned.
 */
export class OpenFiles {
  readonly #limit: number;
  readonly #files = new Map<string, OpenFile>();
  #idle: NodeJS.Timeout | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async use<T>(path: string, work: (file: ReadableFile) => Promise<T>): Promise<T> {
    const file = await this.#acquire(path);
    try {
      return await work({
        size: file.size,
        read: (bytes, position) => fill(file.descriptor, bytes, position),
      });
    } finally {
      file.users--;
      if (file.evicted && file.users === 0) await closeFile(file.descriptor);
      this.#closeWhenIdle();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await Promise.all([...this.#files.keys()].map((path) => this.#evict(path)));
  }

  /** Closes the files below a folder; those in use are closed after their use. */
  async closeBelow(folder: string): Promise<void> {
    const below = [...this.#files.keys()].filter((path) => path.startsWith(folder + sep));
    await Promise.all(below.map((path) => this.#evict(path)));
  }

  async #acquire(path: string): Promise<OpenFile> {
    // Synchronous: the libuv thread pool takes ten times as long as the call.
    const now = statSync(path);
    const cached = this.#files.get(path);
    if (cached && cached.inode === now.ino && cached.size === now.size) {
      cached.users++;
      this.#files.delete(path);
      this.#files.set(path, cached);
      return cached;
    }
    const descriptor = await openFile(path, 'r');
    const opened = await statFile(descriptor);
    const file: OpenFile = { descriptor, inode: opened.ino, size: opened.size, users: 1, evicted: false };
    // Another reader may have opened the same file meanwhile; the later one is kept.
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
    if (file.users === 0) await closeFile(file.descriptor);
  }

  #closeWhenIdle(): void {
    if (this.#idle) this.#idle.refresh();
    // Does not keep the process alive.
    else this.#idle = setTimeout(() => void this.close(), idleTime).unref();
  }
}

async function fill(descriptor: number, bytes: Uint8Array, position: number): Promise<void> {
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await readInto(descriptor, bytes, filled, bytes.length - filled, position + filled);
    if (bytesRead === 0) throw new RangeError(`the file ended at ${position + filled} bytes`);
    filled += bytesRead;
  }
}
