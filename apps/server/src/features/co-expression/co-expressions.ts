import type { CoExpressionParameters } from '@cellfolio/analysis/parameters';
import { type Caution, noCountsReason, sharedCopy } from '@cellfolio/model';
import {
  type AutocorrelationSetting,
  cellDepth,
  type GeneModel,
  type LocalSums,
  normalUpperTail,
  SeededShuffle,
  type StandardisedGenes,
} from '@cellfolio/analysis';
import { geneBlocks } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { type CallContext, blockEntries, runAll } from '../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { sampleColumn } from '../../runtime/sample-column.ts';
import type { CellGraphs, GraphSource } from '../cell-graph/index.ts';
import type { SignatureScoring } from '../scores/index.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection } from '../selection/index.ts';
import { cellTotals } from '../../runtime/cell-totals.ts';
import { coExpressionCautions, type CoExpression, type TakenParameters } from './cautions.ts';
import type {
  FoundModules,
  ModuleCheck,
  ModuleCheckTask,
  ModulesTask,
  NullCheck,
  SelectGenesTask,
  TestedGenes,
} from './module-tasks.ts';
import type {
  AutocorrelationTask,
  LocalGraphTask,
  LocalSumsTask,
  ShuffledTask,
  StandardiseTask,
} from './local-tasks.ts';

const resultBytes = 64 * 1024 * 1024;
export class CoExpressions {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #local: LocalWork;
  readonly #scoring: Pick<SignatureScoring, 'score'>;
  readonly #results = new KeptWork<CoExpression>(resultBytes, resultSize);

  constructor(deps: {
    compute: Compute;
    datasets: OpenDatasets;
    graphs: CellGraphs;
    scoring: Pick<SignatureScoring, 'score'>;
  }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#local = new LocalWork(deps);
    this.#scoring = deps.scoring;
  }

  /**
   * Throws ApiFailure 422 when the dataset has no principal components, or no raw counts for a count model, and when
   * there are too few or too many cells.
   */
  async run(selection: Selection, request: CoExpressionParameters, call: CallContext): Promise<CoExpression> {
    const { expression, warnings } = selection.manifest;
    const { hasCounts } = expression;
    const parameters = { ...request, model: request.model ?? (hasCounts ? 'danb' : 'normal') };
    if (parameters.model === 'danb' && !hasCounts) throw noCounts(warnings);
    const { graph = 'file', model, n_neighbors, max_genes, min_module_genes, fdr, min_cells } = parameters;
    const asking = [graph, model, n_neighbors, max_genes, min_module_genes, fdr, min_cells];
    const key = `${keyOfSelection(selection)}|${JSON.stringify(asking)}`;
    return this.#results.of(key, call, (joined) => this.#find(selection, parameters, joined));
  }

  get caches(): NamedCaches {
    return [['co-expression', this.#results.use]];
  }

  forget(datasetId: string): void {
    this.#results.forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#results.forget(() => true);
  }

  async #find(selection: Selection, parameters: TakenParameters, call: CallContext): Promise<CoExpression> {
    const dataset = datasetOf(selection);
    const cells = await this.#local.cells(selection, parameters, call);
    const { setting, rows } = cells;
    const tested = await this.#local.test(selection, setting, parameters, call);
    const nullCheck = await this.#local.nullCheck(selection, setting, tested, call);
    const sums = await this.#local.correlate(selection, setting, tested.rows, call);
    call.onProgress({ stage: 'Grouping the genes', done: 0, total: 1 });
    const foundModules = await this.#compute.run<ModulesTask>(
      {
        kind: 'gene-modules',
        isLong: true,
        dataset,
        tested,
        sums,
        cells: rows.length,
        minGenes: parameters.min_module_genes,
        fdr: parameters.fdr,
      },
      call,
    );
    const samples = await sampleColumn(await this.#datasets.get(dataset));
    const checks = await this.#check(selection, foundModules, { cells, samples: samples?.column }, call);
    const findings = {
      parameters,
      graphSource: cells.graphSource,
      cells: { analysed: rows.length, without: cells.without },
      tested,
      nullCheck,
      foundModules,
      checks,
      samples,
    };
    return { ...findings, cautions: coExpressionCautions({ selection, ...findings }) };
  }

  async #check(
    selection: Selection,
    { modules }: FoundModules,
    context: { cells: AnalysedCells; samples: string | undefined },
    call: CallContext,
  ): Promise<(ModuleCheck | undefined)[]> {
    const { cells, samples } = context;
    const checks: (ModuleCheck | undefined)[] = [];
    for (const { rows } of modules) {
      const score = await this.#scoring.score(selection, [...rows], call).catch(notScorable);
      const task: ModuleCheckTask | undefined = score && {
        kind: 'module-check',
        dataset: datasetOf(selection),
        scores: score.scores,
        cells: cells.rows,
        totals: cells.setting.depth.totals,
        samples,
      };
      checks.push(task && (await this.#compute.run<ModuleCheckTask>(task, call)));
    }
    return checks;
  }
}

/** When the dataset has too few other genes to compare with, only the module has no score; the result stays. */
function notScorable(error: unknown): undefined {
  if (error instanceof ApiFailure && error.code === 'not_scorable') return undefined;
  throw error;
}

function noCounts(warnings: readonly Caution[]): ApiFailure {
  return new ApiFailure(
    422,
    'no_raw_counts',
    `The model danb needs raw counts, and the dataset has none.${noCountsReason(warnings)} Choose the model normal, which takes the expression values, or upload a file with raw counts in X, raw or layers/counts.`,
    { details: [{ field: 'model', problem: 'needs raw counts, which the dataset does not have' }] },
  );
}

function resultSize({ tested, foundModules }: CoExpression): number {
  const { z, expressing } = tested;
  return (
    5 * z.byteLength +
    expressing.byteLength +
    foundModules.scores.byteLength +
    2 * foundModules.table.length +
    10_000
  );
}

interface AnalysedCells {
  /** Row in obs of each. */
  rows: Int32Array;
  graphSource: GraphSource;
  without: number;
  setting: AutocorrelationSetting;
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

class LocalWork {
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
  from: number;
  to: number;
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
