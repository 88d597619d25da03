import type { Database } from './database.ts';
import { openEmbedded } from './embedded/open-embedded.ts';
import { openPostgres } from './open-postgres.ts';

export interface OpenDatabaseOptions {
  /** `postgres://…`; without it the embedded database of `dataDir` is opened, and made when it is not there. */
  readonly url?: string;
  /** The application's data folder; the embedded database lives in its `database` folder. */
  readonly dataDir: string;
  readonly log?: (line: string) => void;
  /** Longest time one statement may take, in milliseconds (60,000). */
  readonly statementTimeoutMs?: number;
  /** Longest wait for a free connection, in milliseconds (30,000). */
  readonly connectionTimeoutMs?: number;
}

/**
 * Opens the one database of the application; close it when done. Throws DatabaseLockedError, DatabaseVersionError or
 * EngineError for the embedded one, and the driver's error where a server cannot be reached.
 */
export function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { url, dataDir, log = () => {}, statementTimeoutMs = 60_000, connectionTimeoutMs = 30_000 } = options;
  return url === undefined
    ? openEmbedded({ dataDir, log, statementTimeoutMs, connectionTimeoutMs })
    : openPostgres({ url, log, statementTimeoutMs, connectionTimeoutMs });
}
