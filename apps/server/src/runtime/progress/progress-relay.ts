import { randomUUID } from 'node:crypto';
import type { ProgressEvent } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';

export interface ProgressMessage {
  /** User and request. */
  key: string;
  /** Undefined when the call has ended. */
  event?: ProgressEvent;
  finished: boolean;
}

/** Sends progress to other processes, as a call may be watched in another one than it runs in. */
export interface ProgressRelay {
  send(message: ProgressMessage): void;
  onMessage(listener: (message: ProgressMessage) => void): void;
  close(): Promise<void>;
}

const channel = 'cellfolio_progress';
/** NOTIFY accepts less than 8000 bytes. */
const maxBytes = 7900;
const reconnectMilliseconds = 1000;

/** A relay over LISTEN and NOTIFY of PostgreSQL. Messages that cannot be sent are dropped, as the next one replaces them. */
export class PostgresProgressRelay implements ProgressRelay {
  readonly #pool: Database['pool'];
  /** To ignore the messages of this process. */
  readonly #me = randomUUID();
  readonly #listeners: ((message: ProgressMessage) => void)[] = [];
  #closed = false;
  #stopListening: (() => void) | undefined;
  #listening: Promise<void>;

  constructor(database: Database) {
    this.#pool = database.pool;
    this.#listening = this.#listen();
  }

  send(message: ProgressMessage): void {
    const payload = JSON.stringify({ ...message, from: this.#me });
    if (this.#closed || Buffer.byteLength(payload) > maxBytes) return;
    this.#pool.query('select pg_notify($1, $2)', [channel, payload]).catch(() => undefined);
  }

  onMessage(listener: (message: ProgressMessage) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#listening;
    this.#stopListening?.();
  }

  async #listen(): Promise<void> {
    if (this.#closed) return;
    try {
      const client = await this.#pool.connect();
      let released = false;
      const release = (error?: Error): void => {
        if (released) return;
        released = true;
        client.removeAllListeners('notification');
        // True closes the connection: as it listens, it must not return to the pool.
        client.release(error ?? true);
        if (!this.#closed) this.#listenLater();
      };
      client.on('error', release);
      client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
      this.#stopListening = release;
      await client.query(`listen ${channel}`);
    } catch {
      this.#listenLater();
    }
  }

  #listenLater(): void {
    if (this.#closed) return;
    setTimeout(() => (this.#listening = this.#listen()), reconnectMilliseconds).unref();
  }

  #receive(payload: string): void {
    const { from, ...message } = JSON.parse(payload) as ProgressMessage & { from: string };
    if (from === this.#me) return;
    for (const listener of this.#listeners) listener(message);
  }
}
