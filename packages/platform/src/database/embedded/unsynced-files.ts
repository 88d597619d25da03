import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Which files were written since the last checkpoint, kept in a file beside the cluster. After a crash PostgreSQL
 * syncs its whole folder before it replays the log: a thousand files, one after the other, which takes many seconds on
 * a busy disk. Those that were not written since the last checkpoint were synced by it at the latest.
 *
 * The list itself is never synced, and need not be: it tells what may be in the memory of the operating system and not
 * yet on the disk, and is lost exactly when that is.
 */
export class UnsyncedFiles {
  readonly #list: string;
  /** Undefined while it is not known: every file may be among them. */
  #paths: Set<string> | undefined;

  /** `list` is the path of the file; where there is none, nothing is known until the next checkpoint. */
  constructor(list: string) {
    this.#list = list;
    try {
      this.#paths = new Set(readFileSync(list, 'utf8').split('\n'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  get isKnown(): boolean {
    return this.#paths !== undefined;
  }

  /** Before a file is changed. Throws when that cannot be written down. */
  add(path: string): void {
    if (!this.#paths || this.#paths.has(path)) return;
    // What an append left that was cut short by a full disk is a line of its own.
    appendFileSync(this.#list, `\n${path}\n`);
    this.#paths.add(path);
  }

  has(path: string): boolean {
    return this.#paths?.has(path) ?? true;
  }

  /** After a checkpoint: it synced all of them. */
  clear(): void {
    writeFileSync(`${this.#list}.new`, '');
    renameSync(`${this.#list}.new`, this.#list);
    this.#paths = new Set();
  }
}
