import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadReply } from '../thread-result.ts';
import type { EntryRows } from './entry-rows.ts';
import { gramRows, type GeneShare } from './gram-rows.ts';

export interface GramJob {
  rows: EntryRows;
  share: GeneShare;
}

const { rows, share } = workerData as GramJob;
const result = gramRows(rows, share);
parentPort!.postMessage({ result } satisfies ThreadReply<Float64Array>, [result.buffer as ArrayBuffer]);
