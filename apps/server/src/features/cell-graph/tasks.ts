import {
  type NearestCells,
  nearestCells,
  placePoints,
  type PlacedPoints,
  pointAt,
} from '@cellfolio/analysis';
import { sharedCopy } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { type CellTask, type Task, taskKind } from '../../runtime/compute/task.ts';

/** Where scanpy keeps principal components, and what is computed for uploads too. */
export const componentsKey = 'X_pca';
const sampleSize = 1500;

/** Finds the active cells that have principal components. */
export interface PointsTask extends CellTask<FoundPoints> {
  readonly kind: 'cell-points';
  readonly isLong: true;
}

export interface FoundPoints {
  /** In shared memory. */
  readonly points: PlacedPoints;
  /** The coordinates of some of the points, spread evenly over their places: one after another. */
  readonly sample: Float32Array;
  /** The row in obs of each point. */
  readonly cells: Int32Array;
  /** Active cells without finite components. */
  readonly without: number;
}

/** Finds the nearest cells of the points at some places. */
export interface NeighboursTask extends Task<NearestCells> {
  readonly kind: 'nearest-cells';
  readonly points: PlacedPoints;
  readonly k: number;
  readonly from: number;
  readonly to: number;
}

async function findPoints({ mask }: PointsTask, dataset: Dataset, signal: AbortSignal): Promise<FoundPoints> {
  const { values, dimensions } = await dataset.embedding(componentsKey, signal);
  const count = values.length / dimensions;
  const cells = new Int32Array(mask?.count ?? count);
  let [found, without] = [0, 0];
  for (let cell = 0; cell < count; cell++) {
    if (mask && mask.bits[cell] !== 1) continue;
    let sum = 0;
    for (let at = cell * dimensions; at < (cell + 1) * dimensions; at++) sum += values[at]!;
    if (Number.isFinite(sum)) cells[found++] = cell;
    else without++;
  }
  const kept = cells.subarray(0, found);
  const coordinates = new Float32Array(found * dimensions);
  kept.forEach((cell, place) => {
    coordinates.set(values.subarray(cell * dimensions, (cell + 1) * dimensions), place * dimensions);
  });
  const points = placePoints(coordinates, dimensions);
  return { points, sample: sampleOf(points, found), cells: sharedCopy(kept), without };
}

function sampleOf(points: PlacedPoints, count: number): Float32Array {
  const taken = Math.min(sampleSize, count);
  const sample = new Float32Array(taken * points.dimensions);
  for (let at = 0; at < taken; at++) {
    sample.set(pointAt(points, Math.floor((at * count) / taken)), at * points.dimensions);
  }
  return sample;
}

/** What compute threads do to find the nearest cells of all. */
export const cellGraphTasks = [
  taskKind<PointsTask>('cell-points', (task, { dataset, signal }) => findPoints(task, dataset, signal)),
  taskKind<NeighboursTask>('nearest-cells', ({ points, k, from, to }) =>
    nearestCells(points, k, { from, to }),
  ),
];
