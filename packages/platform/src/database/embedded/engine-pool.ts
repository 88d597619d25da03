import { callbackify } from 'node:util';
import { Pool, type PoolClient } from 'pg';
import { EngineStream } from './engine-stream.ts';
import type { Engine } from './engine.ts';

/** The way to an engine, for one client at a time. */
export function openEnginePool(engine: Engine, connectionTimeoutMs: number): Pool {
  const pool = new Pool({
    // A client for each use: its end is what resets the session, whatever state it was left in.
    max: 1,
    maxUses: 1,
    stream: () => new EngineStream(engine),
    ssl: false,
    user: 'postgres',
    database: 'postgres',
    connectionTimeoutMillis: connectionTimeoutMs,
  });
  pool.connect = connectInOrder(pool, connectionTimeoutMs);
  return pool;
}

type Callback = (error: unknown, client?: PoolClient, release?: PoolClient['release']) => void;

/**
 * Hands the one client to those who ask in the order they came. The pool by itself has nobody while a client ends, and
 * gives the next one to whoever asks just then: where calls keep coming, those who wait would wait for ever.
 */
function connectInOrder(pool: Pool, timeoutMs: number): Pool['connect'] {
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const waiting: (() => void)[] = [];
  let taken = false;
  const next = (): void => {
    const first = waiting.shift();
    if (first) first();
    else taken = false;
  };
  pool.on('remove', next);
  // They wait here, not in the pool.
  Object.defineProperty(pool, 'waitingCount', { get: () => waiting.length });
  const turn = (): Promise<void> =>
    new Promise((resolve, reject) => {
      if (!taken) {
        taken = true;
        resolve();
        return;
      }
      const giveUp = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        // As the pool says it.
        reject(new Error('timeout exceeded when trying to connect'));
      }, timeoutMs).unref();
      const begin = (): void => {
        clearTimeout(giveUp);
        resolve();
      };
      waiting.push(begin);
    });
  const inOrder = async (): Promise<PoolClient> => {
    await turn();
    try {
      return await connect();
    } catch (error) {
      next();
      throw error;
    }
  };
  const either = (callback?: Callback): Promise<PoolClient> | undefined => {
    if (!callback) return inOrder();
    callbackify(inOrder)((error, client) => callback(error, client, client?.release.bind(client)));
    return undefined;
  };
  return either as Pool['connect'];
}

/** Holds the statements of a client to a limit in milliseconds; it lapses with the client, after one use. */
export function limitStatements(client: PoolClient, milliseconds: number): void {
  // The driver's types do not know of the connection that it has been given.
  const { stream } = (client as unknown as { connection: { stream: unknown } }).connection;
  if (!(stream instanceof EngineStream))
    throw new TypeError('A client of the embedded database was expected.');
  stream.limitStatements(milliseconds);
}
