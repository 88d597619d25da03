import { type BinnedMeans, type PseudotimeOrder, pseudotimeOrder } from '@cellfolio/analysis';
import type { TrajectoryParameters } from '@cellfolio/analysis/parameters';
import { type Caution, countText, quotedHead, sharedCopy } from '@cellfolio/model';
import { ByteCache, type Dataset, geneBlocks } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { blockEntries, JoinedWork, runAll, type Waiting } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { sampleColumn, type SampleColumn } from '../../runtime/sample-column.ts';
import { groupColumn } from '../markers/index.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import { trajectoryCautions } from './cautions.ts';
import type { CurvesTask, GeneBlockTask, GeneTable, GeneTableTask } from './gene-tasks.ts';
import {
  componentsKey,
  type FoundPoints,
  joinedNeighbours,
  type Neighbours,
  type NeighboursTask,
  type PointsTask,
} from './graph-tasks.ts';
import { leastCells, type OrderedCells, type OrderTask } from './order-task.ts';

export interface Trajectory {
  /** With the name of the column as the dataset has it. */
  readonly parameters: TrajectoryParameters;
  /** Dimensions of the points that the graph was made of, and cells in it. */
  readonly dimensions: number;
  readonly cells: { readonly analysed: number; readonly without: number };
  readonly ordered: OrderedCells;
  readonly order: PseudotimeOrder;
  readonly table: GeneTable;
  readonly heatmap: readonly GeneMeans[];
  readonly curves: readonly GeneMeans[];
  readonly samples: SampleColumn | undefined;
  /** What limits the result, the gravest first. */
  readonly cautions: readonly Caution[];
}

export interface GeneMeans extends BinnedMeans {
  readonly gene: string;
  readonly rho: number;
}

interface Graph extends FoundPoints {
  readonly neighbours: Neighbours;
}

type OrderedGenes = Omit<Trajectory, 'curves' | 'parameters'>;

const graphBytes = 96 * 1024 * 1024;
const resultBytes = 96 * 1024 * 1024;
/** The search for nearest cells is exact, and its time grows with the square of their number. */
const maxCells = 60_000;
/** Pairs of cells in one task: some 50 ms of work. */
const pairsOfTask = 3e6;
const binCount = 30;
/** Genes of the curves in each direction, where none are asked for. */
const curvesOfDirection = 3;

/** Cells in the order of diffusion pseudotime, computed over the compute threads. */
export class Trajectories {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #masks: CellMasks;
  readonly #graphs = new ByteCache<string, Graph>(graphBytes, graphSize);
  readonly #results = new ByteCache<string, OrderedGenes>(resultBytes, resultSize);
  readonly #running = new JoinedWork<OrderedGenes>();

  constructor(deps: { compute: Compute; datasets: OpenDatasets; masks: CellMasks }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#masks = deps.masks;
  }

