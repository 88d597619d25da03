import { type GroupVotes, type LogisticModel, scaledZero } from '@cellfolio/analysis';
import type { CellModelParameters } from '@cellfolio/contract';
import { countText } from '@cellfolio/model';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import { type OtherName, otherNamesAmong } from '../../runtime/gene-names/named-genes.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { groupColumn } from '../../runtime/group-column.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import type { ModelFiles } from './model-files.ts';
import type { AddGenesTask, StartedCells, StartTask, VotesTask } from './tasks.ts';

export interface Classification {
  model: LogisticModel;
  groupby: string;
  /** Per group: names, votes, and the contribution of each gene to each score. */
  names: readonly string[];
  groups: readonly GroupVotes[];
  /** Per gene that the dataset has: index in the model, and the mean scaled value in each group, gene by gene. */
  modelGenes: Int32Array;
  renamed: readonly OtherName[];
  scaled: Float64Array;
  /** CSV lines, one per cell. */
  rows: string;
  cells: number;
}

const resultBytes = 64 * 1024 * 1024;
/** With fewer genes a model says nothing about its types. */
const minGenes = 10;
/** Cells times types: that many 8-byte decision values are held at once. */
const maxScores = 40_000_000;
/** Genes per task: for 100,000 cells and 100 types they take a few tenths of a second. */
const genesOfTask = 200;

/** Types of cells by the operator's models, computed gene by gene over the compute threads. */
export class CellClassifications {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #masks: Pick<CellMasks, 'maskOf'>;
  readonly #files: ModelFiles;
  readonly #results = new KeptWork<Classification>(
    resultBytes,
    ({ rows, scaled }) => 2 * rows.length + scaled.byteLength + 10_000,
  );

  constructor(deps: {
    compute: Compute;
    datasets: OpenDatasets;
    masks: Pick<CellMasks, 'maskOf'>;
    files: ModelFiles;
  }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#masks = deps.masks;
    this.#files = deps.files;
  }

  /**
   * Throws ApiFailure 400, 409 as `ModelFiles.get`, 422 when the dataset has too few of the model's genes or too many
   * cells.
   */
  async run(
    selection: Selection,
    { model: file, groupby: requestedColumn }: Pick<CellModelParameters, 'model' | 'groupby'>,
    call: CallContext,
  ): Promise<Classification> {
    const { model, version } = await this.#files.get(file, call);
    const dataset = await this.#datasets.get(datasetOf(selection));
    const groupby = await groupColumn(dataset, requestedColumn);
    const key = `${keyOfSelection(selection)}|${JSON.stringify([file, version, groupby])}`;
    return this.#results.of(key, call, (joined) => this.#classify(selection, { model, groupby }, joined));
  }

  get caches(): NamedCaches {
    return [['cell models', this.#results.use]];
  }

  forget(datasetId: string): void {
    this.#results.forget(keysOfDataset(datasetId));
  }

  async #classify(
    selection: Selection,
    { model, groupby }: { model: LogisticModel; groupby: string },
    call: CallContext,
  ): Promise<Classification> {
    refuseOtherValues(selection);
    const dataset = datasetOf(selection);
    const opened = await this.#datasets.get(dataset);
    const rowOf = new Map<number, number>();
    const take = (symbol: string, gene: number) => {
      const row = opened.genes.find(symbol);
      if (row !== undefined && !rowOf.has(row)) rowOf.set(row, gene);
    };
    // A gene that has the name itself comes before one that is found by another of its names.
    const renamed = otherNamesAmong(opened.genes, model.genes);
    const isRenamed = new Set(renamed.map(({ given: input }) => input));
    model.genes.forEach((symbol, gene) => isRenamed.has(symbol) || take(symbol, gene));
    model.genes.forEach((symbol, gene) => isRenamed.has(symbol) && take(symbol, gene));
    if (rowOf.size < minGenes) throw tooFewGenes(model, rowOf.size);
    const rows = Int32Array.from(rowOf.keys()).sort();
    const modelGenes = rows.map((row) => rowOf.get(row)!);
    const mask = await this.#masks.maskOf(selection, call);
    const cells = mask?.count ?? selection.manifest.cellCount;
    if (cells * model.types.length > maxScores) throw tooManyCells(model, cells);
    call.onProgress({ stage: 'Preparing the cells', done: 0, total: 1 });
    const started = await this.#compute.run<StartTask>(
      { kind: 'classify-start', isLong: true, dataset, mask, model, groupby, modelGenes },
      call,
    );
    await this.#addGenes(selection, { model, started, rows, modelGenes }, call);
    call.onProgress({ stage: 'Counting the votes', done: 0, total: 1 });
    const voted = await this.#compute.run<VotesTask>(
      { kind: 'classify-votes', isLong: true, dataset, model, started },
      call,
    );
    const { scaled } = started.sums;
    const { groupCount } = started.cells;
    const means = scaled.map((sum, at) => {
      const group = voted.groups[at % groupCount]!;
      return scaledZero(model, modelGenes[Math.floor(at / groupCount)]!) + sum / Math.max(1, group.cells);
    });
    const { names } = started;
    return {
      model,
      groupby,
      names,
      groups: voted.groups,
      modelGenes,
      renamed,
      scaled: means,
      rows: voted.rows,
      cells,
    };
  }

  /** Runs the tasks one after the other, as all add to the same scores; figures of other callers run in between. */
  async #addGenes(
    selection: Selection,
    inputs: {
      model: LogisticModel;
      started: StartedCells;
      rows: Int32Array;
      modelGenes: Int32Array;
    },
    call: CallContext,
  ): Promise<void> {
    const { model, started, rows, modelGenes } = inputs;
    const { cells, sums } = started;
    for (let first = 0; first < rows.length; first += genesOfTask) {
      call.onProgress({ stage: 'Reading the genes', done: first, total: rows.length });
      // oxlint-disable-next-line no-await-in-loop
      await this.#compute.run<AddGenesTask>(
        {
          kind: 'classify-genes',
          dataset: datasetOf(selection),
          model,
          started: { cells, sums },
          rows: rows.slice(first, first + genesOfTask),
          genes: modelGenes.slice(first, first + genesOfTask),
          first,
        },
        call,
      );
    }
  }
}

function refuseOtherValues({ manifest }: Selection): void {
  const { state } = manifest.expression;
  if (state === 'log-normalised' || state === 'normalised-here') return;
  throw new ApiFailure(
    422,
    'not_log_normalised',
    'Models are trained on values log-normalized to 10,000 counts per cell, and the dataset is not known to have these. Upload a file with raw counts.',
  );
}

function tooFewGenes({ name, genes }: LogisticModel, matchCount: number): ApiFailure {
  return new ApiFailure(
    422,
    'too_few_model_genes',
    `The dataset has ${countText(matchCount)} of the ${countText(genes.length)} genes of ${name}, such as ${genes.slice(0, 3).join(', ')}; ${minGenes} are needed. A model is for one species and uses gene symbols.`,
  );
}

function tooManyCells({ types }: LogisticModel, cells: number): ApiFailure {
  const maximum = Math.floor(maxScores / types.length);
  return new ApiFailure(
    422,
    'too_many_cells',
    `${countText(cells)} cells and ${countText(types.length)} types need ${Math.round((8 * cells * types.length) / 2 ** 20).toLocaleString('en')} MiB of scores; the maximum for this model is ${countText(maximum)} cells. Activate a subset.`,
  );
}
