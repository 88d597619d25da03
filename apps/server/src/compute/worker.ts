import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { DatasetDamaged, FileObjectStore } from '@cellfolio/store';
import { draw } from './draw.ts';
import { OpenDatasets } from './open-datasets.ts';
import { warmUp } from './warm-up.ts';
import type { ComputeSettings, DrawnFigure, Outcome, Task } from './task.ts';

const settings = workerData as ComputeSettings;
const datasets = new OpenDatasets(new FileObjectStore(settings.objectRoot), {
  datasets: settings.openDatasets,
  cacheBytes: settings.expressionCacheBytes,
});

// Tasks that come meanwhile wait a moment longer than they would for a cold thread.
await warmUp();

/** Entry point of a compute thread. Any message on `cancel` aborts the task. */
export default async function work({ task, cancel }: { task: Task; cancel: MessagePort }): Promise<Outcome> {
  const controller = new AbortController();
  // A task that was cancelled while it waited in the queue has its message here already.
  if (receiveMessageOnPort(cancel)) controller.abort();
  cancel.once('message', () => controller.abort());
  try {
    controller.signal.throwIfAborted();
    return { ok: true, figure: await drawNow(task, controller.signal) };
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    return { ok: false, tag: failure.name, message: failure.message };
  } finally {
    cancel.close();
  }
}

/**
 * A dataset that was replaced since it was opened reads as damaged. Opening it anew tells the two apart: the
 * new one has another version and is refused as changed, a damaged one fails again.
 */
async function drawNow(task: Task, signal: AbortSignal): Promise<DrawnFigure> {
  try {
    return await draw(task, await datasets.get(task.dataset), signal);
  } catch (error) {
    if (!(error instanceof DatasetDamaged)) throw error;
    datasets.forget(task.dataset);
    return draw(task, await datasets.get(task.dataset), signal);
  }
}
