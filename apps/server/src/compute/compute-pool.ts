import { availableParallelism } from 'node:os';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
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

/** The compute threads of this process: all work on cells is done here, so that the event loop stays free. */
export class ComputePool {
  readonly #pool: Piscina<unknown, Outcome>;
  /** How many tasks run at a time; more of them wait. */
  readonly threads: number;

  constructor(settings: ComputeSettings & { threads?: number | undefined }) {
    const threads = settings.threads ?? Math.max(1, Math.min(4, availableParallelism()));
    this.threads = threads;
    const share: ComputeSettings = {
      objectRoot: settings.objectRoot,
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

  /** Runs a task; a task whose signal aborts stops at its next read. Throws ComputeFailure. */
  async run<T extends Task>(task: T, signal: AbortSignal): Promise<ResultOf<T>> {
    const { port1: remote, port2: local } = new MessageChannel();
    const cancel = () => local.postMessage('cancel');
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const outcome = await this.#pool.run({ task, cancel: remote }, { transferList: [remote] });
      signal.throwIfAborted();
      if (!outcome.ok) throw new ComputeFailure(outcome.tag, outcome.message);
      return outcome.result as ResultOf<T>;
    } finally {
      signal.removeEventListener('abort', cancel);
      local.close();
    }
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}

/** What the services need of the compute threads. */
export type Compute = Pick<ComputePool, 'run' | 'threads'>;
