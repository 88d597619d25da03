import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { EngineError } from '../errors.ts';
import { wasClosed } from './cluster-format.ts';
import type { EngineThreadData, FromEngine, ToEngine } from './engine-messages.ts';
import { engineModule } from './engine-module.ts';
import { fatalError } from './wire-messages.ts';

interface EngineClient {
  data(bytes: Uint8Array): void;
  /** Ends the session; `error` is the wire protocol message with the reason. */
  lost(error: Uint8Array): void;
}

export interface EngineSession {
  /** Transfers a batch; its bytes belong to the engine from now on. */
  run(batch: Uint8Array<ArrayBuffer>): void;
  /** Maximum milliseconds of each batch from now on, if less than the engine's limit. */
  limit(milliseconds: number): void;
  /** Rolls back open work and resets the client's settings. */
  end(): void;
}

interface EngineOptions {
  /** Folder of the cluster; must exist, and be locked by us. */
  cluster: string;
  statementTimeoutMs: number;
  log: (line: string) => void;
}

interface Session {
  client: EngineClient | undefined;
  limitMs: number;
  /** The thread has started it; it is lost with the thread. */
  begun: boolean;
}

/**
 * One task of the thread; `done` receives the engine's memory in bytes, or the error. A session's end and its batches
 * stay in order with those of the next.
 */
interface Task {
  message: ToEngine;
  session?: Session;
  done?: (end: EngineError | number) => void;
}

/** SQLSTATEs query_canceled (PostgreSQL's for `statement_timeout`), crash_shutdown and disk_full. */
const queryCanceled = '57014';
const crashShutdown = '57P02';
const diskFull = '53100';
const closeTimeoutMs = 30_000;
/** Pause between a failed start and the next. */
const pauseMs = 1_000;

/**
 * The embedded PostgreSQL in its thread. The engine cannot be interrupted from inside: a statement that takes too long,
 * or a crash, costs the thread. That loses only the transaction in progress: waiting clients are served by a new
 * thread, which recovers from the write-ahead log.
 */
export class Engine {
  readonly #options: EngineOptions;
  #thread: Promise<Worker> | undefined;
  #running: Worker | undefined;
  /** Resolves when the last stopped thread has released the files. */
  #stopped: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  readonly #sessions = new Set<Session>();
  #current: Task | undefined;
  #queue: Task[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** Resolves when the engine can take clients; starts it if necessary. Throws EngineError. */
  async ready(): Promise<void> {
    await this.#worker();
  }

