import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isRunning, ownIdentity, type ProcessIdentity } from '@cellfolio/bytes';

export function reservationsOf(dataDir: string): string {
  return join(dataDir, 'scratch', 'reserved');
}

const renewMilliseconds = 15_000;
/** A process of another machine or container counts as dead when it has not renewed its reservation for this time. */
const staleMilliseconds = 60_000;

interface Note extends ProcessIdentity {
  /** Path of the partial file relative to the folder of reservations, since it may be mounted under another path. */
  part: string;
  /** Length of the whole file. */
  total: number;
}

/**
 * Disk space reserved for a download, in a file that is visible to all processes of a data folder while the download
 * runs.
 */
export class Reservation {
  readonly #folder: string;
  readonly #part: string;
  readonly #path: string;
  readonly #freeBytes: () => Promise<number>;
  #timer: NodeJS.Timeout | undefined;

  /** `folder` holds the reservations; `part` is the partial file; `freeBytes` measures its disk. */
  constructor(folder: string, part: string, freeBytes: () => Promise<number>) {
    this.#folder = folder;
    this.#part = relative(folder, part);
    this.#freeBytes = freeBytes;
    this.#path = join(folder, `${randomUUID()}.json`);
  }

  /** Reserves the missing bytes of the file. */
  async take(total: number): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const note: Note = { ...ownIdentity(), part: this.#part, total };
    // Renamed, so that no other process reads half of it.
    await writeFile(`${this.#path}.new`, JSON.stringify(note), { mode: 0o600 });
    await rename(`${this.#path}.new`, this.#path);
    const renew = () => utimes(this.#path, new Date(), new Date()).catch(() => undefined);
    this.#timer ??= setInterval(() => void renew(), renewMilliseconds).unref();
  }

  /** Free bytes not reserved by other downloads. Removes reservations of dead processes. */
  async room(): Promise<number> {
    const names = await readdir(this.#folder).catch(() => []);
    const bytes = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => this.#bytesOf(join(this.#folder, name))),
    );
    const free = await this.#freeBytes();
    return Math.max(0, free - bytes.reduce((sum, one) => sum + one, 0));
  }

  async #bytesOf(path: string): Promise<number> {
    try {
      const note = JSON.parse(await readFile(path, 'utf8')) as Note;
      const isAlive = isRunning(note) ?? Date.now() - (await stat(path)).mtimeMs < staleMilliseconds;
      if (!isAlive) await rm(path, { force: true });
      // A process that died may have begun the same file before.
      if (!isAlive || note.part === this.#part) return 0;
      const written = await stat(join(this.#folder, note.part)).then(
        ({ size }) => size,
        () => 0,
      );
      return Math.max(0, note.total - written);
    } catch {
      // It ended meanwhile.
      return 0;
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await rm(this.#path, { force: true });
  }
}
