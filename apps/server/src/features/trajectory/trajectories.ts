import { type AxisOrder, axisOrder } from '@cellfolio/analysis';
import type { TrajectoryParameters } from '@cellfolio/analysis/parameters';
import { type ResultCaution, sharedCopy } from '@cellfolio/model';
import { geneBlocks } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { blockEntries, runAll, type CallContext } from '../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { sampleColumn, type SampleColumn } from '../../runtime/sample-column.ts';
import type { CellGraph, CellGraphs, GraphSource } from '../cell-graph/index.ts';
import { groupColumn } from '../../runtime/group-column.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection } from '../selection/index.ts';
import { trajectoryCautions } from './cautions.ts';
import { type GeneMeans, geneMeans, geneNameCautions, geneRows } from './gene-means.ts';
import type { GeneBlockTask, GeneTable, GeneTableTask } from './gene-tasks.ts';
import { minCells, type OrderRefusal } from './chosen-root.ts';
import type { OrderedCells, OrderTask } from './order-task.ts';
import type { MapTask, PartTask } from './part-tasks.ts';

export interface Trajectory {
  parameters: TrajectoryParameters;
  graphSource: GraphSource;
  cells: { analysed: number; without: number };
  ordered: OrderedCells;
  order: AxisOrder;
  table: GeneTable;
  heatmap: readonly GeneMeans[];
  curves: readonly GeneMeans[];
  samples: SampleColumn | undefined;
  cautions: readonly ResultCaution[];
}

type OrderedGenes = Omit<Trajectory, 'curves' | 'parameters'>;

const resultBytes = 96 * 1024 * 1024;
const words = {
  analysis: 'A trajectory',
  advice: 'Activate a subset of the lineage: other cells would disturb its order.',
};
const binCount = 30;
/** Default number of genes in the curves of each direction. */
const curvesOfDirection = 3;

export class Trajectories {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #graphs: CellGraphs;
  readonly #results = new KeptWork<OrderedGenes>(resultBytes, resultSize);

  constructor(deps: { compute: Compute; datasets: OpenDatasets; graphs: CellGraphs }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#graphs = deps.graphs;
  }

  /**
   * Throws ApiFailure 400 for a column, group, cell or gene that the dataset does not have, 422 when it has no
   * principal components, or there are too few or too many cells.
   */
  async run(selection: Selection, request: TrajectoryParameters, call: CallContext): Promise<Trajectory> {
    const dataset = await this.#datasets.get(datasetOf(selection));
    const parameters = { ...request, groupby: await groupColumn(dataset, request.groupby) };
    const rows = parameters.genes && geneRows(dataset, parameters.genes);
    const { graph = 'file', n_neighbors: neighbors, groupby, root, n_dcs: components } = parameters;
    const asking = [graph, neighbors, groupby, root, components];
    const key = `${keyOfSelection(selection)}|${JSON.stringify(asking)}`;
    const result = await this.#results.of(key, call, (joined) => this.#order(selection, parameters, joined));
    const curves = rows ? await this.#means(selection, rows, result, call) : defaultCurves(result);
    const cautions = [...result.cautions, ...geneNameCautions(dataset, parameters.genes)];
    return { ...result, parameters, curves, cautions };
  }

  get caches(): NamedCaches {
    return [['trajectories', this.#results.use]];
  }

  forget(datasetId: string): void {
    this.#results.forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#results.forget(() => true);
  }

  async #order(
    selection: Selection,
    parameters: TrajectoryParameters,
    call: CallContext,
  ): Promise<OrderedGenes> {
    const graph = await this.#graphs.of(
      selection,
      // scanpy counts the cell itself.
      { graph: parameters.graph, k: parameters.n_neighbors - 1, minCells, ...words },
      call,
    );
    const samples = await sampleColumn(await this.#datasets.get(datasetOf(selection)));
    const orderedCells = await this.#ordered(
      selection,
      graph,
      { parameters, samples: samples?.column },
      call,
    );
    const order = sharedOrder(axisOrder(orderedCells.pseudotime, binCount));
    const table = await this.#test(selection, order, call);
    const topRows = [...table.mostRising, ...table.mostFalling];
    const heatmap = await this.#means(selection, topRows, { order, table }, call);
    const findings = {
      graphSource: graph.source,
      cells: { analysed: graph.cells.length, without: graph.without },
      ordered: orderedCells,
      order,
      table,
      heatmap,
      samples,
    };
    return { ...findings, cautions: trajectoryCautions({ selection, parameters, ...findings }) };
  }

  /** Mostly the diffusion map, which is computed in slices between which other tasks run. */
  async #ordered(
    selection: Selection,
    { cells, neighbours, weighted, sample, dimensions }: CellGraph,
    { parameters, samples }: Pick<OrderTask, 'parameters' | 'samples'>,
    call: CallContext,
  ): Promise<OrderedCells> {
    call.onProgress({ stage: 'Ordering the cells', done: 0, total: 1 });
    const of = { dataset: datasetOf(selection), cells, parameters, neighbours } as const;
    const part = accepted(
      await this.#compute.run<PartTask>({ kind: 'trajectory-part', isLong: true, ...of, weighted }, call),
    );
    let { map } = part;
    while (!map.pairs)
      map = await this.#compute.run<MapTask>({ kind: 'diffusion-map', graph: part.graph, map }, call);
    const { places, parts } = part;
    return accepted(
      await this.#compute.run<OrderTask>(
        {
          kind: 'trajectory-order',
          isLong: true,
          ...of,
          part: { places, parts },
          map: map.pairs,
          sample,
          dimensions,
          samples,
        },
        call,
      ),
    );
  }

  async #test(selection: Selection, order: AxisOrder, call: CallContext): Promise<GeneTable> {
    const dataset = datasetOf(selection);
    const { valueStarts } = await this.#datasets.get(dataset);
    const tasks = geneBlocks(valueStarts, blockEntries).map(({ from, to }): GeneBlockTask => ({
      kind: 'trajectory-genes',
      dataset,
      order,
      from,
      to,
    }));
    const blocks = await runAll<GeneBlockTask>(this.#compute, tasks, 'Testing the genes', call);
    return this.#compute.run<GeneTableTask>({ kind: 'trajectory-table', dataset, blocks, order }, call);
  }

  #means(
    selection: Selection,
    rows: readonly number[],
    { order, table: { rho } }: Pick<Trajectory, 'order' | 'table'>,
    call: CallContext,
  ): Promise<GeneMeans[]> {
    const deps = { compute: this.#compute, datasets: this.#datasets };
    return geneMeans(deps, selection, { rows, order, rho }, call);
  }
}

/** Throws ApiFailure for a refusal. */
function accepted<T extends object>(outcome: T | { refusal: OrderRefusal }): T {
  if (!('refusal' in outcome)) return outcome;
  const { code, message } = outcome.refusal;
  throw new ApiFailure(code === 'too_few_cells' ? 422 : 400, code, message);
}

function defaultCurves({ heatmap }: OrderedGenes): readonly GeneMeans[] {
  const first = (direction: number) =>
    heatmap.filter(({ rho }) => rho * direction > 0).slice(0, curvesOfDirection);
  return [...first(1), ...first(-1)];
}

function sharedOrder({ ranks, bins, ...order }: AxisOrder): AxisOrder {
  return { ...order, ranks: sharedCopy(ranks), bins: sharedCopy(bins) };
}

function resultSize({ ordered, order, table }: OrderedGenes): number {
  const { pseudotime, rows } = ordered;
  return pseudotime.byteLength + order.ranks.byteLength + rows.length + table.rows.length + 10_000;
}