  /**
   * Throws ApiFailure 400 for a column, group, cell or gene that the dataset does not have, 422 where it has no principal
   * components, or there are too few or too many cells.
   */
  async run(selection: Selection, asked: TrajectoryParameters, waiting: Waiting): Promise<Trajectory> {
    const dataset = await this.#datasets.get(datasetOf(selection));
    const parameters = { ...asked, groupby: await groupColumn(dataset, asked.groupby) };
    const rows = parameters.genes && geneRows(dataset, parameters.genes);
    const { groupby, root, n_dcs: components } = parameters;
    const key = `${graphKey(selection, parameters)}|${JSON.stringify([groupby, root, components])}`;
    const known =
      this.#results.get(key) ??
      (await this.#running.run(key, waiting, async (joined) => {
        const found = await this.#order(selection, parameters, joined);
        this.#results.set(key, found);
        return found;
      }));
    const curves = rows ? await this.#means(selection, rows, known, waiting) : defaultCurves(known);
    return { ...known, parameters, curves };
  }

  get caches(): NamedCaches {
    return [
      ['trajectory-graphs', this.#graphs.use],
      ['trajectories', this.#results.use],
    ];
  }

  forget(datasetId: string): void {
    this.#graphs.forget(keysOfDataset(datasetId));
    this.#results.forget(keysOfDataset(datasetId));
  }

  /** Keeps nothing any more. */
  releaseMemory(): void {
    this.#graphs.forget(() => true);
    this.#results.forget(() => true);
  }

  async #order(
    selection: Selection,
    parameters: TrajectoryParameters,
    waiting: Waiting,
  ): Promise<OrderedGenes> {
    const { points, cells, without, neighbours } = await this.#graph(selection, parameters, waiting);
    const samples = sampleColumn(selection.manifest);
    const dataset = datasetOf(selection);
    waiting.onProgress({ stage: 'Ordering the cells', done: 0, total: 1 });
    const found = await this.#compute.run<OrderTask>(
      {
        kind: 'trajectory-order',
        isLong: true,
        dataset,
        points,
        cells,
        neighbours,
        parameters,
        samples: samples?.column,
      },
      waiting,
    );
    if ('refusal' in found) {
      const { code, message } = found.refusal;
      throw new ApiFailure(code === 'too_few_cells' ? 422 : 400, code, message);
    }
    const order = sharedOrder(pseudotimeOrder(found.pseudotime, binCount));
    const table = await this.#test(selection, order, waiting);
    const most = [...table.mostRising, ...table.mostFalling];
    const heatmap = await this.#means(selection, most, { order, table }, waiting);
    const known = {
      dimensions: points.dimensions,
      cells: { analysed: cells.length, without },
      ordered: found,
      order,
      table,
      heatmap,
      samples,
    };
    return { ...known, cautions: trajectoryCautions({ selection, parameters, ...known }) };
  }

  /** The nearest cells of all active ones: the same for any root. */
  async #graph(selection: Selection, parameters: TrajectoryParameters, waiting: Waiting): Promise<Graph> {
    const key = graphKey(selection, parameters);
    const known = this.#graphs.get(key);
    if (known) return known;
    const dataset = datasetOf(selection);
    const opened = await this.#datasets.get(dataset);
    if (!opened.embeddings.some(({ name }) => name === componentsKey)) throw noComponents(selection);
    waiting.onProgress({ stage: 'Finding the cells', done: 0, total: 1 });
    const mask = await this.#masks.maskOf(selection, waiting);
    const active = mask?.count ?? selection.manifest.cellCount;
    if (active > maxCells) throw tooMany(active);
    const found = await this.#compute.run<PointsTask>({ kind: 'trajectory-points', dataset, mask }, waiting);
    const count = found.cells.length;
    if (count < leastCells) throw tooFew(count, found.without);
    const k = Math.min(parameters.n_neighbors, count) - 1;
    const step = Math.max(16, Math.ceil(pairsOfTask / count));
    const tasks = Array.from({ length: Math.ceil(count / step) }, (_, at): NeighboursTask => ({
      kind: 'trajectory-neighbours',
      points: found.points,
      k,
      from: at * step,
      to: Math.min(count, (at + 1) * step),
    }));
    const pieces = await runAll<NeighboursTask>(this.#compute, tasks, 'Finding the nearest cells', waiting);
    const graph = { ...found, neighbours: joinedNeighbours(pieces, count, k) };
    this.#graphs.set(key, graph);
    return graph;
  }

  /** All genes, in blocks. */
  async #test(selection: Selection, order: PseudotimeOrder, waiting: Waiting): Promise<GeneTable> {
    const dataset = datasetOf(selection);
    const { valueStarts } = await this.#datasets.get(dataset);
    const tasks = geneBlocks(valueStarts, blockEntries).map(({ from, to }): GeneBlockTask => ({
      kind: 'trajectory-genes',
      dataset,
      order,
      from,
      to,
    }));
    const blocks = await runAll<GeneBlockTask>(this.#compute, tasks, 'Testing the genes', waiting);
    return this.#compute.run<GeneTableTask>({ kind: 'trajectory-table', dataset, blocks, order }, waiting);
  }

  async #means(
    selection: Selection,
    rows: readonly number[],
    { order, table }: Pick<Trajectory, 'order' | 'table'>,
    waiting: Waiting,
  ): Promise<GeneMeans[]> {
    const dataset = datasetOf(selection);
    const { symbols } = (await this.#datasets.get(dataset)).genes;
    const means = await this.#compute.run<CurvesTask>(
      { kind: 'trajectory-curves', dataset, rows, order },
      waiting,
    );
    return means.map(({ means: values, errors }, at) => {
      const row = rows[at]!;
      return { means: values, errors, gene: symbols[row] ?? String(row), rho: table.rho[row]! };
    });
  }
}

/** Visible cache key of a graph. */
function graphKey(selection: Selection, { n_neighbors: neighbours }: TrajectoryParameters): string {
  return `${keyOfSelection(selection)}|${neighbours} neighbours`;
}

function geneRows(dataset: Dataset, genes: readonly string[]): number[] {
  return genes.map((gene, at) => {
    const row = dataset.genes.find(gene);
    if (row !== undefined) return row;
    throw new ApiFailure(400, 'gene_not_found', `The dataset has no gene ${quotedHead(gene, 80)}.`, {
      details: [{ field: `genes.${at}`, problem: 'is not a gene of the dataset' }],
    });
  });
}

/** The first of the heatmap, in both directions. */
function defaultCurves({ heatmap }: OrderedGenes): readonly GeneMeans[] {
  const first = (direction: number) =>
    heatmap.filter(({ rho }) => rho * direction > 0).slice(0, curvesOfDirection);
  return [...first(1), ...first(-1)];
}

function sharedOrder({ ranks, bins, ...order }: PseudotimeOrder): PseudotimeOrder {
  return { ...order, ranks: sharedCopy(ranks), bins: sharedCopy(bins) };
}

function noComponents({ manifest }: Selection): ApiFailure {
  return new ApiFailure(
    422,
    'no_components',
    `${quotedHead(manifest.catalogue.name, 80)} has no principal components (${componentsKey} in obsm), and the graph of nearest cells is made of them. Add them with scanpy's pp.pca and upload the file again, or upload raw counts: components are then computed.`,
  );
}

function tooMany(cells: number): ApiFailure {
  return new ApiFailure(
    422,
    'too_many_cells',
    `A trajectory takes at most ${countText(maxCells)} cells, and ${countText(cells)} are active. Make a subset of the lineage in question the active one: other cells would only disturb its order.`,
  );
}

function tooFew(cells: number, without: number): ApiFailure {
  const lacking = without > 0 ? `; ${countText(without)} more have no principal components` : '';
  return new ApiFailure(
    422,
    'too_few_cells',
    `A trajectory takes at least ${leastCells} cells, and ${countText(cells)} are active${lacking}. Choose a larger subset.`,
  );
}

function graphSize({ points, cells, neighbours }: Graph): number {
  const { indices, distances } = neighbours;
  return points.values.byteLength + 2 * cells.byteLength + indices.byteLength + distances.byteLength;
}

function resultSize({ ordered, order, table }: OrderedGenes): number {
  const { pseudotime, rows } = ordered;
  return pseudotime.byteLength + order.ranks.byteLength + rows.length + table.rows.length + 10_000;
}
