import { Duplex } from 'node:stream';
import type { Engine, EngineSession } from './engine.ts';
import { ClientMessages, greeting } from './wire-messages.ts';

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
export class EngineStream extends Duplex {
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
