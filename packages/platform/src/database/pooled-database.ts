import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { AsOptions, Caller, Database, DatabaseLog } from './database.ts';
import {
  isDatabaseAway,
  TransactionAbortedError,
  TransactionEndedError,
  NestedTransactionError,
  SecondStepPending,
} from './errors.ts';

const roles: ReadonlySet<string> = new Set(['anon', 'authenticated', 'service_role']);

interface PooledDatabaseOptions {
  kind: Database['kind'];
  pool: Pool;
  /** Provides clients for a caller's transactions; default as for all others. */
  connectCaller?: () => Promise<PoolClient>;
  log: DatabaseLog;
  /** Limits the statements of a client until its release, if `statement_timeout` does not. */
  limitStatements?: (client: PoolClient, milliseconds: number) => void;
  giveBack?: () => Promise<unknown>;
  dispose?: () => Promise<void>;
}

export class PooledDatabase implements Database {
  readonly kind: Database['kind'];
  readonly pool: Pool;
  readonly #guard = new TransactionGuard();
  readonly #limitStatements: PooledDatabaseOptions['limitStatements'];
  readonly #dispose: () => Promise<void>;
  readonly #giveBack: (() => Promise<unknown>) | undefined;
  readonly #connect: () => Promise<PoolClient>;
  readonly #connectCaller: () => Promise<PoolClient>;
  #closing: Promise<void> | undefined;

  constructor(options: PooledDatabaseOptions) {
    const { kind, pool, connectCaller, log, limitStatements, giveBack, dispose } = options;
    this.kind = kind;
    this.pool = pool;
    this.#limitStatements = limitStatements;
    this.#dispose = dispose ?? (async () => {});
    this.#giveBack = giveBack;
    // Without a listener, a connection error would end the process; running statements are rejected anyway.
    pool.on('error', () => {});
    pool.on('connect', (client) =>
      client.on('error', (error) => log(`database connection lost: ${error.message}`, error)),
    );
    const failed = (error: Error): void => {
      if (isDatabaseAway(error)) log(`no connection to the database: ${error.message}`, error);
    };
    const connect = pool.connect.bind(pool);
    this.#connect = async () => {
      try {
        return await connect();
      } catch (error) {
        failed(error as Error);
        throw error;
      }
    };
    this.#connectCaller = connectCaller ?? this.#connect;
    // `pool.query` calls `connect` too, so every request for a connection passes here.
    const guarded = (callback?: Parameters<Pool['connect']>[0]): unknown => {
      try {
        this.#guard.refuseNested();
      } catch (error) {
        if (!callback) return Promise.reject(error);
        callback(error as Error, undefined, () => {});
        return undefined;
      }
      if (!callback) return this.#connect();
      return connect((error, client, done) => {
        if (error) failed(error);
        callback(error, client, done);
      });
    };
    pool.connect = guarded as Pool['connect'];
  }

  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.#transaction(this.#connect, 'begin', work);
  }

  as<T>(
    caller: Caller,
    work: (client: PoolClient) => Promise<T>,
    { readOnly, statementTimeoutMs, settings = {} }: AsOptions = {},
  ): Promise<T> {
    if (!roles.has(caller.role))
      return Promise.reject(new TypeError(`No role named ${String(caller.role)}.`));
    const begin = (client: PoolClient): string => {
      if (statementTimeoutMs !== undefined) this.#limitStatements?.(client, statementTimeoutMs);
      const all = {
        ...settings,
        ...(statementTimeoutMs !== undefined && { statement_timeout: String(statementTimeoutMs) }),
        'request.jwt.claims': claimsOf(caller),
        role: caller.role,
      };
      // One round trip. All settings are local: they end with the transaction.
      const set = Object.entries(all).map(
        ([name, value]) => `set_config(${client.escapeLiteral(name)}, ${client.escapeLiteral(value)}, true)`,
      );
      const pending = secondStepPending(client, caller);
      return `begin ${readOnly ? 'isolation level repeatable read read only' : 'read write'}; select ${pending} as pending, ${set.join(', ')}`;
    };
    return this.#transaction(this.#connectCaller, begin, work);
  }

  async giveBack(): Promise<void> {
    await this.#giveBack?.();
  }

  close(): Promise<void> {
    this.#closing ??= this.pool.end().then(() => this.#dispose());
    return this.#closing;
  }

  async #transaction<T>(
    connect: () => Promise<PoolClient>,
    begin: string | ((client: PoolClient) => string),
    work: (client: PoolClient) => Promise<T>,
  ): Promise<T> {
    this.#guard.refuseNested();
    const client = await connect();
    let broken: Error | undefined;
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    const release = (error?: Error): void => {
      client.off('error', onError);
      client.release(error);
    };
    let result: T;
    try {
      const begun: unknown = await client.query(typeof begin === 'string' ? begin : begin(client));
      // A query of several statements has a result of each.
      if (
        Array.isArray(begun) &&
        (begun as QueryResult<{ pending?: boolean }>[])[1]?.rows[0]?.pending === true
      )
        throw new SecondStepPending();
      result = await this.#guard.run(() => work(client));
      await commit(client);
    } catch (error) {
      // After the work ended its transaction, session state may remain: discard the connection.
      const failure = broken ?? (error instanceof TransactionEndedError ? error : await rolledBack(client));
      release(failure);
      throw error;
    }
    release(broken);
    return result;
  }
}

function claimsOf({ role, claims }: Caller): string {
  return JSON.stringify(claims ?? { role });
}

/** SQL expression; runs as the database owner, since the role changes after it. */
function secondStepPending(client: PoolClient, { role, claims }: Caller): string {
  const { sub, aal } = claims ?? {};
  if (role !== 'authenticated' || aal === 'aal2' || typeof sub !== 'string') return 'false';
  const user = client.escapeLiteral(sub);
  return `exists (select from auth.mfa_factors where user_id = ${user} and status = 'verified')`;
}

async function commit(client: PoolClient): Promise<void> {
  if (client.getTransactionStatus() === 'I') throw new TransactionEndedError();
  const answer: QueryResult = await client.query('commit');
  if (answer.command !== 'COMMIT') throw new TransactionAbortedError();
}

/** Rolls back; returns the error if that fails and the connection must be discarded. */
async function rolledBack(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * Detects whether the running code was called inside a transaction of this database. On the embedded database's single
 * connection a second request would wait forever; it is refused for PostgreSQL too, where the same code would exhaust
 * the pool under load.
 */
class TransactionGuard {
  readonly #current = new AsyncLocalStorage<{ active: boolean }>();

  async run<T>(work: () => Promise<T>): Promise<T> {
    // Background work inherits the mark, so it must end with the transaction.
    const mark = { active: true };
    try {
      return await this.#current.run(mark, work);
    } finally {
      mark.active = false;
    }
  }

  refuseNested(): void {
    if (this.#current.getStore()?.active) throw new NestedTransactionError();
  }
}
