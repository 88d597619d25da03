import type { Database } from '../../database/database.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { introspect } from './introspect.ts';

export interface SchemaCacheOptions {
  readonly schema: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** However often callers ask for what is not there, the catalogues are read at most this often. */
const leastAgeMs = 2_000;
/** A change that no request stumbles over is noticed after this. */
const greatestAgeMs = 600_000;

/** The schema as it was last read. A request that misses something in it has it read again: migrations happen. */
export class SchemaCache {
  readonly #database: Database;
  readonly #options: SchemaCacheOptions;
  #read: { readonly schema: DatabaseSchema; readonly at: number } | undefined;
  #reading: Promise<DatabaseSchema> | undefined;

  constructor(database: Database, options: SchemaCacheOptions) {
    this.#database = database;
    this.#options = options;
  }

  async current(): Promise<DatabaseSchema> {
    const read = this.#read;
    return read && this.#age(read) < greatestAgeMs ? read.schema : this.#refresh();
  }

  /** The schema read anew because `than` lacked something; undefined where that was read only just now. */
  async newer(than: DatabaseSchema): Promise<DatabaseSchema | undefined> {
    const read = this.#read;
    if (read && read.schema !== than) return read.schema;
    if (read && this.#age(read) < leastAgeMs) return undefined;
    return this.#refresh();
  }

  #age(read: { readonly at: number }): number {
    return this.#options.now() - read.at;
  }

  #refresh(): Promise<DatabaseSchema> {
    // Requests that come meanwhile wait for the same answer.
    this.#reading ??= this.#database
      .as({ role: 'service_role' }, (client) => introspect(client, this.#options.schema), { readOnly: true })
      .then((schema) => {
        this.#read = { schema, at: this.#options.now() };
        return schema;
      })
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }
}
