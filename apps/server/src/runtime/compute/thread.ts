import {
  BroadcastChannel,
  type MessagePort,
  receiveMessageOnPort,
  threadId,
  workerData,
} from 'node:worker_threads';
import type { CategoricalColumn, Embedding, GeneColumn } from '@cellfolio/model';
import { geneUmapFigure, geneViolinFigure, renderPng } from '@cellfolio/figures';
import {
  type Dataset,
  DatasetDamaged,
  forgetDataset,
  type ObjectStore,
  openObjectStore,
} from '@cellfolio/store';
import { lowerThisThread } from './priority.ts';
import { OpenDatasets } from './open-datasets.ts';
import { type ComputeSettings, type Outcome, type Task, type TaskKind, tidy } from './task.ts';
import { ReadLog } from './thread-reports.ts';

export interface TaskMessage {
  task: Task;
  cancel: MessagePort;
  /** The task is traced: record each read. */
  keepReads: boolean;
}

export async function beginThread(
  kindsOf: (objects: ObjectStore) => readonly TaskKind[],
): Promise<(message: TaskMessage) => Promise<Outcome>> {
  const settings = workerData as ComputeSettings;
  const reads = new ReadLog();
  const objects = await openObjectStore(settings.objects);
  const datasets = new OpenDatasets(reads.wrap(objects), {
    datasets: settings.openDatasets,
    cacheBytes: settings.expressionCacheBytes,
  });
  const kinds = new Map(kindsOf(objects).map((one) => [one.kind, one]));
  const forgotten = new BroadcastChannel(settings.forgetChannel);
  forgotten.unref();

  lowerThisThread();
  if (settings.warmFigures > 0) await warmUp(settings.warmFigures);

  return async ({ task, cancel, keepReads }) => {
    const controller = new AbortController();
    // It may have been cancelled while it waited in the queue.
    if (receiveMessageOnPort(cancel)) controller.abort();
    cancel.once('message', () => controller.abort());
    cancel.postMessage('begun');
    await forgetDeleted();
    reads.begin(keepReads);
    const thread = () => ({ id: threadId, expression: datasets.cacheUse, objects: objects.cacheUse });
    try {
      controller.signal.throwIfAborted();
      const result = await run(task, controller.signal);
      return { ok: true, result, reads: reads.reads, thread: thread() };
    } catch (error) {
      const { name: tag, message } = error instanceof Error ? error : new Error(String(error));
      return { ok: false, tag, message, reads: reads.reads, thread: thread() };
    } finally {
      cancel.close();
    }
  };

  /** An idle thread is blocked and gets no messages, so they are read before each task. */
  async function forgetDeleted(): Promise<void> {
    // `receiveMessageOnPort` takes broadcast channels too; its type lacks them.
    const port = forgotten as unknown as MessagePort;
    for (;;) {
      const received = receiveMessageOnPort(port) as { message: string } | undefined;
      if (!received) return;
      datasets.forgetAll(received.message);
      await forgetDataset(objects, received.message);
    }
  }

  /**
   * A dataset that was replaced since it was opened reads as damaged. Opening it again distinguishes the two: a
   * replaced one has another version, a damaged one fails again.
   */
  async function run(task: Task, signal: AbortSignal): Promise<unknown> {
    if (task.kind === tidy) return null;
    const kind = kinds.get(task.kind);
    if (!kind) throw new Error(`There is no task kind ${task.kind}.`);
    const { dataset: ref } = task;
    if (!ref) return runTask(kind, task, undefined, signal);
    try {
      return await runTask(kind, task, await datasets.get(ref), signal);
    } catch (error) {
      if (!(error instanceof DatasetDamaged)) throw error;
      datasets.forget(ref);
      return runTask(kind, task, await datasets.get(ref), signal);
    }
  }
}

export async function runTask(
  { run }: TaskKind,
  task: Task,
  dataset: Dataset | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  return run(task as never, {
    signal,
    get dataset() {
      if (!dataset) throw new Error(`A task ${task.kind} names no dataset.`);
      return dataset;
    },
  });
}

const cellCount = 20_000;

/**
 * Draws a few figures of synthetic cells, so that the first user of a thread does not wait for fonts and the compiler: a
 * first violin takes half a second, later ones a tenth of that.
 */
async function warmUp(figures: number): Promise<void> {
  const { embedding, gene, groups } = spiral();
  const names = { symbol: 'WARM', datasetName: 'Warm-up' };
  await renderPng(geneViolinFigure({ gene, groups, groupTitle: 'Group', ...names }));
  for (let round = 0; round < figures; round++) {
    await renderPng(geneUmapFigure({ embedding, gene, ...names, symbol: `WARM${round}` }));
  }
}

function spiral(): { embedding: Embedding; gene: GeneColumn; groups: CategoricalColumn } {
  const values = Float32Array.from({ length: 2 * cellCount }, (_, i) => {
    const turn = (i >> 1) / 1000;
    return turn * (i % 2 ? Math.sin(turn) : Math.cos(turn));
  });
  const cells = Int32Array.from({ length: Math.floor(cellCount / 3) }, (_, i) => 3 * i);
  return {
    embedding: { name: 'X_umap', dimensions: 2, values },
    gene: { cellCount, cells, values: Float32Array.from(cells, (cell) => 0.5 + (cell % 7) / 2) },
    groups: {
      kind: 'categorical',
      codes: Int8Array.from({ length: cellCount }, (_, cell) => cell % 4),
      categories: ['A', 'B', 'C', 'D'],
      categoryType: 'string',
      ordered: false,
    },
  };
}
