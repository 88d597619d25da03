import { parentPort, workerData } from 'node:worker_threads';
import { componentsOf, type Components } from './counts-to-components.ts';
import { CountsLoader } from './load-counts.ts';
import { mapCells, type CellMap, type PlacedCells } from './map-cells.ts';
import {
  type CombineOptions,
  type CountBlock,
  ProcessError,
  type ProcessErrorCode,
  type ProcessSettings,
  type Samples,
} from './process-input.ts';
import type { ProcessPart, ProcessProgress } from './process-result.ts';
import type { GeneFacts } from '@cellfolio/model';

export interface ProcessJob {
  cellCount: number;
  by: 'cell' | 'gene';
  genes: GeneFacts;
  samples?: Samples;
  settings: ProcessSettings;
  parts: readonly ProcessPart[];
  combine: CombineOptions;
  threads: number;
}

/** Each block is acknowledged by `loaded`, so that at most one is in transit. */
export type ProcessTask =
  | { kind: 'block'; block: CountBlock }
  | { kind: 'components' }
  | { kind: 'map'; of: PlacedCells };

export type ProcessReply =
  | { kind: 'loaded' }
  | { kind: 'progress'; progress: ProcessProgress }
  | { kind: 'components'; components: Components }
  | { kind: 'map'; map: CellMap }
  | { kind: 'failed'; message: string; code?: ProcessErrorCode };

const job = workerData as ProcessJob;
const loader = new CountsLoader({ ...job, geneCount: job.genes.geneNames.length });
const send = (reply: ProcessReply) => parentPort!.postMessage(reply);
const report = (progress: ProcessProgress) => send({ kind: 'progress', progress });

parentPort!.on('message', (task: ProcessTask) => {
  answerTo(task)
    .catch(failure)
    .then(send)
    // As for what cannot be sent.
    .catch((error: unknown) => send(failure(error)));
});

async function answerTo(task: ProcessTask): Promise<ProcessReply> {
  if (task.kind === 'block') {
    loader.add(task.block);
    return { kind: 'loaded' };
  }
  if (task.kind === 'map') return { kind: 'map', map: await mapCells(task.of, job, report) };
  return { kind: 'components', components: await componentsOf(loader.finish(), job, report) };
}

function failure(error: unknown): ProcessReply {
  if (error instanceof ProcessError) return { kind: 'failed', message: error.message, code: error.code };
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
}
