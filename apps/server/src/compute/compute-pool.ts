import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { BroadcastChannel, MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { TaskReads } from './read-log.ts';
import type { ComputeSettings, Outcome, ResultOf, Task } from './task.ts';

/** A compute task that failed; `tag` is the name of the error class in the thread. */
export class ComputeFailure extends Error {
  override readonly name = 'ComputeFailure';
  readonly tag: string;

  constructor(tag: string, message: string) {
    super(message);
    this.tag = tag;
  }
}

export type TaskEnd = 'done' | 'failed' | 'cancelled';

/** Hears of every task, for metrics and traces. */
export interface TaskObserver {
  begin(kind: Task['kind']): {
    /** Each read is to be told, not only how many there were. */
    readonly keepReads: boolean;
    /** `reads` where the thread still told them. */
    end(how: TaskEnd, reads: TaskReads | undefined): void;
  };
}

/** The compute threads of this process: all work on cells is done here, so that the event loop stays free. */
export class ComputePool {
  readonly #pool: Piscina<unknown, Outcome>;
  readonly #forgotten: BroadcastChannel;
  /** How many tasks run at a time; more of them wait. */
  readonly threads: number;

  readonly #observer: TaskObserver | undefined;

  constructor(
    settings: Omit<ComputeSettings, 'forgetChannel'> & { threads?: number | undefined },
    observer?: TaskObserver,
  ) {
    this.#observer = observer;
    const threads = settings.threads ?? Math.max(1, Math.min(4, availableParallelism()));
    this.threads = threads;
    const forgetChannel = `cellfolio-forget-${randomUUID()}`;
    this.#forgotten = new BroadcastChannel(forgetChannel);
    this.#forgotten.unref();
    const share: ComputeSettings = {
      forgetChannel,
      objects: settings.objects,
      openDatasets: settings.openDatasets,
      expressionCacheBytes: Math.floor(settings.expressionCacheBytes / threads),
    };
    this.#pool = new Piscina({
      filename: new URL('./worker.ts', import.meta.url).href,
      workerData: share,
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: 60_000,
    });
  }

  /** Tasks that wait for a thread. */
  get waiting(): number {
    return this.#pool.queueSize;
  }

  /** Runs a task; a task whose signal aborts stops at its next read. Throws ComputeFailure. */
  async run<T extends Task>(task: T, signal: AbortSignal): Promise<ResultOf<T>> {
    const { port1: remote, port2: local } = new MessageChannel();
    const cancel = () => local.postMessage('cancel');
    signal.addEventListener('abort', cancel, { once: true });
    const observed = this.#observer?.begin(task.kind);
    let end: TaskEnd = 'failed';
    let reads: TaskReads | undefined;
    try {
      const keepReads = observed?.keepReads ?? false;
      const outcome = await this.#pool.run({ task, cancel: remote, keepReads }, { transferList: [remote] });
      reads = outcome.reads;
      signal.throwIfAborted();
      if (!outcome.ok) throw new ComputeFailure(outcome.tag, outcome.message);
      end = 'done';
      return outcome.result as ResultOf<T>;
    } finally {
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
    const never = new AbortController().signal;
    await Promise.all(this.#pool.threads.map(() => this.run({ kind: 'tidy' }, never)));
  }

  async close(): Promise<void> {
    this.#forgotten.close();
    await this.#pool.close();
  }
}

/** What the services need of the compute threads. */
export type Compute = Pick<ComputePool, 'run' | 'threads'>;
