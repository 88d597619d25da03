import { parentPort, workerData } from 'node:worker_threads';
import type { NearestCells } from '@cellfolio/kernels';
import { type SearchJob, searchRange } from './search-range.ts';
import type { ThreadReply } from './thread-result.ts';

const result = searchRange(workerData as SearchJob);
const { cells, indices, distances } = result;
parentPort!.postMessage({ result } satisfies ThreadReply<NearestCells>, [
  cells.buffer as ArrayBuffer,
  indices.buffer as ArrayBuffer,
  distances.buffer as ArrayBuffer,
]);
