import type { Compute } from '../compute/compute-pool.ts';
import type { ResultOf, Task } from '../compute/task.ts';
import type { Waiting } from './selection.ts';

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
  { signal, users, onProgress }: Waiting,
): Promise<ResultOf<T>[]> {
  const results = new Array<ResultOf<T>>(tasks.length);
  // The first failure stops the other lanes.
  const failed = new AbortController();
  const lane = { signal: AbortSignal.any([signal, failed.signal]), users };
  let next = 0;
  let done = 0;
  onProgress({ stage, done, total: tasks.length });
  const run = async () => {
    while (next < tasks.length) {
      const at = next++;
      results[at] = await compute.run(tasks[at]!, lane);
      onProgress({ stage, done: ++done, total: tasks.length });
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(compute.threads, tasks.length) }, run));
  } catch (error) {
    failed.abort();
    throw error;
  }
  return results;
}
