import {
  type Autocorrelations,
  type AutocorrelationSetting,
  EntriesReader,
  type GeneModel,
  localAutocorrelations,
  localGraph,
  type LocalGraph,
  type LocalSums,
  localSums,
  type Neighbours,
  shuffledCells,
  standardised,
  type StandardisedGenes,
} from '@cellfolio/analysis';
import { type CountBlock, sharedCopy } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { readBlock } from '../../runtime/cell-totals.ts';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';

/** Weights the nearest neighbours of all cells; arrays are in shared memory. */
export interface LocalGraphTask extends Task<WeighedCells> {
  kind: 'local-graph';
  isLong: true;
  neighbours: Neighbours;
  /** Row in obs of each cell. */
  cells: Int32Array;
  cellCount: number;
}

type WeighedCells = Pick<AutocorrelationSetting, 'graph' | 'placeOf'>;

/** Gene values: raw counts for a count model, else expression. */
interface GenesTask<Result = unknown> extends Task<Result> {
  dataset: DatasetRef;
  model: GeneModel;
}

export interface AutocorrelationTask extends GenesTask<Autocorrelations> {
  kind: 'local-autocorrelations';
  setting: AutocorrelationSetting;
  from: number;
  to: number;
}

/** Tests some genes with their values at other cells of the graph, which are drawn at random `shuffles` times. */
export interface ShuffledTask extends GenesTask<ShuffledTests> {
  kind: 'shuffled-autocorrelations';
  setting: AutocorrelationSetting;
  /** In var. */
  rows: Int32Array;
  shuffles: number;
}

/** One number for each gene and shuffle. */
interface ShuffledTests {
  z: readonly number[];
  p: readonly number[];
}

/** Writes the standardised values of some genes, starting at index `at`. */
export interface StandardiseTask extends GenesTask<true> {
  kind: 'standardise-genes';
  setting: Omit<AutocorrelationSetting, 'minCells'>;
  /** Rows in var. */
  rows: Int32Array;
  at: number;
  /** In shared memory. */
  into: Float32Array;
}

export interface LocalSumsTask extends Task<LocalSums> {
  kind: 'local-sums';
  genes: StandardisedGenes;
  graph: LocalGraph;
  from: number;
  to: number;
}

function weighCells({ neighbours, cells, cellCount }: LocalGraphTask): WeighedCells {
  const graph = localGraph(neighbours);
  const placeOf = new Int32Array(new SharedArrayBuffer(4 * cellCount)).fill(-1);
  cells.forEach((cell, place) => (placeOf[cell] = place));
  return {
    graph: {
      cellCount: graph.cellCount,
      starts: sharedCopy(graph.starts),
      neighbours: sharedCopy(graph.neighbours),
      weights: sharedCopy(graph.weights),
      degrees: sharedCopy(graph.degrees),
      moments: graph.moments,
    },
    placeOf,
  };
}

/** Uses raw counts for a count model. */
async function useBlock<T>(
  dataset: Dataset,
  { model, from, to }: Pick<GenesTask, 'model'> & { from: number; to: number },
  use: (block: CountBlock) => T,
  signal: AbortSignal,
): Promise<T> {
  return readBlock(dataset, { from, to, ofCounts: model !== 'normal' }, use, signal);
}

async function testShuffled(
  task: ShuffledTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<ShuffledTests> {
  const { setting, rows, shuffles, model } = task;
  const settings = Array.from({ length: shuffles }, (_, seed) => shuffledCells(setting, seed));
  const [z, p]: [number[], number[]] = [[], []];
  for (const row of rows) {
    const use = (block: CountBlock) => {
      for (const one of settings) {
        const tested = localAutocorrelations(block, one);
        z.push(tested.z[0]!);
        p.push(tested.p[0]!);
      }
    };
    await useBlock(dataset, { model, from: row, to: row + 1 }, use, signal);
  }
  return { z, p };
}

async function standardiseGenes(task: StandardiseTask, dataset: Dataset, signal: AbortSignal): Promise<true> {
  const { setting, rows, at, into, model } = task;
  const { graph, placeOf, depth } = setting;
  const entries = new EntriesReader(placeOf, graph.cellCount);
  for (const [i, row] of rows.entries()) {
    const own = into.subarray((at + i) * graph.cellCount, (at + i + 1) * graph.cellCount);
    const use = (block: CountBlock) => {
      entries.read(block, 0);
      standardised(entries, depth, model, own);
    };
    await useBlock(dataset, { model, from: row, to: row + 1 }, use, signal);
  }
  return true;
}

export const localTasks = [
  taskKind<LocalGraphTask>('local-graph', weighCells),
  taskKind<AutocorrelationTask>('local-autocorrelations', (task, { dataset, signal }) =>
    useBlock(dataset, task, (block) => localAutocorrelations(block, task.setting), signal),
  ),
  taskKind<ShuffledTask>('shuffled-autocorrelations', (task, { dataset, signal }) =>
    testShuffled(task, dataset, signal),
  ),
  taskKind<StandardiseTask>('standardise-genes', (task, { dataset, signal }) =>
    standardiseGenes(task, dataset, signal),
  ),
  taskKind<LocalSumsTask>('local-sums', ({ genes, graph, from, to }) =>
    localSums(genes, graph, { from, to }),
  ),
];
