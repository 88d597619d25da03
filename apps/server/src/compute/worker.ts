import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { FileObjectStore } from '@cellfolio/store';
import { draw } from './draw.ts';
import { OpenDatasets } from './open-datasets.ts';
import type { ComputeSettings, Outcome, Task } from './task.ts';

const settings = workerData as ComputeSettings;
const datasets = new OpenDatasets(new FileObjectStore(settings.objectRoot), {
  datasets: settings.openDatasets,
  cacheBytes: settings.expressionCacheBytes,
});

/** Entry point of a compute thread. Any message on `cancel` aborts the task. */
export default async function work({ task, cancel }: { task: Task; cancel: MessagePort }): Promise<Outcome> {
  const controller = new AbortController();
  // A task that was cancelled while it waited in the queue has its message here already.
  if (receiveMessageOnPort(cancel)) controller.abort();
  cancel.once('message', () => controller.abort());
  try {
    controller.signal.throwIfAborted();
    const dataset = await datasets.get(task.dataset);
    return { ok: true, figure: await draw(task, dataset, controller.signal) };
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    return { ok: false, tag: failure.name, message: failure.message };
  } finally {
    cancel.close();
  }
}
