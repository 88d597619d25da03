import { parentPort, workerData } from 'node:worker_threads';
import { nearestCells, type NearestCells, type PlacedPoints } from '@cellfolio/kernels';
import type { ThreadReply } from './thread-result.ts';

export interface PlaceRange {
  readonly from: number;
  readonly to: number;
}

export interface SearchJob {
  readonly points: PlacedPoints;
  readonly k: number;
  /** The places whose cells are searched for. */
  readonly range: PlaceRange;
}

const { points, k, range } = workerData as SearchJob;
const result = nearestCells(points, k, range);
const { cells, indices, distances } = result;
parentPort!.postMessage({ result } satisfies ThreadReply<NearestCells>, [
  cells.buffer as ArrayBuffer,
  indices.buffer as ArrayBuffer,
  distances.buffer as ArrayBuffer,
]);
