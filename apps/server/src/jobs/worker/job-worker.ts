import { whatWaits, dispatchEvents, sendJobs } from '../queue/dispatch.ts';
import { type JobQueue, type QueuedJob, type QueueName, queueNames } from '../queue/job-queue.ts';
import { runJob, type RunParts } from './run-job.ts';
import { ToldOnce } from './told-once.ts';

export interface JobWorkerOptions extends RunParts {
  /** Heavy jobs at a time; one inspection goes on beside them. */
  readonly heavyJobs: number;
  /** Removes what is kept of the dataset of a file that is gone; may be called again. */
  readonly removeDataset: (fileId: string) => Promise<void>;
}

const pollMs = 1000;
/** The queue is asked so often although nothing is known to wait: a job of a worker that died waits there. */
const askAnywayMs = 5000;

/** Takes jobs and does them, and makes those that follow from files that come and go. Any number of processes may. */
export class JobWorker {
  readonly #options: JobWorkerOptions;
  readonly #queue: JobQueue;
  readonly #shutdown = new AbortController();
  readonly #running: Record<QueueName, Set<Promise<void>>> = { inspect: new Set(), heavy: new Set() };
  #wake: () => void = () => {};
  #woken = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #loop: Promise<void> | undefined;

  constructor(options: JobWorkerOptions) {
    this.#options = options;
    this.#queue = options.queue;
  }

  /** Resolves when what dead processes left is free again, or when it is closed before that. */
  start(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#loop ??= this.#work(resolve).finally(resolve);
    return promise;
  }

  /** There may be something to do. */
  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  /** Stops within seconds; what is under way is handed back. */
  async close(): Promise<void> {
    this.#shutdown.abort();
    this.wake();
    await this.#loop;
    await Promise.all(queueNames.flatMap((name) => [...this.#running[name]]));
    await this.#queue.stop();
  }

  async #work(onReady: () => void): Promise<void> {
    const { signal } = this.#shutdown;
    const log = new ToldOnce((error) => this.#options.logError(error, 'queue'));
    let ready = false;
    while (!signal.aborted) {
      this.#woken = false;
      try {
        if (!ready) await this.#resume();
        ready = true;
        onReady();
        await this.#round();
        log.wentWell();
      } catch (error) {
        log.failed(error);
      }
      if (!this.#woken && !signal.aborted) await this.#rest();
    }
  }

  /** After the death of the process that had the embedded database before, its jobs are free at once. */
  async #resume(): Promise<void> {
    const { database } = this.#options;
    if (!(await this.#openIfThere()) || database.kind !== 'embedded') return;
    const { rows } = await database.pool.query<Pick<QueuedJob, 'id' | 'kind'>>(
      `select id, kind from cellfolio.jobs where state = 'running'`,
    );
    await this.#queue.handBackAll(rows);
    await database.pool.query(
      `update cellfolio.jobs set state = 'queued', run_token = null, stage = null where id = any($1)`,
      [rows.map(({ id }) => id)],
    );
  }

  async #round(): Promise<void> {
    const { database, removeDataset } = this.#options;
    const parts = { database, queue: this.#queue, removeDataset };
    let waiting = await whatWaits(database);
    if (waiting.events) {
      await dispatchEvents(parts);
      waiting = await whatWaits(database);
    }
    if (waiting.unsent) await sendJobs(parts);
    const ask = waiting.unsent || waiting.queued || performance.now() - this.#askedAt > askAnywayMs;
    if (!ask) return;
    this.#askedAt = performance.now();
    if (!(await this.#openIfThere())) return;
    for (const name of queueNames) await this.#fill(name);
  }

  /** Another process may have made the queue since this one began. Whether it is open. */
  async #openIfThere(): Promise<boolean> {
    if (!this.#queue.isOpen && (await this.#queue.exists())) await this.#queue.open();
    return this.#queue.isOpen;
  }

  async #fill(name: QueueName): Promise<void> {
    const running = this.#running[name];
    const most = name === 'heavy' ? this.#options.heavyJobs : 1;
    while (running.size < most && !this.#shutdown.signal.aborted) {
      const claim = await this.#queue.fetch(name);
      if (!claim) return;
      const run = runJob(this.#options, claim, this.#shutdown.signal).finally(() => {
        running.delete(run);
        this.wake();
      });
      running.add(run);
    }
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
