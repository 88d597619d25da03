import { randomUUID } from 'node:crypto';
import { jobWaits, requeueAll, takeJob } from '../job-table.ts';
import { type Lane, lanes } from '../kinds/job-kind.ts';
import { kindsIn } from '../kinds/job-kinds.ts';
import { runJob, type RunDeps } from './run-job.ts';
import { LogOnce } from './run-progress.ts';

interface JobWorkerOptions extends Omit<RunDeps, 'convertInTurn'> {
  /** Maximum concurrent heavy jobs; one inspection and the downloads run beside them. */
  heavyJobs: number;
  /** Removes the data of a deleted file's dataset; may be called repeatedly. */
  removeDataset: (fileId: string) => Promise<void>;
}

/** Maximum concurrent downloads. A user has at most one: those from a few slow servers leave slots for others. */
export const downloadPlaces = 8;
const pollMs = 1000;
/** Datasets removed between two job polls. */
const removalBatch = 50;

const deletedFiles = `cellfolio.custom_datasets dataset
  where outdated and not exists (select from public.user_files file where file.id = dataset.file_id)`;

/** Takes and runs jobs, and removes datasets of deleted files. Any number of processes may run one. */
export class JobWorker {
  readonly #options: JobWorkerOptions;
  readonly #shutdown = new AbortController();
  readonly #running: Readonly<Record<Lane, Set<Promise<void>>>> = {
    inspect: new Set(),
    download: new Set(),
    heavy: new Set(),
  };
  #wake: () => void = () => {};
  #woken = false;
  #loop: Promise<void> | undefined;
  #conversion: Promise<unknown> = Promise.resolve();

  constructor(options: JobWorkerOptions) {
    this.#options = options;
  }

  /** Resolves when the resources of dead processes have been released, or when it is closed before that. */
  start(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#loop ??= this.#work(resolve).finally(resolve);
    return promise;
  }

  /** Wakes the worker: there may be a job. */
  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  /** Stops within seconds; running jobs are requeued. */
  async close(): Promise<void> {
    this.#shutdown.abort();
    this.wake();
    await this.#loop;
    await Promise.all(lanes.flatMap((lane) => [...this.#running[lane]]));
  }

  async #work(onReady: () => void): Promise<void> {
    const { signal } = this.#shutdown;
    const { database } = this.#options;
    const log = new LogOnce((error) => this.#options.logError(error, 'queue'));
    let ready = false;
    while (!signal.aborted) {
      this.#woken = false;
      try {
        if (!ready && database.kind === 'embedded') await requeueAll(database);
        ready = true;
        onReady();
        await this.#round();
        log.succeeded();
      } catch (error) {
        log.failed(error);
      }
      if (!this.#woken && !signal.aborted) await this.#rest();
    }
  }

  async #round(): Promise<void> {
    const { pool } = this.#options.database;
    const { rows } = await pool.query<{ jobs: boolean; deleted: boolean }>(
      `select ${jobWaits} as jobs, exists (select from ${deletedFiles}) as deleted`,
    );
    if (rows[0]?.jobs) for (const lane of lanes) await this.#fill(lane);
    if (rows[0]?.deleted) await this.#removeDatasets();
  }

  async #fill(lane: Lane): Promise<void> {
    const running = this.#running[lane];
    const { database, heavyJobs, leaseSeconds } = this.#options;
    const limits = { inspect: 1, download: downloadPlaces, heavy: heavyJobs };
    while (running.size < limits[lane] && !this.#shutdown.signal.aborted) {
      const claimedRun = await takeJob(database, kindsIn(lane), randomUUID(), leaseSeconds);
      if (!claimedRun) return;
      const run = runJob(
        { ...this.#options, convertInTurn: this.#convertInTurn },
        claimedRun,
        this.#shutdown.signal,
      ).finally(() => {
        running.delete(run);
        this.wake();
      });
      running.add(run);
    }
  }

  async #removeDatasets(): Promise<void> {
    const { database, removeDataset } = this.#options;
    const { rows } = await database.pool.query<{ file_id: string }>(
      `select file_id from ${deletedFiles} limit ${removalBatch}`,
    );
    for (const { file_id } of rows) {
      await removeDataset(file_id);
      // Last: whoever dies before does it all again.
      await database.pool.query(`delete from ${deletedFiles} and file_id = $1`, [file_id]);
    }
  }

  /** Many downloads wait for servers concurrently, but a conversion takes the memory of a job. */
  readonly #convertInTurn: RunDeps['convertInTurn'] = (work) => {
    const turn = this.#conversion.then(work);
    this.#conversion = turn.catch(() => undefined);
    return turn;
  };

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
