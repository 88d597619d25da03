import { parentPort } from 'node:worker_threads';
import type { Components } from './components-of.ts';
import type { CellMap, PlacedCells } from './map-cells.ts';
import {
  type CombineOptions,
  type CountBlock,
  ProcessError,
  type ProcessErrorCode,
  type ProcessSettings,
  type Samples,
} from './process-input.ts';
import type { ProcessPart, ProcessProgress } from './process-result.ts';
import type { GeneFacts } from './quality/gene-kinds.ts';

/** What a thread is started with. */
export interface ProcessJob {
  readonly cellCount: number;
  readonly by: 'cell' | 'gene';
  readonly genes: GeneFacts;
  readonly samples?: Samples;
  readonly settings: ProcessSettings;
  readonly parts: readonly ProcessPart[];
  readonly combine: CombineOptions;
  readonly threads: number;
}

/** Each block is answered by `loaded`, so that at most one is under way. */
export type CountsTask =
  { readonly kind: 'block'; readonly block: CountBlock } | { readonly kind: 'components' };

export interface MapTask {
  readonly kind: 'map';
  readonly of: PlacedCells;
}

export type ProcessReply =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'progress'; readonly progress: ProcessProgress }
  | { readonly kind: 'components'; readonly components: Components }
  | { readonly kind: 'map'; readonly map: CellMap }
  | { readonly kind: 'failed'; readonly message: string; readonly code?: ProcessErrorCode };

/** Answers what this thread is asked, one task after another. */
export function answerTasks<Task>(
  work: (task: Task, report: (progress: ProcessProgress) => void) => Promise<ProcessReply>,
): void {
  const send = (reply: ProcessReply) => parentPort!.postMessage(reply);
  const report = (progress: ProcessProgress) => send({ kind: 'progress', progress });
  parentPort!.on('message', (task: Task) => {
    work(task, report)
      .catch(failure)
      .then(send)
      // As for what cannot be sent.
      .catch((error: unknown) => send(failure(error)));
  });
}

function failure(error: unknown): ProcessReply {
  if (error instanceof ProcessError) return { kind: 'failed', message: error.message, code: error.code };
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
}
