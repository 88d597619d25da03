import { Pool } from 'pg';
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
