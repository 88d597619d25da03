import { SharedWork } from '@cellfolio/store';
import pMap from 'p-map';
import type { ProgressEvent } from '@cellfolio/contract';
import type { Compute, TaskCaller } from './compute-pool.ts';
import type { ResultOf, Task } from './task.ts';

/** Call context of a client that waits for a result. */
export interface CallContext extends TaskCaller {
  onProgress: (event: ProgressEvent) => void;
}

/**
 * Runs identical work of several clients once. It counts for all waiting users, so joining never takes longer than a
 * separate run, and all of them get its progress.
 */
export class JoinedWork<T> {
  readonly #work = new SharedWork<string, T>();
  readonly #callers = new Map<string, Set<CallContext>>();

  /** As `SharedWork.run`. */
  async run(key: string, call: CallContext, work: (joined: CallContext) => Promise<T>): Promise<T> {
    const callers = this.#callers.get(key) ?? new Set();
    this.#callers.set(key, callers);
    // A copy: one request may run the same work twice.
    const caller = { ...call };
    callers.add(caller);
    try {
      return await this.#work.run(key, call.signal, (signal) =>
        work({
          signal,
          users: () => [...new Set([...callers].flatMap(({ users }) => users()))],
          onProgress: (event) => callers.forEach(({ onProgress }) => onProgress(event)),
        }),
      );
    } finally {
      callers.delete(caller);
      if (callers.size === 0 && this.#callers.get(key) === callers) this.#callers.delete(key);
    }
  }
}

/** Entries of X in one block: about 50 ms of work, so that other users' figures are drawn between blocks. */
export const blockEntries = 1 << 20;

/**
 * Runs tasks, at most one per thread at a time, so that a long analysis never fills the queue that all users share.
 * Results are in the order of the tasks.
 */
export async function runAll<T extends Task>(
  compute: Compute,
  tasks: readonly T[],
  stage: string,
  call: CallContext,
): Promise<ResultOf<T>[]> {
  const onDone = countProgress(stage, tasks.length, call);
  const run = async (task: T, caller: TaskCaller) => {
    const result = await compute.run(task, caller);
    onDone();
    return result;
  };
  return cancelOnFailure(call, (caller) =>
    pMap(tasks, (task) => run(task, caller), { concurrency: compute.threads }),
  );
}

/**
 * Runs sequences of tasks in parallel. `chain` makes each task after the first from the previous result. Returns the
 * result of each sequence's last task; an empty sequence has none.
 */
export async function runSequences<T extends Task>(
  compute: Compute,
  sequences: readonly (readonly T[])[],
  chain: (task: T, previous: ResultOf<T>) => T,
  { stage, call }: { stage: string; call: CallContext },
): Promise<ResultOf<T>[]> {
  const onDone = countProgress(stage, sequences.flat().length, call);
  const run = async (tasks: readonly T[], caller: TaskCaller) => {
    let result: ResultOf<T> | undefined;
    for (const task of tasks) {
      result = await compute.run(result === undefined ? task : chain(task, result), caller);
      onDone();
    }
    return result;
  };
  const results = await cancelOnFailure(call, (caller) =>
    Promise.all(sequences.map((tasks) => run(tasks, caller))),
  );
  return results.filter((result) => result !== undefined);
}

/** Cancels all other tasks of `work` when one fails. */
async function cancelOnFailure<T>(
  { signal, users }: CallContext,
  work: (caller: TaskCaller) => Promise<T>,
): Promise<T> {
  const failed = new AbortController();
  try {
    return await work({ signal: AbortSignal.any([signal, failed.signal]), users });
  } catch (error) {
    failed.abort();
    throw error;
  }
}

function countProgress(stage: string, total: number, { onProgress }: CallContext): () => void {
  let done = 0;
  onProgress({ stage, done, total });
  return () => onProgress({ stage, done: ++done, total });
}
