import {
  type CellGraph as WeightedGraph,
  type NearestCells,
  nearestCells,
  type Neighbours,
  placePoints,
  type PlacedPoints,
  pointAt,
} from '@cellfolio/analysis';
import { type CellRowEntries, sharedCopy } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { type CellTask, type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';

/** Key under which scanpy stores principal components; also used for those computed for uploads. */
export const componentsKey = 'X_pca';
const sampleSize = 1500;

export interface PointsTask extends CellTask<FoundPoints> {
  kind: 'cell-points';
  isLong: true;
}

export interface FoundPoints {
  /** In shared memory. */
  points: PlacedPoints;
  /** Concatenated coordinates of some of the points, spread evenly over their indices. */
  sample: Float32Array;
  /** Row in obs of each point. */
  cells: Int32Array;
  /** Active cells without finite components. */
  without: number;
}

export interface ComputedGraph extends Omit<FoundPoints, 'points'> {
  dimensions: number;
  neighbours: Neighbours;
}

export interface NeighboursTask extends Task<NearestCells> {
  kind: 'nearest-cells';
  points: PlacedPoints;
  k: number;
  from: number;
  to: number;
}

export interface FileGraphTask extends Task<FoundFileGraph> {
  kind: 'file-graph';
  isLong: true;
  dataset: DatasetRef;
}

/** Covers all cells of a dataset; the arrays are in shared memory. */
interface FoundFileGraph {
  neighbours: Neighbours;
  weighted: WeightedGraph;
  /** Concatenated coordinates of some of the cells; empty when the dataset has none that the graph can be based on. */
  sample: Float32Array;
  dimensions: number;
  cells: Int32Array;
}

async function readFileGraph(dataset: Dataset, signal: AbortSignal): Promise<FoundFileGraph> {
  const graph = await dataset.graph(signal);
  if (!graph) throw new Error(`dataset ${dataset.manifest.id} has no graph`);
  const { cellCount } = dataset.manifest;
  const { starts, cells: neighbours, values } = graph.connectivities;
  const { representation = componentsKey, components = Infinity } = graph.origin;
  const embedding = dataset.embeddings.find(({ name }) => name === representation);
  const points = embedding && (await dataset.embedding(embedding.name, signal));
  const dimensions = points ? Math.min(points.dimensions, components) : 0;
  const finite = points ? finiteRows(points.values, points.dimensions) : new Int32Array(0);
  const sampleCount = Math.min(sampleSize, finite.length);
  const sample = new Float32Array(sampleCount * dimensions);
  for (let at = 0; at < sampleCount; at++) {
    const from = finite[Math.floor((at * finite.length) / sampleCount)]! * points!.dimensions;
    sample.set(points!.values.subarray(from, from + dimensions), at * dimensions);
  }
  return {
    neighbours: nearestFirst(graph.distances),
    weighted: {
      cellCount,
      starts: sharedCopy(starts),
      neighbours: sharedCopy(neighbours),
      weights: sharedCopy(Float64Array.from(values)),
    },
    sample,
    dimensions,
    cells: sharedCopy(Int32Array.from({ length: cellCount }, (_, cell) => cell)),
  };
}

function finiteRows(values: ArrayLike<number>, dimensions: number): Int32Array {
  const rows = new Int32Array(values.length / dimensions);
  let count = 0;
  for (let row = 0; row < rows.length; row++) {
    let sum = 0;
    for (let at = row * dimensions; at < (row + 1) * dimensions; at++) sum += values[at]!;
    if (Number.isFinite(sum)) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

function nearestFirst({ starts, cells, values }: CellRowEntries): Neighbours {
  const indices = new Int32Array(new SharedArrayBuffer(4 * cells.length));
  const distances = new Float64Array(new SharedArrayBuffer(8 * cells.length));
  let k = 0;
  for (let cell = 0; cell + 1 < starts.length; cell++) {
    const [from, to] = [starts[cell]!, starts[cell + 1]!];
    k = Math.max(k, to - from);
    // Rows are short: each entry goes to its place among those before it.
    for (let at = from; at < to; at++) {
      let place = at;
      for (; place > from && distances[place - 1]! > values[at]!; place--) {
        distances[place] = distances[place - 1]!;
        indices[place] = indices[place - 1]!;
      }
      distances[place] = values[at]!;
      indices[place] = cells[at]!;
    }
  }
  return { k, starts: sharedCopy(starts), indices, distances };
}

async function findPoints({ mask }: PointsTask, dataset: Dataset, signal: AbortSignal): Promise<FoundPoints> {
  const { values, dimensions } = await dataset.embedding(componentsKey, signal);
  const count = values.length / dimensions;
  const cells = new Int32Array(mask?.count ?? count);
  let [finiteCount, without] = [0, 0];
  for (let cell = 0; cell < count; cell++) {
    if (mask && mask.bits[cell] !== 1) continue;
    let sum = 0;
    for (let at = cell * dimensions; at < (cell + 1) * dimensions; at++) sum += values[at]!;
    if (Number.isFinite(sum)) cells[finiteCount++] = cell;
    else without++;
  }
  const finiteCells = cells.subarray(0, finiteCount);
  const coordinates = new Float32Array(finiteCount * dimensions);
  finiteCells.forEach((cell, place) => {
    coordinates.set(values.subarray(cell * dimensions, (cell + 1) * dimensions), place * dimensions);
  });
  const points = placePoints(coordinates, dimensions);
  return { points, sample: sampleOf(points, finiteCount), cells: sharedCopy(finiteCells), without };
}

function sampleOf(points: PlacedPoints, count: number): Float32Array {
  const sampleCount = Math.min(sampleSize, count);
  const sample = new Float32Array(sampleCount * points.dimensions);
  for (let at = 0; at < sampleCount; at++) {
    sample.set(pointAt(points, Math.floor((at * count) / sampleCount)), at * points.dimensions);
  }
  return sample;
}

export const cellGraphTasks = [
  taskKind<FileGraphTask>('file-graph', (_task, { dataset, signal }) => readFileGraph(dataset, signal)),
  taskKind<PointsTask>('cell-points', (task, { dataset, signal }) => findPoints(task, dataset, signal)),
  taskKind<NeighboursTask>('nearest-cells', ({ points, k, from, to }) =>
    nearestCells(points, k, { from, to }),
  ),
];
