import { setPriority } from 'node:os';
import {
  BroadcastChannel,
  type MessagePort,
  receiveMessageOnPort,
  threadId,
  workerData,
} from 'node:worker_threads';
import { blockMeans, blockStatistics } from '@cellfolio/analysis';
import { type Dataset, DatasetDamaged, forgetDataset, openObjectStore } from '@cellfolio/store';
import { GeneSetLibraries } from '../../features/gene-sets/gene-set-store.ts';
import { buildMask } from '../../features/subsets/build-mask.ts';
import { cellLines } from '../../features/export/cell-lines.ts';
import { checkMarkers } from '../../features/markers/check-markers.ts';
import { draw } from '../../features/explore/draw.ts';
import { compile, enrich } from '../../features/pathways/enrich.ts';
import { findGroups } from '../../features/markers/find-groups.ts';
import { OpenDatasets } from './open-datasets.ts';
import { ReadLog } from './read-log.ts';
import { rankMarkers } from '../../features/markers/rank-markers.ts';
import { scoreCells, sumGenes } from '../../features/scores/score-cells.ts';
import type { ComputeSettings, Outcome, ResultOf, Task, ThreadReport } from './task.ts';
import { warmUp } from './warm-up.ts';

const settings = workerData as ComputeSettings;
const reads = new ReadLog();
const objects = await openObjectStore(settings.objects);
const datasets = new OpenDatasets(reads.before(objects), {
  datasets: settings.openDatasets,
  cacheBytes: settings.expressionCacheBytes,
});
const forgotten = new BroadcastChannel(settings.forgetChannel);
forgotten.unref();
const libraries = new GeneSetLibraries(objects);

// Whoever is let in, signed in or told that the server lives waits for no figure. On Linux a thread has its own priority.
if (process.platform === 'linux') setPriority(5);

// Tasks that come meanwhile wait a moment longer than they would for a cold thread.
await warmUp();

interface Handover {
  readonly task: Task;
  readonly cancel: MessagePort;
  /** Somebody wants to know of every read of the task. */
  readonly keepReads: boolean;
}

/** Entry point of a compute thread. It says on `cancel` that the task is begun; any message there aborts it. */
export default async function work({ task, cancel, keepReads }: Handover): Promise<Outcome> {
  const controller = new AbortController();
  // A task that was cancelled while it waited in the queue has its message here already.
  if (receiveMessageOnPort(cancel)) controller.abort();
  cancel.once('message', () => controller.abort());
  cancel.postMessage('begun');
  await forgetGone();
  reads.begin(keepReads);
  try {
    controller.signal.throwIfAborted();
    const result = await run(task, controller.signal);
    return { ok: true, result, reads: reads.taken(), thread: report() };
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    const { name: tag, message } = failure;
    return { ok: false, tag, message, reads: reads.taken(), thread: report() };
  } finally {
    cancel.close();
  }
}

function report(): ThreadReport {
  return { id: threadId, expression: datasets.cacheUse, objects: objects.cacheUse };
}

/** A thread without a task sleeps and hears nothing, so it looks before each whether something is gone. */
async function forgetGone(): Promise<void> {
  // It takes broadcast channels too, which its type does not say.
  const port = forgotten as unknown as MessagePort;
  for (;;) {
    const received = receiveMessageOnPort(port) as { message: string } | undefined;
    if (!received) return;
    datasets.forgetAll(received.message);
    await forgetDataset(objects, received.message);
  }
}

/**
 * A dataset that was replaced since it was opened reads as damaged. Opening it anew tells the two apart: the
 * new one has another version and is refused as changed, a damaged one fails again.
 */
async function run(task: Task, signal: AbortSignal): Promise<ResultOf<Task>> {
  if (task.kind === 'rank') return rankMarkers(task);
  if (task.kind === 'score') return scoreCells(task);
  if (task.kind === 'tidy') return null;
  try {
    return await runOn(await datasets.get(task.dataset), task, signal);
  } catch (error) {
    if (!(error instanceof DatasetDamaged)) throw error;
    datasets.forget(task.dataset);
    return runOn(await datasets.get(task.dataset), task, signal);
  }
}

async function runOn(
  dataset: Dataset,
  task: Exclude<Task, { kind: 'rank' | 'score' | 'tidy' }>,
  signal: AbortSignal,
): Promise<ResultOf<Task>> {
  switch (task.kind) {
    case 'draw':
      return draw(task, dataset, signal);
    case 'mask':
      return buildMask(task, dataset, signal);
    case 'means': {
      const { from, to, mask } = task;
      return dataset.useGeneBlock(from, to, (block) => blockMeans(block, mask), signal);
    }
    case 'sum':
      return sumGenes(task, dataset, signal);
    case 'group':
      return findGroups(task, dataset, signal);
    case 'block': {
      const { from, to, groups, method } = task;
      return dataset.useGeneBlock(from, to, (block) => blockStatistics(block, groups, method), signal);
    }
    case 'check':
      return checkMarkers(task, dataset, signal);
    case 'compile':
      return compile(task, dataset, libraries);
    case 'enrich':
      return enrich(task, dataset);
    case 'cell-lines':
      return cellLines(task, dataset, signal);
  }
}
