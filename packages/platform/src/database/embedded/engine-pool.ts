import { callbackify } from 'node:util';
import { Pool, type PoolClient } from 'pg';
import { EngineStream } from './engine-stream.ts';
import type { Engine } from './engine.ts';

interface EnginePool {
  readonly pool: Pool;
  /** Like `pool.connect`, but behind all waiting requests. */
  readonly connectLast: () => Promise<PoolClient>;
}

export function openEnginePool(engine: Engine, connectionTimeoutMs: number): EnginePool {
  const pool = new Pool({
    // One client per use: ending it resets the session, whatever its state.
    max: 1,
    maxUses: 1,
    stream: () => new EngineStream(engine),
    ssl: false,
    user: 'postgres',
    database: 'postgres',
    connectionTimeoutMillis: connectionTimeoutMs,
  });
  return { pool, connectLast: connectInOrder(pool, connectionTimeoutMs) };
}

type Callback = (error: unknown, client?: PoolClient, release?: PoolClient['release']) => void;

/**
 * Grants the single client in request order, and through the returned function only if nothing else waits. The pool
 * alone has no queue while a client ends, and gives the next one to the next request: under constant load, queued
 * requests would wait forever.
 */
function connectInOrder(pool: Pool, timeoutMs: number): () => Promise<PoolClient> {
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const queued: (() => void)[] = [];
  const waitingLast: (() => void)[] = [];
  let isBusy = false;
  const next = (): void => {
    const first = queued.shift() ?? waitingLast.shift();
    if (first) first();
    else isBusy = false;
  };
  pool.on('remove', next);
  // They wait here, not in the pool.
  Object.defineProperty(pool, 'waitingCount', { get: () => queued.length + waitingLast.length });
  const turn = (queue: (() => void)[]): Promise<void> =>
    new Promise((resolve, reject) => {
      if (!isBusy) {
        isBusy = true;
        resolve();
        return;
      }
      const giveUp = setTimeout(() => {
        queue.splice(queue.indexOf(begin), 1);
        // The pool's own message.
        reject(new Error('timeout exceeded when trying to connect'));
      }, timeoutMs).unref();
      const begin = (): void => {
        clearTimeout(giveUp);
        resolve();
      };
      queue.push(begin);
    });
  const inOrder = async (queue: (() => void)[]): Promise<PoolClient> => {
    await turn(queue);
    try {
      return await connect();
    } catch (error) {
      next();
      throw error;
    }
  };
  const either = (callback?: Callback): Promise<PoolClient> | undefined => {
    if (!callback) return inOrder(queued);
    callbackify(inOrder)(queued, (error, client) => callback(error, client, client?.release.bind(client)));
    return undefined;
  };
  pool.connect = either as Pool['connect'];
  return () => inOrder(waitingLast);
}

/** Limits the statements of a client, in milliseconds; the limit ends when the client is released. */
export function limitStatements(client: PoolClient, milliseconds: number): void {
  // The driver's types lack the connection passed to it.
  const { stream } = (client as unknown as { connection: { stream: unknown } }).connection;
  if (!(stream instanceof EngineStream))
    throw new TypeError('A client of the embedded database was expected.');
  stream.limitStatements(milliseconds);
}