  /** Starts the session of a client; call it when ready, and end one session before the next. */
  open(client: EngineClient): EngineSession {
    const session: Session = { client, limitMs: this.#options.statementTimeoutMs, begun: false };
    this.#sessions.add(session);
    return {
      run: (batch) => {
        if (session.client) this.#add({ message: { kind: 'run', batch }, session });
      },
      limit: (milliseconds) => {
        session.limitMs = Math.min(milliseconds, this.#options.statementTimeoutMs);
      },
      end: () => {
        if (!session.client) return;
        session.client = undefined;
        this.#sessions.delete(session);
        this.#add({ message: { kind: 'reset' } });
      },
    };
  }

  /**
   * Runs one internal statement without a time limit; resolves to the engine's memory in bytes. Call it only while no
   * client works.
   */
  async maintain(sql: string): Promise<number> {
    await this.#worker();
    return new Promise((resolve, reject) => {
      const done = (end: EngineError | number): void =>
        typeof end === 'number' ? resolve(end) : reject(end);
      this.#add({ message: { kind: 'maintain', sql }, done });
    });
  }

  /**
   * Writes a checkpoint and continues in a new thread, since the memory of an engine never shrinks. Call it only while
   * no client works; requests are queued meanwhile.
   */
  async renew(): Promise<void> {
    await this.#end(await this.#worker());
    await this.#worker();
  }

  /** Writes a checkpoint and ends the thread. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #add(task: Task): void {
    this.#queue.push(task);
    this.#next();
  }

  #next(): void {
    if (this.#current || this.#queue.length === 0) return;
    const worker = this.#running;
    if (!worker) {
      void this.#worker().then(
        () => this.#next(),
        (error: EngineError) => this.#abandon(this.#queue.splice(0), error),
      );
      return;
    }
    const task = this.#queue.shift()!;
    const { message, session } = task;
    this.#current = task;
    if (message.kind === 'run' && session) {
      session.begun = true;
      const { limitMs } = session;
      this.#timer = setTimeout(() => this.#interrupt(worker, limitMs), limitMs);
      worker.postMessage(message, [message.batch.buffer]);
    } else worker.postMessage(message);
  }

  async #worker(): Promise<Worker> {
    if (this.#closing) throw new EngineError('The embedded database is closed.');
    this.#thread ??= this.#stopped
      .then(() => this.#start())
      .catch((error: unknown) => {
        // The next client retries, after a delay: a disk may be full for hours.
        this.#thread = undefined;
        this.#stopped = sleep(pauseMs);
        throw error;
      });
    return this.#thread;
  }

  #start(): Promise<Worker> {
    const began = performance.now();
    const recovers = !wasClosed(this.#options.cluster);
    const workerData: EngineThreadData = { cluster: this.#options.cluster, module: engineModule() };
    const worker = new Worker(new URL('./engine-thread.ts', import.meta.url), {
      workerData,
      execArgv: [],
      // The database is outside the heap, and rows pass through it: left alone its young generation grows for minutes.
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    });
    return new Promise((resolve, reject) => {
      let complaint = 'it ended without a word';
      let isFull = false;
      let cameUp = false;
      worker.on('error', (error) => (complaint = error instanceof Error ? error.message : String(error)));
      worker.on('message', (message: FromEngine) => {
        if (message.kind === 'ready') {
          cameUp = true;
          const seconds = ((performance.now() - began) / 1000).toFixed(2);
          if (recovers) this.#options.log(`the embedded database recovered and opened in ${seconds} s`);
          this.#running = worker;
          resolve(worker);
        } else if (message.kind === 'failed') {
          complaint = message.message;
          isFull = message.diskFull;
        } else if (this.#running === worker) this.#receive(message);
      });
      worker.once('exit', () => {
        if (this.#running === worker) {
          const isClosing = this.#current?.message.kind === 'close';
          if (!isClosing) this.#options.log(`the embedded database stopped: ${complaint}`);
          this.#lose(new EngineError(`The embedded database stopped: ${complaint}`, { isFull }));
        } else if (!cameUp) {
          reject(new EngineError(`The embedded database could not be opened: ${complaint}`, { isFull }));
        }
      });
    });
  }

  #receive(message: FromEngine): void {
    if (message.kind === 'data') this.#current?.session?.client?.data(message.bytes);
    else if (message.kind === 'done') {
      const task = this.#current;
      this.#current = undefined;
      clearTimeout(this.#timer);
      task?.done?.(message.error === undefined ? message.memoryBytes : new EngineError(message.error));
      this.#next();
    }
  }

  #interrupt(worker: Worker, limitMs: number): void {
    if (this.#running !== worker) return;
    const seconds = limitMs / 1000;
    this.#options.log(`a statement ran for more than ${seconds} s: restarting the embedded database`);
    this.#stopped = worker.terminate();
    const words = `canceling statement: it ran for more than ${seconds} s`;
    this.#lose(new EngineError(words), fatalError(queryCanceled, words));
  }

  /** The thread is gone or about to go: fails the sessions that had begun; the others wait for the next thread. */
  #lose(error: EngineError, answer?: Uint8Array): void {
    this.#running = undefined;
    this.#thread = undefined;
    clearTimeout(this.#timer);
    const lost = [...this.#sessions].filter(({ begun }) => begun);
    const queue = this.#queue.filter(
      // A new thread has no state of disconnected clients.
      ({ session, message }) => message.kind !== 'reset' && !(session && lost.includes(session)),
    );
    const current = this.#current ? [this.#current] : [];
    this.#current = undefined;
    this.#queue = queue;
    this.#abandon(
      [...current, ...lost.map((session) => ({ message: { kind: 'reset' }, session }) as const)],
      error,
      answer,
    );
    this.#next();
  }

  #abandon(tasks: readonly Task[], error: EngineError, answer = asFatal(error)): void {
    for (const { session, done } of tasks) {
      done?.(error);
      const client = session?.client;
      if (!session || !client) continue;
      session.client = undefined;
      this.#sessions.delete(session);
      client.lost(answer);
    }
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
    this.#add({ message: { kind: 'close' } });
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

function asFatal({ message, isFull }: EngineError): Uint8Array {
  return fatalError(isFull ? diskFull : crashShutdown, message);
}
