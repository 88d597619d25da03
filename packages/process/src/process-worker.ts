import { parentPort, workerData } from 'node:worker_threads';
import { initialize } from 'scran.js';
import { compute } from './compute.ts';
import type { CountBlock } from './count-matrix.ts';
import { ProcessError, type ProcessErrorCode } from './errors.ts';
import { CountsLoader } from './load-counts.ts';
import type { ProcessPart, ProcessProgress, ProcessResult } from './process-result.ts';
import type { ProcessSettings } from './settings.ts';

/** What the thread is started with. */
export interface ProcessJob {
  readonly cellCount: number;
  readonly by: 'cell' | 'gene';
  readonly geneNames: readonly string[];
  readonly settings: ProcessSettings;
  readonly parts: readonly ProcessPart[];
  readonly threads: number;
  readonly computedBy: string;
}

/** Each block is answered by `loaded`, so that no more than one is ever under way. */
export type ProcessTask =
  { readonly kind: 'block'; readonly block: CountBlock } | { readonly kind: 'compute' };

export type ProcessReply =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'progress'; readonly progress: ProcessProgress }
  | { readonly kind: 'result'; readonly result: ProcessResult }
  | { readonly kind: 'failed'; readonly message: string; readonly code?: ProcessErrorCode };

const job = workerData as ProcessJob;
const loader = new CountsLoader({ ...job, geneCount: job.geneNames.length });
const ready = initialize({ numberOfThreads: job.threads });

parentPort!.on('message', (task: ProcessTask) => {
  ready
    .then(() => {
      if (task.kind === 'block') {
        loader.add(task.block);
        return send({ kind: 'loaded' });
      }
      const result = compute(loader.finish(), job, (progress) => send({ kind: 'progress', progress }));
      return send({ kind: 'result', result });
    })
    .catch((error: unknown) => send(failure(error)));
});

function failure(error: unknown): ProcessReply {
  if (error instanceof ProcessError) return { kind: 'failed', message: error.message, code: error.code };
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
}

function send(reply: ProcessReply): void {
  parentPort!.postMessage(reply);
}
