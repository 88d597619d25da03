import { callbackify } from 'node:util';
import { Duplex } from 'node:stream';
import { Pool, type PoolClient } from 'pg';
import type { Engine, EngineSession } from './engine.ts';
import { ClientMessages, greeting } from './wire-messages.ts';

interface EnginePool {
  pool: Pool;
  /** Like `pool.connect`, but behind all waiting requests. */
  connectLast: () => Promise<PoolClient>;
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

/** Settings reported to the driver at the start of a connection; the engine's thread holds every session to them. */
const settings = {
  server_encoding: 'UTF8',
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  integer_datetimes: 'on',
  standard_conforming_strings: 'on',
};

/**
 * Socket of one `pg` client to the embedded engine. No backpressure: a result is held in memory as a whole, as `pg`
 * does anyway.
 */
class EngineStream extends Duplex {
  readonly #engine: Engine;
  readonly #messages = new ClientMessages();
  #session: EngineSession | undefined;

  constructor(engine: Engine) {
    super({
      read: () => {},
      write: (chunk: Uint8Array, _encoding, done) => done(this.#take([chunk])),
      writev: (chunks, done) => done(this.#take(chunks.map(({ chunk }) => chunk as Uint8Array))),
      final: (done) => {
        this.#end();
        this.push(null);
        done();
      },
      destroy: (error, done) => {
        this.#end();
        done(error);
      },
    });
    this.#engine = engine;
  }

  /** Like a socket: emits `connect`, or is destroyed with the reason. */
  connect(): this {
    void this.#connect();
    return this;
  }

  /** Maximum milliseconds of each statement from now on. */
  limitStatements(milliseconds: number): void {
    this.#session?.limit(milliseconds);
  }

  async #connect(): Promise<void> {
    try {
      await this.#engine.ready();
      if (this.destroyed) return;
      this.#session = this.#engine.open({
        data: (bytes) => this.push(bytes),
        lost: (error) => this.#lost(error),
      });
    } catch (error) {
      this.destroy(error as Error);
      return;
    }
    this.emit('connect');
  }

  #take(chunks: readonly Uint8Array[]): Error | null {
    try {
      const { startup, batches } = this.#messages.push(chunks);
      if (startup) this.push(greeting(settings));
      for (const batch of batches) this.#session?.run(batch);
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  #end(): void {
    this.#session?.end();
    this.#session = undefined;
  }

  /** The driver reads the error, then the end of the connection. */
  #lost(error: Uint8Array): void {
    this.#session = undefined;
    this.push(error);
    this.push(null);
    this.once('end', () => this.destroy());
  }

  // Socket methods that `pg` calls; no-ops here.
  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}
