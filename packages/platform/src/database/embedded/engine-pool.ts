import { Pool, type PoolClient } from 'pg';
import { EngineStream } from './engine-stream.ts';
import type { Engine } from './engine.ts';

/** The way to an engine, for one client at a time. */
export function openEnginePool(engine: Engine, connectionTimeoutMs: number): Pool {
  return new Pool({
    // A client for each use: its end is what resets the session, whatever state it was left in.
    max: 1,
    maxUses: 1,
    stream: () => new EngineStream(engine),
    ssl: false,
    user: 'postgres',
    database: 'postgres',
    connectionTimeoutMillis: connectionTimeoutMs,
  });
}

/** Holds the statements of a client to a limit in milliseconds; it lapses with the client, after one use. */
export function limitStatements(client: PoolClient, milliseconds: number): void {
  // The driver's types do not know of the connection that it has been given.
  const { stream } = (client as unknown as { connection: { stream: unknown } }).connection;
  if (!(stream instanceof EngineStream))
    throw new TypeError('A client of the embedded database was expected.');
  stream.limitStatements(milliseconds);
}
