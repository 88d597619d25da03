import { randomUUID } from 'node:crypto';
import type { Database } from '@cellfolio/platform';

/** How far a call has come. */
export interface ProgressEvent {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}

/** A message about a call between processes. */
export interface ToldProgress {
  /** Whose call it is. */
  readonly key: string;
  /** Absent where it has only ended. */
  readonly event?: ProgressEvent;
  readonly finished: boolean;
}

/** Sends progress to the other processes: the process that is asked for it may not be the one that works. */
export interface ProgressRelay {
  tell(told: ToldProgress): void;
  hear(listener: (told: ToldProgress) => void): void;
  close(): Promise<void>;
}

const channel = 'cellfolio_progress';
/** A message of NOTIFY is shorter than 8000 bytes. */
const maxBytes = 7900;
const reconnectMilliseconds = 1000;

/**
 * Progress over LISTEN and NOTIFY of the one PostgreSQL server. A message that cannot be sent is dropped: the
 * next one replaces it.
 */
export class PostgresProgressRelay implements ProgressRelay {
  readonly #pool: Database['pool'];
  /** This process hears itself as well. */
  readonly #me = randomUUID();
  readonly #listeners: ((told: ToldProgress) => void)[] = [];
  #closed = false;
  #stopListening: (() => void) | undefined;
  #listening: Promise<void>;

  constructor(database: Database) {
    this.#pool = database.pool;
    this.#listening = this.#listen();
  }

  tell(told: ToldProgress): void {
    const message = JSON.stringify({ ...told, from: this.#me });
    if (this.#closed || Buffer.byteLength(message) > maxBytes) return;
    this.#pool.query('select pg_notify($1, $2)', [channel, message]).catch(() => undefined);
  }

  hear(listener: (told: ToldProgress) => void): void {
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
      let gone = false;
      const leave = (error?: Error): void => {
        if (gone) return;
        gone = true;
        client.removeAllListeners('notification');
        // True: this connection listens, so it is of no use to others.
        client.release(error ?? true);
        if (!this.#closed) this.#listenLater();
      };
      client.on('error', leave);
      client.on('notification', ({ payload }) => this.#heard(payload ?? ''));
      this.#stopListening = leave;
      await client.query(`listen ${channel}`);
    } catch {
      this.#listenLater();
    }
  }

  #listenLater(): void {
    if (this.#closed) return;
    setTimeout(() => (this.#listening = this.#listen()), reconnectMilliseconds).unref();
  }

  #heard(payload: string): void {
    const { from, ...told } = JSON.parse(payload) as ToldProgress & { from: string };
    if (from === this.#me) return;
    for (const listener of this.#listeners) listener(told);
  }
}
