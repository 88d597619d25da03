import {
  cellGraph,
  type GraphParts,
  graphParts,
  type CellGraph,
  type NearestCells,
  nearestCells,
  placePoints,
  type PlacedPoints,
} from '@cellfolio/analysis';
import { sharedCopy } from '@cellfolio/model';
import { neighbourGraph } from '@cellfolio/process';
import type { Dataset } from '@cellfolio/store';
import { type CellTask, type Task, taskKind } from '../../runtime/compute/task.ts';

/** Where scanpy keeps principal components, and what is computed for uploads too. */
export const componentsKey = 'X_pca';

/** Finds the active cells that have principal components. */
export interface PointsTask extends CellTask<FoundPoints> {
  readonly kind: 'trajectory-points';
}

export interface FoundPoints {
  /** In shared memory. */
  readonly points: PlacedPoints;
  /** The row in obs of each point. */
  readonly cells: Int32Array;
  /** Active cells without finite components. */
  readonly without: number;
}

/** Finds the nearest cells of the points in some rows. */
export interface NeighboursTask extends Task<NearestCells> {
  readonly kind: 'trajectory-neighbours';
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
  return { points: { ...points, order: sharedCopy(points.order) }, cells: sharedCopy(kept), without };
}

/** The nearest cells of all points, in the order of the points: found in pieces, one after another along the rows. */
export interface Neighbours {
  readonly k: number;
  readonly indices: Int32Array;
  readonly distances: Float64Array;
}

export function joinedNeighbours(pieces: readonly NearestCells[], count: number, k: number): Neighbours {
  const indices = new Int32Array(new SharedArrayBuffer(4 * count * k));
  const distances = new Float64Array(new SharedArrayBuffer(8 * count * k));
  for (const piece of pieces) {
    piece.cells.forEach((cell, row) => {
      indices.set(piece.indices.subarray(row * k, (row + 1) * k), cell * k);
      distances.set(piece.distances.subarray(row * k, (row + 1) * k), cell * k);
    });
  }
  return { k, indices, distances };
}

/** The weighted graph that scanpy's `pp.neighbors` makes of nearest cells, and its connected parts. */
export function connectedGraph(neighbours: Neighbours): { graph: CellGraph; parts: GraphParts } {
  const cellCount = neighbours.indices.length / neighbours.k;
  const graph = cellGraph(neighbourGraph({ cellCount, ...neighbours }), cellCount);
  return { graph, parts: graphParts(graph) };
}

export const graphTasks = [
  taskKind<PointsTask>('trajectory-points', (task, { dataset, signal }) => findPoints(task, dataset, signal)),
  taskKind<NeighboursTask>('trajectory-neighbours', ({ points, k, from, to }) =>
    nearestCells(points, k, { from, to }),
  ),
];
