import type { Compute, TaskCaller } from '../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../runtime/compute/open-datasets.ts';
import type { Task, TaskKind } from '../runtime/compute/task.ts';
import { runTask } from '../runtime/compute/thread.ts';

export function inlineCompute(
  kinds: readonly TaskKind[],
  datasets: OpenDatasets,
  onTask: (kind: string, task: Task) => void = () => {},
  threads = 1,
): Compute {
  const run = async (task: Task, { signal }: TaskCaller) => {
    onTask(task.kind, task);
    const kind = kinds.find((one) => one.kind === task.kind);
    if (!kind) throw new Error(`unexpected task ${task.kind}`);
    return runTask(kind, task, task.dataset && (await datasets.get(task.dataset)), signal);
  };
  return { threads, run } as unknown as Compute;
}
