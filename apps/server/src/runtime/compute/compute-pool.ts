import { randomUUID } from 'node:crypto';
import { BroadcastChannel, MessageChannel } from 'node:worker_threads';
import type { CacheUse } from '@cellfolio/store';
import { Piscina } from 'piscina';
import type { NamedCaches, TaskEnd, TaskObserver, TaskReads } from '../observability/observed.ts';
import { FairQueue, type Turn } from './fair-queue.ts';
import { type ComputeSettings, type Outcome, type ResultOf, type Task, tidy } from './task.ts';
import { ThreadReports } from './thread-reports.ts';

/** A failed compute task. `tag` is the name of the error class in the thread, `TookTooLong` or `OutOfMemory`. */
export class ComputeFailure extends Error {
  override readonly name = 'ComputeFailure';
  readonly tag: string;

  constructor(tag: string, message: string) {
    super(message);
    this.tag = tag;
  }
}

export interface TaskCaller {
  signal: AbortSignal;
  /** As in `Turn`. */
  users: () => readonly string[];
}

interface WaitingTask extends Turn {
  begin: () => void;
}

/** The compute threads of this process: all work on cells is done here, so that the event loop stays free. */
export class ComputePool {
  #pool: Piscina<unknown, Outcome>;
  readonly #startThreads: () => Piscina<unknown, Outcome>;
  #tasks = 0;
  readonly #forgotten: BroadcastChannel;
  readonly #reports = new ThreadReports();
  readonly #taskMilliseconds: number;
  readonly threads: number;

  readonly #observer: TaskObserver | undefined;
  readonly #queue: FairQueue<WaitingTask>;

  constructor(
    settings: Omit<ComputeSettings, 'forgetChannel'> & {
      threadModule: string;
      threads: number;
      taskMilliseconds?: number;
      /** Limit of a thread's JavaScript heap; typed arrays are outside of it. */
      heapBytes?: number;
    },
    observer?: TaskObserver,
  ) {
    this.#observer = observer;
    this.#taskMilliseconds = settings.taskMilliseconds ?? defaultTaskMilliseconds;
    const { threads } = settings;
    this.threads = threads;
    this.#queue = new FairQueue(threads);
    const forgetChannel = `cellfolio-forget-${randomUUID()}`;
    this.#forgotten = new BroadcastChannel(forgetChannel);
    this.#forgotten.unref();
    const share: ComputeSettings = {
      forgetChannel,
      warmFigures: settings.warmFigures,
      objects: settings.objects,
      openDatasets: settings.openDatasets,
      expressionCacheBytes: Math.floor(settings.expressionCacheBytes / threads),
    };
    this.#startThreads = () =>
      new Piscina({
        filename: settings.threadModule,
        workerData: share,
        // A new thread needs seconds to warm up on a busy machine, so the one for other users is kept.
        minThreads: Math.min(2, threads),
        maxThreads: threads,
        idleTimeout: 60_000,
        resourceLimits: {
          // Without a limit the young generation grows to 70 MiB within minutes and stays there.
          maxYoungGenerationSizeMb: 16,
          ...(settings.heapBytes && { maxOldGenerationSizeMb: settings.heapBytes / 2 ** 20 }),
        },
      });
    this.#pool = this.#startThreads();
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Statistics of the threads' caches; `own`: of the disk cache as used by the main thread. */
  caches(own: CacheUse | undefined): NamedCaches {
    return this.#reports.caches(new Set(this.#pool.threads.map(({ threadId }) => threadId)), own);
  }

  /**
   * Runs a task when its turn comes. A task that is cancelled or times out stops at its next read; if it does not stop
   * after a timeout, its thread is replaced. Throws ComputeFailure.
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

  /** Waits for a thread. Throws the signal's reason when it aborts first. */
  async #turn(requested: Turn, signal: AbortSignal): Promise<WaitingTask> {
    signal.throwIfAborted();
    const begun = Promise.withResolvers<void>();
    const turn = { ...requested, begin: begun.resolve };
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
    // The time that it takes to start a thread does not count.
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
   * Makes all threads close a deleted dataset and drop it from their caches: a busy thread before its next task, an idle
   * one at once.
   */
  async forget(datasetId: string): Promise<void> {
    this.#forgotten.postMessage(datasetId);
    const caller = { signal: new AbortController().signal, users: () => [] };
    await Promise.all(this.#pool.threads.map(() => this.run({ kind: tidy }, caller)));
  }

  /** Replaces the threads, with their heaps and caches, by new ones. Returns false, and does nothing, while a task runs. */
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

export type Compute = Pick<ComputePool, 'run' | 'threads'>;

const defaultTaskMilliseconds = 60_000;

function tookTooLong(milliseconds: number): ComputeFailure {
  return new ComputeFailure(
    'TookTooLong',
    `This took longer than the limit of ${milliseconds / 1000} seconds and was stopped. Choose fewer cells, groups or genes, or try again when the server is less busy.`,
  );
}

/** The failure when a whole thread died; undefined for other errors. */
function threadFailure(error: unknown): ComputeFailure | undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return undefined;
  return new ComputeFailure(
    'OutOfMemory',
    'This needed more memory than the server has for one analysis. Choose fewer cells, groups or genes, or try again later.',
  );
}

const maxGraceMilliseconds = 2000;

class TaskLimit {
  readonly #milliseconds: number;
  readonly #cancel: () => void;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #passed = false;

  constructor(milliseconds: number, cancel: () => void) {
    this.#milliseconds = milliseconds;
    this.#cancel = cancel;
  }

  /** Aborts when the task did not stop within the grace time after its timeout. */
  get endThread(): AbortSignal {
    return this.#end.signal;
  }

  get passed(): boolean {
    return this.#passed;
  }

  begin(): void {
    this.#timer = setTimeout(() => {
      this.#passed = true;
      this.#cancel();
      this.#timer = setTimeout(() => this.#end.abort(), Math.min(maxGraceMilliseconds, this.#milliseconds));
    }, this.#milliseconds);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
