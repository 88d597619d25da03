import type { Pool, PoolClient } from 'pg';

/** Who a statement runs as, in the sense of row-level security. */
export interface Caller {
  readonly role: 'anon' | 'authenticated' | 'service_role';
  /** Verified claims of the caller's access token; absent for a caller known by key alone. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

export interface AsOptions {
  readonly readOnly?: boolean;
  /**
   * Longest time each statement may take, in milliseconds, where that is less than the database was opened with; then it
   * fails with the SQLSTATE 57014.
   */
  readonly statementTimeoutMs?: number;
  /** Settings that the transaction begins with, and that are gone with it; each name has a dot in it. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * The one database, embedded (PGlite in a worker) or a PostgreSQL server: same SQL, same driver.
 * The embedded one has a single connection, so a transaction must never wait for another one.
 */
export interface Database {
  readonly kind: 'embedded' | 'postgres';
  /** For what is in no caller's name: migrations and the auth service's own tables. */
  readonly pool: Pool;
  /** Runs `work` in one transaction; rolls back when it throws. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
  /**
   * As `transaction`, under the caller's role and claims, so that row-level security decides. Read-only, all statements
   * see the same snapshot. Throws SecondStepPending where the account has a verified factor and the claims say that the
   * session has passed the password alone.
   */
  as<T>(caller: Caller, work: (client: PoolClient) => Promise<T>, options?: AsOptions): Promise<T>;
  /** Gives back memory that work has left behind in this process, where there is any; for quiet times. Never throws. */
  giveBack(): Promise<void>;
  close(): Promise<void>;
}

/** Takes one line at a time, with the error that it is about, where it is about one. */
export type DatabaseLog = (line: string, error?: Error) => void;
