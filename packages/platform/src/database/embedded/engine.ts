import { Worker } from 'node:worker_threads';
import { EngineError } from '../errors.ts';
import type { EngineThreadData, FromEngine, ToEngine } from './engine-messages.ts';
import { engineModule } from './engine-module.ts';
import { fatalError } from './wire-messages.ts';

/** Where the answers to one client go. */
export interface EngineClient {
  data(bytes: Uint8Array): void;
  /** The session is over; `error` is the message of the wire protocol that says why. */
  lost(error: Uint8Array): void;
}

export interface EngineSession {
  /** Hands over a batch; its bytes belong to the engine from now on. */
  run(batch: Uint8Array<ArrayBuffer>): void;
  /** Rolls back what is open and forgets what the client set. */
  end(): void;
}

export interface EngineOptions {
  /** The folder with the cluster; it must exist, and be locked by us. */
  readonly cluster: string;
  /** Longest time one statement may take, in milliseconds. */
  readonly statementTimeoutMs: number;
  readonly log: (line: string) => void;
}

interface SessionState {
  client: EngineClient | undefined;
  /** Batches handed over and not yet done. */
  running: number;
  timer: NodeJS.Timeout | undefined;
}

/** SQLSTATE query_canceled, as PostgreSQL says it for `statement_timeout`, and crash_shutdown. */
const queryCanceled = '57014';
const crashShutdown = '57P02';
const closeTimeoutMs = 30_000;

/**
 * The embedded PostgreSQL in its thread. The engine cannot be interrupted from inside: a statement that takes too
 * long, or a crash, costs the thread. That loses the transaction in progress and nothing else; the next client
 * gets a new thread, which recovers from the write-ahead log.
 */
export class Engine {
  readonly #options: EngineOptions;
  #thread: Promise<Worker> | undefined;
  #running: Worker | undefined;
  /** Resolves when the last thread that was stopped has let go of the files. */
  #stopped: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  /** A session whose client has gone stays until its last statement is done, so that its time limit holds. */
  readonly #sessions = new Map<number, SessionState>();
  readonly #maintenance = new Map<
    number,
    { resolve: (memoryBytes: number) => void; reject: (error: Error) => void }
  >();
  #lastId = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** Resolves when the engine can take clients; starts it if it does not run. Throws EngineError. */
  async ready(): Promise<void> {
    await this.#worker();
  }

