import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { BroadcastChannel, MessageChannel } from 'node:worker_threads';
import type { CacheUse } from '@cellfolio/store';
import { Piscina } from 'piscina';
import type { NamedCaches, TaskEnd, TaskObserver, TaskReads } from '../observability/observed.ts';
import { FairQueue, type Turn } from './fair-queue.ts';
import { type ComputeSettings, type Outcome, type ResultOf, type Task, tidy } from './task.ts';
import { ThreadReports } from './thread-reports.ts';

/**
 * A compute task that failed; `tag` is the name of the error class in the thread, `TookTooLong` where it was stopped for
 * that, `OutOfMemory` where its thread was.
 */
export class ComputeFailure extends Error {
  override readonly name = 'ComputeFailure';
  readonly tag: string;

  constructor(tag: string, message: string) {
    super(message);
    this.tag = tag;
  }
}

/** Who waits for a task. */
export interface TaskCaller {
  readonly signal: AbortSignal;
  /** Whose turn it is done in, see `Turn`. */
  readonly users: () => readonly string[];
}

interface WaitingTask extends Turn {
  readonly begin: () => void;
}

/** The compute threads of this process: all work on cells is done here, so that the event loop stays free. */
export class ComputePool {
  #pool: Piscina<unknown, Outcome>;
  readonly #startThreads: () => Piscina<unknown, Outcome>;
  /** Tasks that are under way or wait. */
  #tasks = 0;
  readonly #forgotten: BroadcastChannel;
  readonly #reports = new ThreadReports();
  readonly #taskMilliseconds: number;
  /** How many tasks run at a time; more of them wait. */
  readonly threads: number;

  readonly #observer: TaskObserver | undefined;
  readonly #queue: FairQueue<WaitingTask>;

  constructor(
    settings: Omit<ComputeSettings, 'forgetChannel'> & {
      /** What a thread runs, see `beginThread`. */
      threadModule: string;
      threads?: number | undefined;
      /** What a task may take from when it is begun. */
      taskMilliseconds?: number;
      /** What a thread may take for objects and texts; columns of numbers, whose sizes are known, are beside that. */
      heapBytes?: number;
    },
    observer?: TaskObserver,
  ) {
    this.#observer = observer;
    this.#taskMilliseconds = settings.taskMilliseconds ?? defaultTaskMilliseconds;
    // Two also on one core, so that long work of one user leaves a thread to the others.
    const threads = settings.threads ?? Math.max(2, Math.min(4, availableParallelism()));
    this.threads = threads;
    this.#queue = new FairQueue(threads);
    const forgetChannel = `cellfolio-forget-${randomUUID()}`;
    this.#forgotten = new BroadcastChannel(forgetChannel);
    this.#forgotten.unref();
    const share: ComputeSettings = {
      forgetChannel,
      objects: settings.objects,
      openDatasets: settings.openDatasets,
      expressionCacheBytes: Math.floor(settings.expressionCacheBytes / threads),
    };
    this.#startThreads = () =>
      new Piscina({
        filename: settings.threadModule,
        workerData: share,
        // The one that is left to others has to be there: a new one takes seconds until it is warm, on a busy machine.
        minThreads: Math.min(2, threads),
        maxThreads: threads,
        idleTimeout: 60_000,
        resourceLimits: {
          // What a thread works on are columns outside its heap. Left alone its young generation grows to some seventy
          // mebibytes within minutes and keeps them.
          maxYoungGenerationSizeMb: 16,
          ...(settings.heapBytes && { maxOldGenerationSizeMb: settings.heapBytes / 2 ** 20 }),
        },
      });
    this.#pool = this.#startThreads();
  }

  /** Tasks that wait for a thread. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** How the caches are used that threads have; `own`: the use of the cache on the disk outside of them. */
  caches(own: CacheUse | undefined): NamedCaches {
    return this.#reports.caches(new Set(this.#pool.threads.map(({ threadId }) => threadId)), own);
  }

