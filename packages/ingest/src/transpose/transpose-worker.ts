import { type EntryTarget, ShapeMismatch, StoreWriteFailed } from '@cellfolio/store/worker';
import { parentPort, workerData } from 'node:worker_threads';
import { H5adError } from '../h5ad-error.ts';
import type { CountTask, ScatterTask } from './gene-passes.ts';
import { FileSpill } from './spill.ts';
import { TransposeJob } from './transpose-job.ts';
import type { BatchRecord, GatherTask, JobSetting, SortTask, StoreTask } from './transpose-tasks.ts';

export type WorkerTask =
  | SortTask
  | GatherTask
  | CountTask
  | ScatterTask
  | StoreTask
  | { kind: 'target'; target: EntryTarget }
  | { kind: 'records'; records: BatchRecord[] };

export type WorkerReply =
  | { result: unknown }
  | { h5adError: ConstructorParameters<typeof H5adError>[0] }
  | {
      writeFailed: {
        path: string;
        error: string;
        code: string | undefined;
      };
    }
  | { shapeMismatch: { path: string; reason: string } }
  | { error: string; code: string | undefined };

const { setting, descriptors } = workerData as { setting: JobSetting; descriptors: readonly number[] };
const spills = descriptors.map((descriptor) => new FileSpill(descriptor));
const job = TransposeJob.open(setting, spills);
// A failure to open is reported with the first task.
job.catch(() => undefined);
let records: readonly BatchRecord[] = [];

parentPort!.on('message', (task: WorkerTask) => {
  job.then((opened) => answer(opened, task)).catch((error: unknown) => send(failure(error)));
});

function answer(opened: TransposeJob, task: WorkerTask): void {
  switch (task.kind) {
    case 'sort':
      return reply(opened.sort(task));
    case 'sum':
      return reply(opened.sum(task));
    case 'records':
      records = task.records;
      return reply(undefined);
    case 'gather':
      return reply(opened.gather(task, records));
    case 'count':
      return reply(opened.count(task));
    case 'scatter':
      return reply(opened.scatter(task));
    case 'target':
      return reply(opened.target(task.target));
    case 'store':
      return reply(opened.store(task, records));
  }
}

function reply(result: unknown): void {
  send({ result });
}

function failure(error: unknown): WorkerReply {
  if (error instanceof H5adError) {
    const { code, path, part, problem, hint, cause } = error;
    return {
      h5adError: { code, path, part, problem, hint, cause: cause === undefined ? undefined : String(cause) },
    };
  }
  if (error instanceof ShapeMismatch) return { shapeMismatch: { path: error.path, reason: error.reason } };
  if (error instanceof StoreWriteFailed) return { writeFailed: { path: error.path, ...plain(error.cause) } };
  return plain(error);
}

function plain(error: unknown): { error: string; code: string | undefined } {
  return { error: String(error), code: (error as { code?: string } | null)?.code };
}

function send(message: WorkerReply): void {
  parentPort!.postMessage(message);
}
