import { type EntryTarget, ShapeMismatch, StoreWriteFailed } from '@cellfolio/store/worker';
import { Worker } from 'node:worker_threads';
import type { WrittenPart } from '@cellfolio/store';
import { H5adError } from '../h5ad-error.ts';
import type { CountedRows, CountTask, ScatterTask } from './gene-passes.ts';
import { MemorySpill, FileSpill, type Spill } from './spill.ts';
import { TransposeJob } from './transpose-job.ts';
import type { BatchRecord, GatherTask, JobSetting, SortTask, StoreTask } from './transpose-tasks.ts';
import type { WorkerReply, WorkerTask } from './transpose-worker.ts';
import type { ValueStatistics } from './value-statistics.ts';

/** One thread of the transposition, or the calling thread as a substitute. One call at a time. */
export interface TransposeThread {
  sort(task: SortTask): Promise<BatchRecord>;
  sum(task: SortTask): Promise<ValueStatistics>;
  records(records: readonly BatchRecord[]): Promise<void>;
  gather(task: GatherTask): Promise<void>;
  count(task: CountTask): Promise<CountedRows>;
  scatter(task: ScatterTask): Promise<void>;
  target(target: EntryTarget): Promise<void>;
  store(task: StoreTask): Promise<WrittenPart>;
  close(): Promise<void>;
}

/** Works in the calling thread, yielding between tasks. */
export async function inlineThread(
  setting: JobSetting,
  descriptors: readonly number[],
): Promise<TransposeThread> {
  const spills: Spill[] =
    descriptors.length === 0 ? [new MemorySpill()] : descriptors.map((d) => new FileSpill(d));
  const job = await TransposeJob.open(setting, spills);
  let batchRecords: readonly BatchRecord[] = [];
  const later = <T>(work: () => T) =>
    new Promise<T>((resolve, reject) => {
      setImmediate(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  return {
    sort: (task) => later(() => job.sort(task)),
    sum: (task) => later(() => job.sum(task)),
    async records(records) {
      batchRecords = records;
    },
    gather: (task) => later(() => job.gather(task, batchRecords)),
    count: (task) => later(() => job.count(task)),
    scatter: (task) => later(() => job.scatter(task)),
    target: (target) => later(() => job.target(target)),
    store: (task) => later(() => job.store(task, batchRecords)),
    async close() {
      job.close();
    },
  };
}

export function workerThread(setting: JobSetting, descriptors: readonly number[]): TransposeThread {
  const worker = new Worker(new URL('./transpose-worker.ts', import.meta.url), {
    workerData: { setting, descriptors },
    // Buffers are typed arrays outside the heap; a small young generation keeps the thread small.
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  });
  let pending: { resolve(value: unknown): void; reject(error: Error): void }[] = [];
  const fail = (error: Error) => {
    for (const { reject } of pending) reject(error);
    pending = [];
  };
  worker.on('message', (reply: WorkerReply) => {
    const next = pending.shift();
    if ('result' in reply) next?.resolve(reply.result);
    else next?.reject(errorOf(reply));
  });
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => fail(new Error('the thread ended before its work was done')));
  const call = (task: WorkerTask) =>
    new Promise<unknown>((resolve, reject) => {
      pending.push({ resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(task);
    });
  return {
    sort: (task) => call(task) as Promise<BatchRecord>,
    sum: (task) => call(task) as Promise<ValueStatistics>,
    records: (records) => call({ kind: 'records', records: [...records] }) as Promise<void>,
    gather: (task) => call(task) as Promise<void>,
    count: (task) => call(task) as Promise<CountedRows>,
    scatter: (task) => call(task) as Promise<void>,
    target: (target) => call({ kind: 'target', target }) as Promise<void>,
    store: (task) => call(task) as Promise<WrittenPart>,
    async close() {
      await worker.terminate();
    },
  };
}

function errorOf(reply: Exclude<WorkerReply, { result: unknown }>): Error {
  if ('h5adError' in reply) return new H5adError(reply.h5adError);
  if ('shapeMismatch' in reply)
    return new ShapeMismatch(reply.shapeMismatch.path, reply.shapeMismatch.reason);
  if ('writeFailed' in reply) {
    const { path, error, code } = reply.writeFailed;
    return new StoreWriteFailed(path, { cause: Object.assign(new Error(error), { code }) });
  }
  return Object.assign(new Error(reply.error), { code: reply.code });
}

/** Each free thread takes the next task; the first failure stops them all, and is thrown when all have stopped. */
export async function shareTasks<Thread, Task>(
  threads: readonly Thread[],
  tasks: readonly Task[],
  work: (thread: Thread, task: Task, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const failures: unknown[] = [];
  const run = async (thread: Thread) => {
    try {
      while (next < tasks.length) {
        const index = next++;
        await work(thread, tasks[index]!, index);
      }
    } catch (error) {
      next = tasks.length;
      failures.push(error);
    }
  };
  await Promise.all(threads.map(run));
  if (failures.length > 0) throw failures[0];
}
