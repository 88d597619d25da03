import { type CellGraph as WeightedGraph, joinNearestCells, leafSize } from '@cellfolio/analysis';
import { type CellMask, countText, quotedHead } from '@cellfolio/model';
import type { Dataset, OpenedObjectStore } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { runAll, type CallContext } from '../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import { computedSource, fileSource, type GraphSource } from './graph-source.ts';
import { StoredGraphs } from './stored-graphs.ts';
import {
  componentsKey,
  type ComputedGraph,
  type FileGraphTask,
  type NeighboursTask,
  type PointsTask,
} from './tasks.ts';

/** The active cells and the nearest neighbours of each: computed here, or read from the dataset's file. */
export interface CellGraph extends ComputedGraph {
  source: GraphSource;
  /** Weights from the file; for a graph computed here they are made where they are needed. */
  weighted?: WeightedGraph;
}

interface GraphRequest {
  /** `file`, or absent: the graph of the file, if it has one and all cells are active. */
  graph?: 'file' | 'computed' | undefined;
  /** Number of nearest neighbours of each cell; fewer when there are fewer cells. */
  k: number;
  minCells: number;
  /** Name of the analysis to begin a sentence with, and what to do when there are too many cells. */
  analysis: string;
  advice: string;
}

const cacheBytes = 96 * 1024 * 1024;
/**
 * The search is exact and quadratic in the number of cells: 92 s of CPU time, shared by the threads, for 200,000 cells
 * in 50 components. Ordering them takes about 15 s of one thread, of the 60 s that a task may take on a machine with
 * other load.
 */
const maxCells = 200_000;
/** Cells times neighbours: graph, diffusion map and copies take about 100 bytes for each, outside the heap. */
const maxPairs = 6e6;
/** Pairs of cells per task: about 50 ms of work. */
const pairsOfTask = 2e7;

/** Nearest cells in principal components, computed over the compute threads and shared by all analyses. */
export class CellGraphs {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #masks: CellMasks;
  readonly #stored: StoredGraphs;
  readonly #graphs = new KeptWork<CellGraph>(cacheBytes, graphSize);

  constructor(deps: {
    compute: Compute;
    datasets: OpenDatasets;
    masks: CellMasks;
    objects: Pick<OpenedObjectStore, 'get' | 'put' | 'list' | 'delete'>;
  }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#masks = deps.masks;
    this.#stored = new StoredGraphs(deps.objects);
  }

  /** Throws ApiFailure 422 when the dataset has no principal components, or there are too few or too many cells. */
  async of(selection: Selection, request: GraphRequest, call: CallContext): Promise<CellGraph> {
    const key = `${keyOfSelection(selection)}|${request.k} nearest, ${request.graph ?? 'file'}`;
    const graph = await this.#graphs.of(key, call, (joined) => this.#find(selection, request, joined));
    if (graph.cells.length < request.minCells) throw tooFew(graph.cells.length, graph.without, request);
    return graph;
  }

