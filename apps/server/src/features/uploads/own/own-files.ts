import type { Database } from '@cellfolio/platform';
import { ExpiringCache } from '../../../runtime/expiring-cache.ts';

/** A file that a user has uploaded. */
export interface OwnFile {
  readonly userId: string;
  readonly originalName: string;
}

/** How long an owner is believed; nobody else can become one, only the file can go. */
const memoryMilliseconds = 5000;

/** Whose files there are, as the table of uploads says. */
export class OwnFiles {
  readonly #database: Pick<Database, 'pool'>;
  readonly #memory: ExpiringCache<OwnFile>;

  constructor(database: Pick<Database, 'pool'>, now?: () => number) {
    this.#database = database;
    this.#memory = new ExpiringCache(memoryMilliseconds, now);
  }

  /** Undefined where there is no such file; that is asked anew each time. */
  async find(fileId: string): Promise<OwnFile | undefined> {
    try {
      return await this.#memory.recall(fileId, () => this.#ask(fileId));
    } catch (error) {
      if (error instanceof NoSuchFile) return undefined;
      throw error;
    }
  }

  forget(fileId: string): void {
    this.#memory.forget(fileId);
  }

  /** Those of the files that are there. */
  async existing(fileIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.#database.pool.query<{ id: string }>(
      'select id from public.user_files where id = any($1::uuid[])',
      [fileIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async #ask(fileId: string): Promise<OwnFile> {
    const { rows } = await this.#database.pool.query<{ user_id: string; original_filename: string }>(
      'select user_id, original_filename from public.user_files where id = $1',
      [fileId],
    );
    if (!rows[0]) throw new NoSuchFile();
    return { userId: rows[0].user_id, originalName: rows[0].original_filename };
  }
}

/** Thrown so that absence is not remembered. */
class NoSuchFile extends Error {
  override readonly name = 'NoSuchFile';
}
