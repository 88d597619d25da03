import { SharedWork } from '@cellfolio/store';
import type { ProgressEvent } from '../progress/progress-relay.ts';
import type { Compute, TaskCaller } from './compute-pool.ts';
import type { ResultOf, Task } from './task.ts';

/** Who waits for a piece of work. */
export interface Waiting extends TaskCaller {
  readonly onProgress: (event: ProgressEvent) => void;
}

/**
 * Identical work of several callers, done once in the name of all who wait for it at the time: whoever joins what
 * another has asked for waits no longer than for work of their own, and hears of its progress.
 */
export class JoinedWork<T> {
  readonly #work = new SharedWork<string, T>();
  readonly #callers = new Map<string, Set<Waiting>>();

  /** As `SharedWork.run`. */
  async run(key: string, waiting: Waiting, work: (joined: Waiting) => Promise<T>): Promise<T> {
    const callers = this.#callers.get(key) ?? new Set();
    this.#callers.set(key, callers);
    // A call may ask twice for the same.
    const caller = { ...waiting };
    callers.add(caller);
    try {
      return await this.#work.run(key, waiting.signal, (signal) =>
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

/** Entries of X in one block: some 50 ms of work, so that other callers' figures come in between. */
export const blockEntries = 1 << 20;

/**
 * Runs tasks, as many at a time as there are threads and no more, so that a long analysis never fills the
 * queue that all callers share. Results are in the order of the tasks.
 */
export async function runAll<T extends Task>(
  compute: Compute,
  tasks: readonly T[],
  stage: string,
  waiting: Waiting,
): Promise<ResultOf<T>[]> {
  const results = new Array<ResultOf<T>>(tasks.length);
  const onDone = countingOf(stage, tasks.length, waiting);
  let next = 0;
  const lane = async (caller: TaskCaller) => {
    while (next < tasks.length) {
      const at = next++;
      results[at] = await compute.run(tasks[at]!, caller);
      onDone();
    }
  };
  await sideBySide(
    Array.from({ length: Math.min(compute.threads, tasks.length) }, () => lane),
    waiting,
  );
  return results;
}

/**
 * Runs sequences of tasks side by side; all tasks of one but the first are as `onto` makes them from the result of the
 * one before. Results are those of the last tasks, in the order of the sequences; an empty sequence has none.
 */
export async function runSequences<T extends Task>(
  compute: Compute,
  sequences: readonly (readonly T[])[],
  onto: (task: T, before: ResultOf<T>) => T,
  { stage, waiting }: { stage: string; waiting: Waiting },
): Promise<ResultOf<T>[]> {
  const results: (ResultOf<T> | undefined)[] = [];
  const onDone = countingOf(stage, sequences.flat().length, waiting);
  const lanes = sequences.map((tasks, place) => async (caller: TaskCaller) => {
    for (const task of tasks) {
      const before = results[place];
      results[place] = await compute.run(before === undefined ? task : onto(task, before), caller);
      onDone();
    }
  });
  await sideBySide(lanes, waiting);
  return results.filter((result) => result !== undefined);
}

/** The first failure stops the other lanes. */
async function sideBySide(
  lanes: readonly ((caller: TaskCaller) => Promise<void>)[],
  { signal, users }: Waiting,
): Promise<void> {
  const failed = new AbortController();
  const caller = { signal: AbortSignal.any([signal, failed.signal]), users };
  try {
    await Promise.all(lanes.map((lane) => lane(caller)));
  } catch (error) {
    failed.abort();
    throw error;
  }
}

function countingOf(stage: string, total: number, { onProgress }: Waiting): () => void {
  let done = 0;
  onProgress({ stage, done, total });
  return () => onProgress({ stage, done: ++done, total });
}