  get caches(): NamedCaches {
    return [['cell-graphs', this.#graphs.use]];
  }

  forget(datasetId: string): void {
    this.#graphs.forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#graphs.forget(() => true);
  }

  async #find(selection: Selection, request: GraphRequest, call: CallContext): Promise<CellGraph> {
    const dataset = datasetOf(selection);
    const opened = await this.#datasets.get(dataset);
    call.onProgress({ stage: 'Finding the cells', done: 0, total: 1 });
    const mask = await this.#masks.maskOf(selection, call);
    const { cellCount } = selection.manifest;
    const active = mask?.count ?? cellCount;
    const reason = reasonAgainstFile(opened, mask, request);
    if (opened.graphHead && reason === undefined) {
      const fileGraph = await this.#compute.run<FileGraphTask>(
        { kind: 'file-graph', isLong: true, dataset },
        call,
      );
      return { ...fileGraph, without: 0, source: fileSource(opened.graphHead.origin, fileGraph.neighbours) };
    }
    if (!opened.embeddings.some(({ name }) => name === componentsKey)) throw noComponents(selection);
    if (active > cellLimit(request.k)) throw tooMany(active, request);
    const { manifest } = selection;
    const stored = mask ? undefined : await this.#stored.read(manifest, request.k, call.signal);
    const graph = stored ?? (await this.#search(selection, mask, request, call));
    if (!mask && !stored) await this.#stored.keep(manifest, request.k, graph, call.signal);
    return { ...graph, source: computedSource(graph.neighbours, graph.dimensions, reason) };
  }

  async #search(
    selection: Selection,
    mask: CellMask | undefined,
    request: GraphRequest,
    call: CallContext,
  ): Promise<ComputedGraph> {
    const dataset = datasetOf(selection);
    const { points, ...chosen } = await this.#compute.run<PointsTask>(
      { kind: 'cell-points', isLong: true, dataset, mask },
      call,
    );
    const count = chosen.cells.length;
    if (count < request.minCells) throw tooFew(count, chosen.without, request);
    const k = Math.min(request.k, count - 1);
    const step = leafSize * Math.max(1, Math.round(pairsOfTask / count / leafSize));
    const tasks = Array.from({ length: Math.ceil(count / step) }, (_, at): NeighboursTask => ({
      kind: 'nearest-cells',
      points,
      k,
      from: at * step,
      to: Math.min(count, (at + 1) * step),
    }));
    const pieces = await runAll<NeighboursTask>(this.#compute, tasks, 'Finding the nearest cells', call);
    return { ...chosen, dimensions: points.dimensions, neighbours: joinNearestCells(pieces, count) };
  }
}

/** Why the graph of the file is not used; undefined when it is used, or when the file has none. */
function reasonAgainstFile(
  { graphHead, manifest }: Dataset,
  mask: CellMask | undefined,
  { graph }: GraphRequest,
): string | undefined {
  if (graphHead === undefined) return undefined;
  if (graph === 'computed') return 'as was asked for, not the graph of the file';
  if (mask) return 'not the graph of the file, which is of all cells';
  const { edges, weights } = graphHead;
  return manifest.cellCount > maxCells || edges > maxPairs || weights > 2 * maxPairs
    ? 'not the graph of the file, which has too many cells or edges'
    : undefined;
}

function noComponents({ manifest }: Selection): ApiFailure {
  return new ApiFailure(
    422,
    'no_components',
    `${quotedHead(manifest.catalogue.name, 80)} has no principal components (${componentsKey} in obsm), and the graph of nearest cells is computed from them. Add them with scanpy's pp.pca and upload the file again, or upload raw counts: components are then computed.`,
  );
}

function cellLimit(k: number): number {
  return Math.min(maxCells, Math.floor(maxPairs / k));
}

function tooMany(cells: number, { analysis, advice, k }: GraphRequest): ApiFailure {
  const limit = cellLimit(k);
  const isOfPairs = limit < maxCells;
  return new ApiFailure(
    422,
    'too_many_cells',
    `${analysis}${isOfPairs ? ` with ${k} neighbors of each cell` : ''} takes at most ${countText(limit)} cells, and ${countText(cells)} are active: more would exceed the time and memory of one analysis. ${advice}${isOfPairs ? ' Fewer neighbors allow more cells.' : ''}`,
  );
}

function tooFew(cells: number, without: number, { analysis, minCells }: GraphRequest): ApiFailure {
  const lacking = without > 0 ? `; ${countText(without)} more have no principal components` : '';
  return new ApiFailure(
    422,
    'too_few_cells',
    `${analysis} needs at least ${minCells} cells, and ${countText(cells)} are active${lacking}. Choose a larger subset.`,
  );
}

function graphSize({ sample, cells, neighbours, weighted }: CellGraph): number {
  const { starts, indices, distances } = neighbours;
  const own = [sample, cells, starts, indices, distances];
  const weights = weighted ? [weighted.starts, weighted.neighbours, weighted.weights] : [];
  return [...own, ...weights].reduce((bytes, array) => bytes + array.byteLength, 0);
}
