import type { BlockStatistics, ComparedCells, ComparedPart, MarkerTest } from '@cellfolio/analysis';
import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { type Caution, type CellMask, countText, quotedHead } from '@cellfolio/model';
import { ByteCache, geneBlocks } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { blockEntries, JoinedWork, runAll, type Waiting } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { sampleColumn, type SampleColumn } from '../../runtime/sample-column.ts';
import { groupColumn } from '../markers/index.ts';
import {
  datasetOf,
  keyOfSelection,
  keysOfDataset,
  type Selection,
  subsetFilter,
} from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import { type ComparedSamples, comparisonCautions } from './cautions.ts';
import type { ComparedTable, SideBlockTask, SidesTask, SideTableTask } from './tasks.ts';

export interface Comparison {
  /** With the names of the columns as the dataset has them. */
  readonly parameters: ComparisonParameters;
  readonly parts: readonly ComparedPart[];
  /** One for each part. */
  readonly tables: readonly ComparedTable[];
  readonly samples: ComparedSamples | undefined;
  /** What limits the result, the gravest first. */
  readonly cautions: readonly Caution[];
}

/** What is compared, its columns looked up. */
interface Question {
  readonly selection: Selection;
  readonly parameters: ComparisonParameters;
  readonly samples: SampleColumn | undefined;
}

const resultBytes = 96 * 1024 * 1024;
/** Characters of all tables: they go into one answer. */
const maxCharacters = 64 * 1024 * 1024;
/** Of a row: names of usual length and nine numbers. */
const rowCharacters = 190;

/** Compares sets of cells gene by gene, in blocks of genes over the compute threads. */
export class Comparisons {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #masks: CellMasks;
  readonly #results = new ByteCache<string, Comparison>(resultBytes, sizeOf);
  readonly #running = new JoinedWork<Comparison>();

  constructor(deps: { compute: Compute; datasets: OpenDatasets; masks: CellMasks }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#masks = deps.masks;
  }

  /**
   * Throws ApiFailure 400 for a name that the dataset does not have, 409 for cells that were selected on another version,
   * 422 for sets that share cells or have too few, and for tables too long for an answer.
   */
  async run(selection: Selection, asked: ComparisonParameters, waiting: Waiting): Promise<Comparison> {
    const question = await this.#lookUp(selection, asked);
    const key = keyOf(question);
    const known = this.#results.get(key);
    if (known) return { ...known, parameters: question.parameters };
    return this.#running.run(key, waiting, async (joined) => {
      const found = await this.#compare(question, joined);
      this.#results.set(key, found);
      return found;
    });
  }

  get caches(): NamedCaches {
    return [['comparisons', this.#results.use]];
  }

  forget(datasetId: string): void {
    this.#results.forget(keysOfDataset(datasetId));
  }

  /** Keeps no result any more. */
  forgetAll(): void {
    this.#results.forget(() => true);
  }

  async #lookUp(selection: Selection, asked: ComparisonParameters): Promise<Question> {
    const dataset = await this.#datasets.get(datasetOf(selection));
    const within =
      asked.within === undefined ? undefined : await groupColumn(dataset, asked.within, 'within');
    const named =
      asked.samples === undefined ? undefined : await groupColumn(dataset, asked.samples, 'samples');
    const samples =
      named === undefined
        ? sampleColumn(selection.manifest)
        : { column: named, reason: 'the column that was chosen' };
    const parameters = {
      ...asked,
      ...(within !== undefined && { within }),
      ...(named !== undefined && { samples: named }),
    };
    return { selection, parameters, samples };
  }

  async #compare(question: Question, waiting: Waiting): Promise<Comparison> {
    const { selection, parameters } = question;
    const { compared, samples: cells } = await this.#sides(question, waiting);
    checkLength(compared, selection);
    const { method, tie_correct: tieCorrect, min_cells: minCells } = parameters;
    const blocks = await this.#readBlocks(selection, compared, method, waiting);
    const tests = compared.parts.map((_, place): SideTableTask => ({
      kind: 'compare-table',
      isLong: true,
      dataset: datasetOf(selection),
      blocks: blocks.map((parts) => parts[place]!),
      compared,
      isParted: parameters.within !== undefined,
      test: { method, tieCorrect, minCells, place },
      thresholds: { adjustedP: parameters.pvals_adj, foldChange: parameters.logfoldchanges },
    }));
    const tables = await runAll<SideTableTask>(this.#compute, tests, 'Testing the genes', waiting);
    const samples = cells && question.samples && { ...question.samples, ...cells };
    const cautions = comparisonCautions({ ...question, compared, tables, samples });
    return { parameters, parts: compared.parts, tables, samples, cautions };
  }

  /** Refuses sets that cannot be compared before the matrix is read. */
  async #sides({ selection, parameters, samples }: Question, waiting: Waiting) {
    const { within, min_cells: minCells } = parameters;
    waiting.onProgress({ stage: 'Finding the cells', done: 0, total: 1 });
    const mask = await this.#masks.maskOf(selection, waiting);
    const a = await this.#setOf(selection, parameters.a, waiting);
    const b = parameters.b && (await this.#setOf(selection, parameters.b, waiting));
    const found = await this.#compute.run<SidesTask>(
      {
        kind: 'compare-sides',
        dataset: datasetOf(selection),
        mask,
        a: a ?? allCells(selection),
        b: b ?? (parameters.b && allCells(selection)),
        within,
        samples: samples?.column,
        minCells,
      },
      waiting,
    );
    if (!('compared' in found)) throw sharedRefusal(parameters, found.shared);
    if (found.compared.parts.length === 0) throw tooFew(parameters, found.compared);
    return found;
  }

  /** Undefined for all cells. */
  async #setOf(selection: Selection, { filter }: ComparisonParameters['a'], waiting: Waiting) {
    const subset = subsetFilter(filter);
    return subset && (await this.#masks.measure({ ...selection, subset }, waiting)).mask;
  }

  /** One pass over the whole matrix, whatever the number of parts. */
  async #readBlocks(
    selection: Selection,
    compared: ComparedCells,
    method: MarkerTest['method'],
    waiting: Waiting,
  ): Promise<BlockStatistics[][]> {
    const dataset = datasetOf(selection);
    const { valueStarts } = await this.#datasets.get(dataset);
    const tasks = geneBlocks(valueStarts, blockEntries).map(({ from, to }): SideBlockTask => ({
      kind: 'compare-block',
      dataset,
      compared,
      method,
      from,
      to,
    }));
    return runAll<SideBlockTask>(this.#compute, tasks, 'Reading the genes', waiting);
  }
}

