import { Pool, type PoolClient } from 'pg';
import type { Database, DatabaseLog } from './database.ts';
import { openEmbedded } from './embedded/open-embedded.ts';
import { PooledDatabase } from './pooled-database.ts';

interface OpenDatabaseOptions {
  /** `postgres://…`; if absent, opens the embedded database of `dataDir`, creating it if missing. */
  url?: string;
  dataDir: string;
  log?: DatabaseLog;
  /** Maximum milliseconds per statement (60,000). */
  statementTimeoutMs?: number;
  /** Maximum wait for a free connection, in milliseconds (30,000). */
  connectionTimeoutMs?: number;
}

/**
 * Opens the application's database; close it when done. Throws DatabaseLockedError, DatabaseVersionError or EngineError
 * for the embedded one, and the driver's error if a server cannot be reached.
 */
export function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { url, dataDir, log = () => {}, statementTimeoutMs = 60_000, connectionTimeoutMs = 30_000 } = options;
  return url === undefined
    ? openEmbedded({ dataDir, log, statementTimeoutMs, connectionTimeoutMs })
    : openPostgres({ url, log, statementTimeoutMs, connectionTimeoutMs });
}

interface PostgresOptions {
  url: string;
  statementTimeoutMs: number;
  connectionTimeoutMs: number;
  log: DatabaseLog;
}

const connections = 10;
/** Idle connections are kept after a burst of calls, since opening one takes longer than most statements. */
const idleMilliseconds = 5 * 60_000;

/**
 * Opens a pool on a PostgreSQL server, 15 or later. A pooler in between must keep a session per client: session
 * settings would otherwise reach other clients.
 */
async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { statementTimeoutMs, log } = options;
  const pool = new Pool({
    connectionString: options.url,
    max: connections,
    connectionTimeoutMillis: options.connectionTimeoutMs,
    idleTimeoutMillis: idleMilliseconds,
    // Like the embedded database; a forgotten transaction must not hold locks forever.
    onConnect: async (client) => {
      await client.query(
        `set time zone 'UTC'; set statement_timeout = ${statementTimeoutMs}; ` +
          `set idle_in_transaction_session_timeout = ${statementTimeoutMs}`,
      );
    },
  });
  // Queued before the next user's statements.
  pool.on('release', (error, client) => {
    if (!error) cleanUp(client, log);
  });
  try {
    await pool.query('select 1');
  } catch (error) {
    await pool.end();
    throw error;
  }
  return new PooledDatabase({ kind: 'postgres', pool, log });
}

function cleanUp(client: PoolClient, log: (line: string) => void): void {
  const status = client.getTransactionStatus();
  if (status === null || status === 'I') return;
  log('a database connection was given back inside a transaction, which was rolled back');
  const discarded = client.query('rollback').then(() => client.query('discard all'));
  discarded.catch((error: Error) => log(`a database connection could not be cleaned: ${error.message}`));
}
