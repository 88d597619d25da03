import { joinNearestCells, leafSize, type Neighbours } from '@cellfolio/analysis';
import { countText, quotedHead } from '@cellfolio/model';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { runAll, type Waiting } from '../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import { componentsKey, type FoundPoints, type NeighboursTask, type PointsTask } from './tasks.ts';

/** The active cells that have principal components, and the nearest ones of each. */
export interface CellGraph extends Omit<FoundPoints, 'points'> {
  readonly dimensions: number;
  readonly neighbours: Neighbours;
}

interface AskedGraph {
  /** Nearest others of each cell; fewer where there are fewer cells. */
  readonly k: number;
  readonly minCells: number;
  /** Who asks, at the beginning of a sentence, and what to do where there are too many cells. */
  readonly analysis: string;
  readonly advice: string;
}

const cacheBytes = 96 * 1024 * 1024;
/**
 * The search is exact, and its time grows with the square of the cells: 92 s of a processor, shared by the threads, for
 * 200,000 in 50 components. To order these takes some 15 s of one thread, of the 60 that a piece of work may take on a machine
 * that does other things as well.
 */
const maxCells = 200_000;
/** Cells times their neighbours: graph, diffusion map and copies take some 100 bytes for each, outside of the heap. */
const maxPairs = 6e6;
/** Pairs of cells in one task: some 50 ms of work. */
const pairsOfTask = 2e7;

/** Nearest cells in principal components, found over the compute threads; the same for every analysis of them. */
export class CellGraphs {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #masks: CellMasks;
  readonly #graphs = new KeptWork<CellGraph>(cacheBytes, graphSize);

  constructor(deps: { compute: Compute; datasets: OpenDatasets; masks: CellMasks }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#masks = deps.masks;
  }

  /** Throws ApiFailure 422 where the dataset has no principal components, or there are too few or too many cells. */
  async of(selection: Selection, asked: AskedGraph, waiting: Waiting): Promise<CellGraph> {
    const key = `${keyOfSelection(selection)}|${asked.k} nearest`;
    const graph = await this.#graphs.of(key, waiting, (joined) => this.#find(selection, asked, joined));
    if (graph.cells.length < asked.minCells) throw tooFew(graph.cells.length, graph.without, asked);
    return graph;
  }

  get caches(): NamedCaches {
    return [['cell-graphs', this.#graphs.use]];
  }

  forget(datasetId: string): void {
    this.#graphs.forget(keysOfDataset(datasetId));
  }

  /** Keeps nothing any more. */
  releaseMemory(): void {
    this.#graphs.forget(() => true);
  }

  async #find(selection: Selection, asked: AskedGraph, waiting: Waiting): Promise<CellGraph> {
    const dataset = datasetOf(selection);
    const opened = await this.#datasets.get(dataset);
    if (!opened.embeddings.some(({ name }) => name === componentsKey)) throw noComponents(selection);
    waiting.onProgress({ stage: 'Finding the cells', done: 0, total: 1 });
    const mask = await this.#masks.maskOf(selection, waiting);
    const active = mask?.count ?? selection.manifest.cellCount;
    if (active > mostCells(asked.k)) throw tooMany(active, asked);
    const { points, ...found } = await this.#compute.run<PointsTask>(
      { kind: 'cell-points', isLong: true, dataset, mask },
      waiting,
    );
    const count = found.cells.length;
    if (count < asked.minCells) throw tooFew(count, found.without, asked);
    const k = Math.min(asked.k, count - 1);
    const step = leafSize * Math.max(1, Math.round(pairsOfTask / count / leafSize));
    const tasks = Array.from({ length: Math.ceil(count / step) }, (_, at): NeighboursTask => ({
      kind: 'nearest-cells',
      points,
      k,
      from: at * step,
      to: Math.min(count, (at + 1) * step),
    }));
    const pieces = await runAll<NeighboursTask>(this.#compute, tasks, 'Finding the nearest cells', waiting);
    return { ...found, dimensions: points.dimensions, neighbours: joinNearestCells(pieces, count) };
  }
}

function noComponents({ manifest }: Selection): ApiFailure {
  return new ApiFailure(
    422,
    'no_components',
    `${quotedHead(manifest.catalogue.name, 80)} has no principal components (${componentsKey} in obsm), and the graph of nearest cells is made of them. Add them with scanpy's pp.pca and upload the file again, or upload raw counts: components are then computed.`,
  );
}

function mostCells(k: number): number {
  return Math.min(maxCells, Math.floor(maxPairs / k));
}

function tooMany(cells: number, { analysis, advice, k }: AskedGraph): ApiFailure {
  const most = mostCells(k);
  const isOfPairs = most < maxCells;
  return new ApiFailure(
    422,
    'too_many_cells',
    `${analysis}${isOfPairs ? ` with ${k} neighbors of each cell` : ''} takes at most ${countText(most)} cells, and ${countText(cells)} are active: more would need more time and memory than one piece of work may take. ${advice}${isOfPairs ? ' Fewer neighbors allow more cells.' : ''}`,
  );
}

function tooFew(cells: number, without: number, { analysis, minCells }: AskedGraph): ApiFailure {
  const lacking = without > 0 ? `; ${countText(without)} more have no principal components` : '';
  return new ApiFailure(
    422,
    'too_few_cells',
    `${analysis} takes at least ${minCells} cells, and ${countText(cells)} are active${lacking}. Choose a larger subset.`,
  );
}

function graphSize({ sample, cells, neighbours }: CellGraph): number {
  const { indices, distances } = neighbours;
  return sample.byteLength + cells.byteLength + indices.byteLength + distances.byteLength;
}
