import type { MatrixParts } from '@cellfolio/store';
import type { WriteOptions } from './gene-major-matrix.ts';
import type { StoreTask } from './transpose-tasks.ts';
import { shareTasks, type TransposeThread } from './transpose-threads.ts';

/** Entries [position, position + count) of a matrix, covering whole genes, and the source a thread reads them from. */
export type StoredRun = Pick<StoreTask, 'position' | 'count' | 'from'>;

/** Lets threads write runs of genes to their places. Rethrows their error once all have stopped. */
export async function storeRuns(
  threads: readonly TransposeThread[],
  runs: readonly StoredRun[],
  parts: MatrixParts,
  { signal, onWritten }: Pick<WriteOptions, 'signal' | 'onWritten'>,
): Promise<void> {
  let written = 0;
  await shareTasks(threads, apart(runs, threads.length), async (thread, run) => {
    signal?.throwIfAborted();
    const { position, count } = run;
    if (count === 0) return;
    const files = await parts.open(position, count);
    await parts.done(await thread.store({ kind: 'store', ...run, files }));
    written += count;
    onWritten?.(written);
  });
}

/** Reorders tasks so that threads which take one after the other work far apart: a file has one writer at a time. */
function apart<T>(tasks: readonly T[], threads: number): T[] {
  const each = Math.ceil(tasks.length / threads);
  return Array.from({ length: each }, (_, i) => i).flatMap((i) =>
    Array.from({ length: threads }, (_, thread) => tasks[thread * each + i]).filter(
      (task) => task !== undefined,
    ),
  );
}