  /** Begins the session of a client; call it when ready, and end one session before the next. */
  open(client: EngineClient): EngineSession {
    const worker = this.#running;
    if (!worker) throw new EngineError('The embedded database is not running.');
    const id = ++this.#lastId;
    this.#sessions.set(id, { client, running: 0, timer: undefined });
    return {
      run: (batch) => {
        const session = this.#sessions.get(id);
        if (!session) return;
        session.running++;
        clearTimeout(session.timer);
        session.timer = setTimeout(() => this.#interrupt(worker), this.#options.statementTimeoutMs);
        send(worker, { kind: 'run', session: id, batch }, [batch.buffer]);
      },
      end: () => {
        const session = this.#sessions.get(id);
        if (!session?.client) return;
        session.client = undefined;
        if (session.running === 0) this.#sessions.delete(id);
        send(worker, { kind: 'reset' });
      },
    };
  }

  /**
   * Runs one statement of ours, without a time limit; the bytes of memory that the engine has. Call it only while no
   * client works.
   */
  async maintain(sql: string): Promise<number> {
    const worker = await this.#worker();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#maintenance.set(id, { resolve, reject });
      send(worker, { kind: 'maintain', id, sql });
    });
  }

  /**
   * Writes a checkpoint and goes on in a new thread, since the memory of an engine never shrinks. Call it only while no
   * client works; sessions that are open are over.
   */
  async renew(): Promise<void> {
    const worker = await this.#worker();
    this.#sessions.clear();
    this.#running = undefined;
    const stopped = this.#end(worker);
    this.#stopped = stopped;
    this.#thread = stopped.then(() => this.#start());
    await this.#thread;
  }

  /** Writes a checkpoint and ends the thread. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #worker(): Promise<Worker> {
    if (this.#closing) throw new EngineError('The embedded database is closed.');
    this.#thread ??= this.#stopped.then(() => this.#start());
    return this.#thread;
  }

  #start(): Promise<Worker> {
    const workerData: EngineThreadData = { cluster: this.#options.cluster, module: engineModule() };
    const worker = new Worker(new URL('./engine-thread.ts', import.meta.url), {
      workerData,
      execArgv: [],
      // The database is outside the heap, and rows pass through it: left alone its young generation grows for minutes.
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    });
    return new Promise((resolve, reject) => {
      let complaint = 'it ended without a word';
      let up = false;
      worker.on('error', (error) => (complaint = error instanceof Error ? error.message : String(error)));
      worker.on('message', (message: FromEngine) => {
        if (message.kind === 'ready') {
          up = true;
          this.#running = worker;
          resolve(worker);
        } else if (message.kind === 'failed') complaint = message.message;
        else this.#receive(message);
      });
      worker.once('exit', () => {
        if (this.#running === worker) {
          if (!this.#closing) this.#options.log(`the embedded database stopped: ${complaint}`);
          this.#lose(fatalError(crashShutdown, `The embedded database stopped: ${complaint}`));
        } else if (!up) {
          // It never came up; the next client tries again.
          this.#thread = undefined;
          reject(new EngineError(`The embedded database could not be opened: ${complaint}`));
        }
      });
    });
  }

  #receive(message: FromEngine): void {
    if (message.kind === 'data') this.#sessions.get(message.session)?.client?.data(message.bytes);
    else if (message.kind === 'done') {
      const session = this.#sessions.get(message.session);
      // The client has its answer a moment before this, and may have sent the next batch already.
      if (!session || --session.running > 0) return;
      clearTimeout(session.timer);
      if (!session.client) this.#sessions.delete(message.session);
    } else if (message.kind === 'maintained') {
      const waiting = this.#maintenance.get(message.id);
      this.#maintenance.delete(message.id);
      if (message.error === undefined) waiting?.resolve(message.memoryBytes);
      else waiting?.reject(new EngineError(message.error));
    }
  }

  #interrupt(worker: Worker): void {
    if (this.#running !== worker) return;
    const seconds = this.#options.statementTimeoutMs / 1000;
    this.#options.log(`a statement ran for more than ${seconds} s: restarting the embedded database`);
    this.#stopped = worker.terminate();
    this.#lose(fatalError(queryCanceled, `canceling statement: it ran for more than ${seconds} s`));
  }

  /** The thread is gone or about to go: tell everyone who waits for it. */
  #lose(error: Uint8Array): void {
    this.#running = undefined;
    this.#thread = undefined;
    for (const { client, timer } of this.#sessions.values()) {
      clearTimeout(timer);
      client?.lost(error);
    }
    this.#sessions.clear();
    for (const { reject } of this.#maintenance.values())
      reject(new EngineError('The embedded database stopped.'));
    this.#maintenance.clear();
  }

  async #close(): Promise<void> {
    const worker = await this.#thread?.catch(() => undefined);
    if (!worker || worker !== this.#running) {
      await this.#stopped;
      return;
    }
    await this.#end(worker);
  }

  async #end(worker: Worker): Promise<void> {
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    send(worker, { kind: 'close' });
    const timer = setTimeout(() => {
      this.#options.log(
        'the embedded database did not close in time; it will recover when it is opened again',
      );
      void worker.terminate();
    }, closeTimeoutMs);
    await exited;
    clearTimeout(timer);
  }
}

function send(worker: Worker, message: ToEngine, transfer: ArrayBuffer[] = []): void {
  worker.postMessage(message, transfer);
}
