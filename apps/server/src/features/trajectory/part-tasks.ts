import {
  beginDiffusionMap,
  type CellGraph,
  continueDiffusionMap,
  type EigenState,
  graphParts,
  type Neighbours,
  partOfRoot,
  transitions,
} from '@cellfolio/analysis';
import type { TrajectoryParameters } from '@cellfolio/analysis/parameters';
import { sharedCopy, stringAt } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { chosenRoot, minCells, type OrderRefusal, tooFew } from './chosen-root.ts';
import { connectedGraph } from './path-structure.ts';

export interface RootTask<Result> extends Task<Result> {
  dataset: DatasetRef;
  /** Row in obs of each cell of the graph. */
  cells: Int32Array;
  parameters: TrajectoryParameters;
}

export interface PartTask extends RootTask<GraphPart | { refusal: OrderRefusal }> {
  kind: 'trajectory-part';
  isLong: true;
  neighbours: Neighbours;
  /** Weights of the file; undefined for weights as in UMAP. */
  weighted: CellGraph | undefined;
}

/** The arrays are in shared memory. */
export interface GraphPart {
  /** Indices in the graph of the cells of the part. */
  places: Int32Array;
  /** The part, weighted with its transitions. */
  graph: CellGraph;
  parts: number;
  map: EigenState;
}

export interface MapTask extends Task<EigenState> {
  kind: 'diffusion-map';
  graph: CellGraph;
  map: EigenState;
}

/** Time slice of one task, so that figures of other users are drawn in between. */
const sliceMilliseconds = 50;

export async function rootedCells(
  { cells, parameters }: RootTask<unknown>,
  dataset: Dataset,
  signal: AbortSignal,
) {
  const column = await categoricalColumn(dataset, parameters.groupby, signal);
  const { names } = await dataset.cellRows(
    { from: 0, to: dataset.manifest.cellCount },
    { columns: [], embeddings: [] },
    signal,
  );
  const barcodeOf = (place: number) => stringAt(names, cells[place]!);
  const codes = Int32Array.from(cells, (cell) => column.codes[cell]!);
  const { categories } = column;
  return { codes, categories, barcodeOf, choice: chosenRoot(parameters, { codes, categories, barcodeOf }) };
}

async function partOfGraph(
  task: PartTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<GraphPart | { refusal: OrderRefusal }> {
  const { choice } = await rootedCells(task, dataset, signal);
  if ('refusal' in choice) return choice;
  const { neighbours, weighted } = task;
  const { graph, parts } = weighted
    ? { graph: weighted, parts: graphParts(weighted) }
    : connectedGraph(neighbours);
  const part = partOfRoot(graph, parts, choice, minCells);
  if (!part) return tooFew(parts.sizes);
  const transitionGraph = transitions(part.graph);
  return {
    places: sharedCopy(part.cells),
    graph: {
      cellCount: transitionGraph.cellCount,
      starts: sharedCopy(transitionGraph.starts),
      neighbours: sharedCopy(transitionGraph.neighbours),
      weights: sharedCopy(transitionGraph.weights),
    },
    parts: parts.sizes.length,
    map: beginDiffusionMap(transitionGraph),
  };
}

export const partTasks = [
  taskKind<PartTask>('trajectory-part', (task, { dataset, signal }) => partOfGraph(task, dataset, signal)),
  taskKind<MapTask>('diffusion-map', ({ graph, map }) => continueDiffusionMap(graph, map, sliceMilliseconds)),
];
