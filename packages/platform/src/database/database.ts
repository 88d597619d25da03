import type { Pool, PoolClient } from 'pg';

/** Identity a statement runs as, for row-level security. */
export interface Caller {
  readonly role: 'anon' | 'authenticated' | 'service_role';
  /** Verified claims of the access token; absent for a caller with a key alone. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

export interface AsOptions {
  readOnly?: boolean;
  /**
   * Maximum milliseconds per statement, if less than the database's own limit; a longer one fails with SQLSTATE 57014.
   */
  statementTimeoutMs?: number;
  /** Settings for the duration of the transaction; each name contains a dot. */
  settings?: Readonly<Record<string, string>>;
}

/**
 * The application's database, embedded (PGlite in a worker) or a PostgreSQL server: same SQL, same driver. The embedded
 * one has a single connection, so a transaction must never wait for another one.
 */
export interface Database {
  readonly kind: 'embedded' | 'postgres';
  /** For work without a caller: migrations and the auth service's own tables. */
  readonly pool: Pool;
  /** Runs `work` in one transaction; rolls back if it throws. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
  /**
   * Like `transaction`, under the caller's role and claims, so that row-level security applies. Read-only; all
   * statements see the same snapshot. Throws SecondStepPending if the account has a verified factor that the session
   * has not passed.
   */
  as<T>(caller: Caller, work: (client: PoolClient) => Promise<T>, options?: AsOptions): Promise<T>;
  /** Returns memory that work has left behind in this process, if any; for quiet times. Never throws. */
  giveBack(): Promise<void>;
  close(): Promise<void>;
}

/** Receives one line at a time, with its error if there is one. */
export type DatabaseLog = (line: string, error?: Error) => void;