/** Visible cache key: the active cells, the sets, and what else decides the numbers. */
function keyOf({ selection, parameters, samples }: Question): string {
  const { a, b, within, method, tie_correct, min_cells, pvals_adj, logfoldchanges } = parameters;
  const set = ({ name, filter }: ComparisonParameters['a']) => [
    name,
    keyOfSelection({ ...selection, subset: subsetFilter(filter) }),
  ];
  const how = [within, samples, method, tie_correct, min_cells, pvals_adj, logfoldchanges];
  return `${keyOfSelection(selection)}|${JSON.stringify([set(a), b && set(b), how])}`;
}

function allCells({ manifest: { cellCount } }: Selection): CellMask {
  return { bits: new Uint8Array(cellCount).fill(1), count: cellCount };
}

function checkLength({ parts }: ComparedCells, { manifest: { geneCount } }: Selection): void {
  const names = parts.reduce((sum, { name }) => sum + name.length, 0);
  if (geneCount * (parts.length * rowCharacters + names) <= maxCharacters) return;
  throw new ApiFailure(
    422,
    'result_too_large',
    `${countText(geneCount)} genes in ${parts.length} groups make a table of over ${countText(maxCharacters)} characters. Compare within a column of fewer groups, or one group at a time as the active subset.`,
  );
}

function sharedRefusal({ a, b }: ComparisonParameters, shared: number): ApiFailure {
  const cells = shared === 1 ? '1 active cell is' : `${countText(shared)} active cells are`;
  return new ApiFailure(
    422,
    'sets_overlap',
    `${cells} in both ${quotedHead(a.name, 80)} and ${quotedHead(b?.name ?? '', 80)}: a cell can be on one side only. Choose sets that share no cell; Compare Cell Sets can save each without the other.`,
    { details: [{ field: 'b', problem: `shares ${shared} cells with a` }] },
  );
}

function tooFew(
  { a, b, within, min_cells: least }: ComparisonParameters,
  { leftOut, unlabelled }: ComparedCells,
) {
  const [inA, inB] = [
    leftOut.reduce((sum, part) => sum + part.a, 0),
    leftOut.reduce((sum, part) => sum + part.b, 0),
  ];
  const counts = `Of the active cells, ${countText(inA)} are in ${quotedHead(a.name, 80)} and ${countText(inB)} in ${b ? quotedHead(b.name, 80) : 'the rest'}`;
  const where =
    within === undefined
      ? counts
      : `${counts}${unlabelled > 0 ? ` (${countText(unlabelled)} more have no value in ${quotedHead(within, 80)})` : ''}, but no group of ${quotedHead(within, 80)} has ${least} of both`;
  return new ApiFailure(
    422,
    'too_few_cells',
    `${where}. A comparison takes at least ${least} cells on each side: choose larger sets, or a larger subset.`,
  );
}

function sizeOf({ tables }: Comparison): number {
  return tables.reduce(
    // A table has four columns for figures besides its rows.
    (sum, { rows, pvals_adj }) => sum + rows.length + 4 * pvals_adj.byteLength,
    1000,
  );
}