  /**
   * Runs a task when it is its turn. One whose signal aborts, or that takes too long, stops at its next read; where it takes
   * too long and does not stop, its thread is ended and another one takes its place. Throws ComputeFailure.
   */
  async run<T extends Task>(task: T, { signal, users }: TaskCaller): Promise<ResultOf<T>> {
    const observed = this.#observer?.begin(task.kind);
    this.#tasks += 1;
    try {
      const turn = await this.#turn({ users, isLong: task.isLong === true }, signal).catch(
        (error: unknown) => {
          observed?.end('cancelled', undefined);
          throw error;
        },
      );
      try {
        return await this.#runNow(task, signal, observed);
      } finally {
        this.#queue.end(turn);
        this.#beginNext();
      }
    } finally {
      this.#tasks -= 1;
    }
  }

  /** Throws the signal's reason where it aborts before. */
  async #turn(asked: Turn, signal: AbortSignal): Promise<WaitingTask> {
    signal.throwIfAborted();
    const begun = Promise.withResolvers<void>();
    const turn = { ...asked, begin: begun.resolve };
    const leave = () => {
      if (this.#queue.remove(turn)) begun.reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#queue.add(turn);
    this.#beginNext();
    try {
      await begun.promise;
      return turn;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #beginNext(): void {
    for (let next = this.#queue.begin(); next; next = this.#queue.begin()) next.begin();
  }

  async #runNow<T extends Task>(
    task: T,
    signal: AbortSignal,
    observed: ReturnType<TaskObserver['begin']> | undefined,
  ): Promise<ResultOf<T>> {
    const { port1: remote, port2: local } = new MessageChannel();
    const cancel = () => local.postMessage('cancel');
    signal.addEventListener('abort', cancel, { once: true });
    const limit = new TaskLimit(this.#taskMilliseconds, cancel);
    // The thread says when it begins: what waits for a thread to be made is not late.
    local.on('message', () => limit.begin());
    let end: TaskEnd = 'failed';
    let reads: TaskReads | undefined;
    try {
      signal.throwIfAborted();
      const keepReads = observed?.keepReads ?? false;
      const outcome = await this.#pool.run(
        { task, cancel: remote, keepReads },
        { transferList: [remote], signal: limit.endThread },
      );
      reads = outcome.reads;
      this.#reports.add(outcome.thread);
      signal.throwIfAborted();
      if (!outcome.ok) throw new ComputeFailure(outcome.tag, outcome.message);
      end = 'done';
      return outcome.result as ResultOf<T>;
    } catch (error) {
      if (!limit.passed || signal.aborted) throw threadFailure(error) ?? error;
      end = 'too long';
      throw tookTooLong(this.#taskMilliseconds);
    } finally {
      limit.clear();
      observed?.end(signal.aborted ? 'cancelled' : end, reads);
      signal.removeEventListener('abort', cancel);
      local.close();
    }
  }

  /**
   * Lets all threads forget a dataset. A busy one does so before its next task; those that sleep are woken, so that
   * nothing is held in memory or open on the disk of a dataset that is gone.
   */
  async forget(datasetId: string): Promise<void> {
    this.#forgotten.postMessage(datasetId);
    const caller = { signal: new AbortController().signal, users: () => [] };
    await Promise.all(this.#pool.threads.map(() => this.run({ kind: tidy }, caller)));
  }

  /**
   * Goes on with a fresh thread in the place of those that are there: their heaps, what they have open and what they
   * have read. Returns whether it did: while a task is under way it does nothing.
   */
  async renew(): Promise<boolean> {
    if (this.#tasks > 0) return false;
    const old = this.#pool;
    this.#pool = this.#startThreads();
    await old.close();
    return true;
  }

  async close(): Promise<void> {
    this.#forgotten.close();
    await this.#pool.close();
  }
}

/** What the services need of the compute threads. */
export type Compute = Pick<ComputePool, 'run' | 'threads'>;

/** For tests and benchmarks; a server passes its own. */
const defaultTaskMilliseconds = 60_000;

function tookTooLong(milliseconds: number): ComputeFailure {
  return new ComputeFailure(
    'TookTooLong',
    `This took longer than the ${milliseconds / 1000} seconds that one piece of work may take, and was stopped. Choose fewer cells, groups or genes, or try again when the server is less busy.`,
  );
}

/** What ended a whole thread; undefined for all other errors. */
function threadFailure(error: unknown): ComputeFailure | undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return undefined;
  return new ComputeFailure(
    'OutOfMemory',
    'This needed more memory than the server has for one piece of work. Choose fewer cells, groups or genes, or try again later.',
  );
}

/** Maximum time that a task gets to stop after its timeout. */
const maxGraceMilliseconds = 2000;

/** The time that one task may take. */
class TaskLimit {
  readonly #milliseconds: number;
  readonly #ask: () => void;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #passed = false;

  /** @param ask tells the task to stop */
  constructor(milliseconds: number, ask: () => void) {
    this.#milliseconds = milliseconds;
    this.#ask = ask;
  }

  /** Aborts when the task has not stopped after its timeout. */
  get endThread(): AbortSignal {
    return this.#end.signal;
  }

  get passed(): boolean {
    return this.#passed;
  }

  begin(): void {
    this.#timer = setTimeout(() => {
      this.#passed = true;
      this.#ask();
      this.#timer = setTimeout(() => this.#end.abort(), Math.min(maxGraceMilliseconds, this.#milliseconds));
    }, this.#milliseconds);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
