import {
  type AutocorrelationSetting,
  cellDepth,
  type GeneModel,
  type LocalSums,
  normalUpperTail,
  SeededShuffle,
  type StandardisedGenes,
} from '@cellfolio/analysis';
import { sharedCopy } from '@cellfolio/model';
import { geneBlocks } from '@cellfolio/store';
import { cellTotals } from '../../runtime/cell-totals.ts';
import { blockEntries, runAll, type CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { CellGraphs, GraphSource } from '../cell-graph/index.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import type { TakenParameters } from './cautions.ts';
import type {
  AutocorrelationTask,
  LocalGraphTask,
  LocalSumsTask,
  ShuffledTask,
  StandardiseTask,
} from './local-tasks.ts';
import type { NullCheck, SelectGenesTask, TestedGenes } from './module-tasks.ts';

export interface AnalysedCells {
  /** Row in obs of each. */
  readonly rows: Int32Array;
  readonly graphSource: GraphSource;
  readonly without: number;
  readonly setting: AutocorrelationSetting;
}

const [nullGenes, nullShuffles, nullP] = [200, 5, 0.05];
/** Standardised values of the paired genes held in memory at once, four bytes each: 500 genes in 160,000 cells. */
const maxValues = 8e7;
/** Multiplications per task: about 50 ms of work. */
const workOfTask = 4e7;
/** With fewer cells, neighbourhoods are not worth a test. */
const minGraphCells = 50;
const words = {
  analysis: 'A co-expression analysis',
  advice: 'Activate a subset of the cells of interest.',
};

export class LocalWork {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #graphs: CellGraphs;

  constructor(deps: { compute: Compute; datasets: OpenDatasets; graphs: CellGraphs }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#graphs = deps.graphs;
  }

  async cells(selection: Selection, parameters: TakenParameters, call: CallContext): Promise<AnalysedCells> {
    const { graph, n_neighbors: k } = parameters;
    const graphRequest = { graph, k, minCells: minGraphCells, ...words };
    const { source, cells, without, neighbours } = await this.#graphs.of(selection, graphRequest, call);
    const { cellCount } = selection.manifest;
    const weighed = await this.#compute.run<LocalGraphTask>(
      { kind: 'local-graph', isLong: true, neighbours, cells, cellCount },
      call,
    );
    const { model, min_cells: minCells } = parameters;
    const totals = await cellTotals(
      this.#compute,
      {
        dataset: datasetOf(selection),
        starts: await this.#starts(selection, model, call),
        ofCounts: model !== 'normal',
        placeOf: weighed.placeOf,
        count: cells.length,
      },
      call,
    );
    const depth = cellDepth(sharedCopy(totals));
    return {
      rows: cells,
      graphSource: source,
      without,
      setting: { ...weighed, depth, model, minCells },
    };
  }

  async test(
    selection: Selection,
    setting: AutocorrelationSetting,
    { fdr, max_genes: maxGenes, model }: TakenParameters,
    call: CallContext,
  ): Promise<TestedGenes> {
    const dataset = datasetOf(selection);
    const starts = await this.#starts(selection, model, call);
    const { graph } = setting;
    // For pairs of cells, and for the cells themselves.
    const ofGene = graph.neighbours.length + 4 * graph.cellCount;
    const tasks = geneBlocks(starts, blockEntries)
      .flatMap((block) => inSlices(block, Math.max(1, Math.floor(workOfTask / ofGene))))
      .map(({ from, to }): AutocorrelationTask => ({
        kind: 'local-autocorrelations',
        dataset,
        model,
        setting,
        from,
        to,
      }));
    const blocks = await runAll<AutocorrelationTask>(this.#compute, tasks, 'Testing the genes', call);
    const { geneCount } = selection.manifest;
    return this.#compute.run<SelectGenesTask>(
      {
        kind: 'select-genes',
        blocks,
        geneCount,
        fdr,
        maxGenes: Math.min(maxGenes, Math.floor(maxValues / graph.cellCount)),
      },
      call,
    );
  }

  /** Tests some of the genes with shuffled cells. Undefined if no gene was tested. */
  async nullCheck(
    selection: Selection,
    setting: AutocorrelationSetting,
    { z: tested }: TestedGenes,
    call: CallContext,
  ): Promise<NullCheck | undefined> {
    const genes = Int32Array.from(tested.keys()).filter((row) => !Number.isNaN(tested[row]));
    if (genes.length === 0) return undefined;
    const order = SeededShuffle.of(0, genes.length).next();
    const rows = Int32Array.from(order.subarray(0, nullGenes), (place) => genes[place]!).sort();
    const { graph, model } = setting;
    const ofGene = nullShuffles * (graph.neighbours.length + 4 * graph.cellCount);
    const tasks = inSlices({ from: 0, to: rows.length }, Math.max(1, Math.floor(workOfTask / ofGene))).map(
      ({ from, to }): ShuffledTask => ({
        kind: 'shuffled-autocorrelations',
        dataset: datasetOf(selection),
        model,
        setting,
        rows: rows.slice(from, to),
        shuffles: nullShuffles,
      }),
    );
    const parts = await runAll<ShuffledTask>(this.#compute, tasks, 'Testing shuffled cells', call);
    const z = parts.flatMap((part) => part.z);
    const p = parts.flatMap((part) => part.p);
    const share = (ps: readonly number[]) => ps.filter((one) => one < nullP).length / ps.length;
    const mean = z.reduce((sum, one) => sum + one, 0) / z.length;
    return {
      genes: rows.length,
      shuffles: nullShuffles,
      deviation: Math.sqrt(z.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (z.length - 1)),
      below: share(p),
      belowAsNormal: share(z.map(normalUpperTail)),
    };
  }

  async correlate(
    selection: Selection,
    setting: AutocorrelationSetting,
    rows: Int32Array,
    call: CallContext,
  ): Promise<LocalSums[]> {
    const dataset = datasetOf(selection);
    const { graph, model } = setting;
    const { cellCount } = graph;
    const into = new Float32Array(new SharedArrayBuffer(4 * rows.length * cellCount));
    const genes: StandardisedGenes = { count: rows.length, values: into };
    const some = Math.max(1, Math.floor(workOfTask / (8 * cellCount)));
    const reads = inSlices({ from: 0, to: rows.length }, some).map(({ from, to }): StandardiseTask => ({
      kind: 'standardise-genes',
      dataset,
      model,
      setting,
      rows: rows.slice(from, to),
      at: from,
      into,
    }));
    await runAll<StandardiseTask>(this.#compute, reads, 'Reading the genes', call);
    const tasks = pairSlices(rows.length, cellCount).map(({ from, to }): LocalSumsTask => ({
      kind: 'local-sums',
      genes,
      graph,
      from,
      to,
    }));
    return runAll<LocalSumsTask>(this.#compute, tasks, 'Correlating the genes', call);
  }

  /** Offsets of each gene's entries in the matrix that the model reads. */
  async #starts(selection: Selection, model: GeneModel, { signal }: CallContext): Promise<Float64Array> {
    const dataset = await this.#datasets.get(datasetOf(selection));
    if (model === 'normal') return dataset.valueStarts;
    return (await dataset.counts(signal))!.starts;
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function inSlices({ from, to }: Range, step: number): Range[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, at) => ({
    from: from + at * step,
    to: Math.min(to, from + (at + 1) * step),
  }));
}

/** Genes are correlated only with later ones, so the first ones are the most work. */
function pairSlices(count: number, cellCount: number): Range[] {
  const slices: Range[] = [];
  for (let from = 0; from < count;) {
    let to = from;
    let work = 0;
    do work += (count - to++) * cellCount;
    while (to < count && work < workOfTask);
    slices.push({ from, to });
    from = to;
  }
  return slices;
}
