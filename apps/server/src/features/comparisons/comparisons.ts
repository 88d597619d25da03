import type { ComparedCells, ComparedPart, SampleChecks } from '@cellfolio/analysis';
import { type ComparisonParameters, isOfSums } from '@cellfolio/analysis/parameters';
import type { Caution } from '@cellfolio/model';
import { ByteCache, type Dataset } from '@cellfolio/store';
import { JoinedWork, runAll, type Waiting } from '../../runtime/compute/analysis-work.ts';
import type { Compute, TaskCaller } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { sampleColumn, type SampleColumn } from '../../runtime/sample-column.ts';
import { groupColumn } from '../../runtime/group-column.ts';
import {
  datasetOf,
  keyOfSelection,
  keysOfDataset,
  type Selection,
  subsetFilter,
} from '../selection/index.ts';
import { type ComparedSamples, comparisonCautions } from './cautions.ts';
import { type EndSides, type EndSource, findSides, type SideDeps } from './compared-sides.ts';
import type { ComparedTable } from './compared-table.ts';
import { designColumn } from './pseudobulk/design-column.ts';
import {
  type DesignedParts,
  PseudobulkComparisons,
  type SumQuestion,
  type TestedParts,
} from './pseudobulk/pseudobulk-comparisons.ts';
import { cellTests, requireSums } from './pseudobulk/refusals.ts';
import { checkRows } from './refusals.ts';
import { genesToCheck, type SampleCheckTask } from './samples-task.ts';
import type { TableLinesTask } from './table-lines.ts';
import { sideStatistics } from './side-statistics.ts';
import type { FoundSides, SideTableTask } from './tasks.ts';

export interface Comparison {
  /** With the names of the columns as the dataset has them. */
  readonly parameters: ComparisonParameters;
  readonly parts: readonly ComparedPart[];
  /** One for each part. */
  readonly tables: readonly ComparedTable[];
  readonly samples: ComparedSamples | undefined;
  /** Of a comparison by sums of samples: what was tested, in the order of `parts`, and what could not be. */
  readonly pseudobulk?: TestedParts;
  /** Rows of genes that chose the cells, and were not tested. */
  readonly untested: readonly number[];
  /** How the cells were chosen, where they are ends. */
  readonly endLines: readonly string[];
  /** What limits the result, the gravest first. */
  readonly cautions: readonly Caution[];
}

/** What is compared, its columns looked up. */
interface Question {
  readonly selection: Selection;
  readonly parameters: ComparisonParameters;
  readonly samples: SampleColumn | undefined;
  /** What ends depend on besides the cells; empty without ends. */
  readonly version: string;
}

export interface ComparisonDeps extends SideDeps {
  readonly datasets: OpenDatasets;
  readonly ends: EndSource;
}

/** One of 60,000 genes in 40 groups takes 200 MB. */
const resultBytes = 256 * 1024 * 1024;

/** Compares sets of cells gene by gene, in blocks of genes over the compute threads. */
export class Comparisons {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #deps: ComparisonDeps;
  readonly #sums: PseudobulkComparisons;
  readonly #results = new ByteCache<string, Comparison>(resultBytes, sizeOf);
  readonly #running = new JoinedWork<Comparison>();

  constructor(deps: ComparisonDeps) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#deps = deps;
    this.#sums = new PseudobulkComparisons(deps);
  }

  /**
   * Throws ApiFailure 400 for a name that the dataset does not have, 409 for cells that were selected on another version,
   * 422 for sets that share cells or have too few, and for more rows than memory has room for.
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
    return [['comparisons', this.#results.use], ...this.#sums.caches];
  }

  forget(datasetId: string): void {
    this.#results.forget(keysOfDataset(datasetId));
    this.#sums.forget(datasetId);
  }

  /** Keeps no result and no sums any more. */
  releaseMemory(): void {
    this.#results.forget(() => true);
    this.#sums.releaseMemory();
  }

  /** What a comparison depends on besides the cells and its parameters. */
  async version({ ends }: Pick<ComparisonParameters, 'ends'>): Promise<string> {
    return ends === undefined ? '' : this.#deps.ends.version(ends);
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
    if (isOfSums(asked.method)) requireSums(selection.manifest, samples);
    const design = isOfSums(asked.method) ? await designOfQuestion(dataset, asked) : {};
    const parameters = {
      ...asked,
      ...design,
      ...(within !== undefined && { within }),
      ...(named !== undefined && { samples: named }),
    };
    return { selection, parameters, samples, version: await this.version(asked) };
  }

  /** The sides that cells ranked by something have; undefined where sets of cells are compared. */
  async #ends({ selection, parameters, samples }: Question, waiting: Waiting): Promise<EndSides | undefined> {
    const { ends, min_sample_cells: minCells } = parameters;
    return ends && this.#deps.ends.sides(selection, ends, { samples, minCells }, waiting);
  }

  async #compare(question: Question, waiting: Waiting): Promise<Comparison> {
    const { selection, parameters } = question;
    const ends = await this.#ends(question, waiting);
    const found = await findSides(this.#deps, question, waiting, ends);
    const { compared, batches } = found;
    checkRows(compared, selection);
    const { method, tie_correct: tieCorrect, min_cells: minCells } = parameters;
    const samples = found.samples && question.samples && { ...question.samples, ...found.samples };
    const { untested, lines: endLines, cautions: endCautions } = ends ?? noEnds;
    const known = { parameters, samples, untested, endLines };
    if (isOfSums(method)) {
      const pseudobulk = await this.#sums.compare({ ...sumQuestion(question, compared), untested }, waiting);
      const tables = pseudobulk.tested.map(({ table }) => table);
      const cautions = comparisonCautions({ ...question, ...known, compared, batches, tables, pseudobulk });
      const parts = pseudobulk.tested.map(({ part }) => part);
      return { ...known, parts, tables, pseudobulk, cautions: [...endCautions, ...cautions] };
    }
    const blocks = await sideStatistics(this.#deps, { selection, parameters, method }, compared, waiting);
    const tests = compared.parts.map((_, place): SideTableTask => ({
      kind: 'compare-table',
      isLong: true,
      dataset: datasetOf(selection),
      blocks: blocks.map((parts) => parts[place]!),
      compared,
      untested,
      test: { method, tieCorrect, minCells, place },
      thresholds: { adjustedP: parameters.pvals_adj, foldChange: parameters.logfoldchanges },
    }));
    const tables = await runAll<SideTableTask>(this.#compute, tests, 'Testing the genes', waiting);
    const between = samples && (await this.#betweenSamples(question, { compared, samples, tables }, waiting));
    const cautions = comparisonCautions({ ...question, ...known, compared, batches, tables, between });
    return { ...known, parts: compared.parts, tables, cautions: [...endCautions, ...cautions] };
  }

  /** What is left of the differing genes with samples as replicates; undefined where none differs. */
  async #betweenSamples(
    { selection, parameters }: Question,
    found: { compared: ComparedCells; samples: ComparedSamples; tables: readonly ComparedTable[] },
    waiting: Waiting,
  ): Promise<SampleChecks | undefined> {
    const listed = genesToCheck(found.tables, parameters.pvals_adj);
    if (listed.every(({ rows }) => rows.length === 0)) return undefined;
    const task: SampleCheckTask = {
      kind: 'compare-samples',
      isLong: true,
      dataset: datasetOf(selection),
      compared: found.compared,
      samples: found.samples.column,
      listed,
    };
    waiting.onProgress({ stage: 'Checking the genes between samples', done: 0, total: 1 });
    return this.#compute.run<SampleCheckTask>(task, waiting);
  }

  /** The lines of the tables, one task for each part: they are long, and are made where nobody waits for the event loop. */
  linesOf(selection: Selection, { parameters, parts, tables, untested }: Comparison): TableLines {
    const { within, ends } = parameters;
    const tasks = tables.map(({ order, columns, pvals }, place): TableLinesTask => ({
      kind: 'compare-lines',
      dataset: datasetOf(selection),
      table: { order, columns, pvals },
      part: within === undefined ? undefined : parts[place]!.name,
      untested: ends === undefined ? undefined : untested,
    }));
    return tasks.map((task) => (caller) => this.#compute.run<TableLinesTask>(task, caller));
  }

  /** The cells that are compared, by side and part. Throws as `run`. */
  async sides(selection: Selection, asked: ComparisonParameters, waiting: Waiting): Promise<ComparedCells> {
    return (await findSides(this.#deps, await this.#lookUp(selection, asked), waiting)).compared;
  }

  /** How sums of samples would be compared, before any count is read. Throws as `run`. */
  async design(selection: Selection, asked: ComparisonParameters, waiting: Waiting): Promise<DesignedParts> {
    const question = await this.#lookUp(selection, { ...asked, method: 'pseudobulk' });
    const ends = await this.#ends(question, waiting);
    const { compared } = await findSides(this.#deps, question, waiting, ends);
    return this.#sums.design(sumQuestion(question, compared), waiting);
  }

  /**
   * log2 of the counts per million of genes in the sums of a part, by its place among those that were tested: a list for
   * each row.
   */
  async genesOfSums(
    selection: Selection,
    found: Comparison,
    { place, rows }: { place: number; rows: readonly number[] },
    waiting: Waiting,
  ): Promise<Float64Array[]> {
    const question = await this.#lookUp(selection, found.parameters);
    const { compared } = await findSides(this.#deps, question, waiting, await this.#ends(question, waiting));
    const { places, checks } = found.pseudobulk!.tested[place]!;
    const genes = await this.#sums.countsOfGenes(sumQuestion(question, compared), places, rows, waiting);
    const { effectiveSizes } = checks;
    return genes.map((counts) =>
      counts.map((count, at) => Math.log2(((count + 0.5) / (effectiveSizes[at]! + 1)) * 1e6)),
    );
  }
}

/** Makes the lines of each part's table, as characters of a JSON string. */
export type TableLines = readonly ((caller: TaskCaller) => Promise<Uint8Array>)[];

const noEnds = { untested: [], lines: [], cautions: [] } as const;

/** The columns of a design by their names in obs. */
async function designOfQuestion(dataset: Dataset, { covariates, interaction }: ComparisonParameters) {
  return {
    covariates: await Promise.all(covariates.map((column) => designColumn(dataset, column, 'covariates'))),
    ...(interaction !== undefined && {
      interaction: await designColumn(dataset, interaction, 'interaction'),
    }),
  };
}

function sumQuestion(
  { selection, parameters, samples, version }: Question,
  compared: Extract<FoundSides, { shared: 0 }>['compared'],
): SumQuestion {
  const key = keyOfSides({ selection, parameters, samples, version });
  return {
    selection,
    parameters,
    samples: samples!.column,
    compared,
    otherwise: cellTests,
    key,
    untested: [],
  };
}

/** Visible cache key: the active cells, the sets, and what else decides the numbers. */
function keyOf(question: Question): string {
  const { parameters, samples } = question;
  const { a, b, method, tie_correct, pvals_adj, logfoldchanges } = parameters;
  const { covariates, pairing, interaction, trend, robust, min_sample_cells } = parameters;
  const how = isOfSums(method)
    ? [min_sample_cells, covariates, pairing, interaction, trend, robust]
    : [tie_correct];
  const named = [a.name, b?.name, samples, method, ...how, pvals_adj, logfoldchanges];
  return `${keyOfSides(question)}|${JSON.stringify(named)}`;
}

/** The part of the key that says which cells are on which side, in which part. */
function keyOfSides({ selection, parameters, samples, version }: Question): string {
  const { a, b, ends, within, min_cells, min_sample_cells } = parameters;
  if (ends) {
    const ranked = [ends, version, samples?.column, min_sample_cells, within, min_cells];
    return `${keyOfSelection(selection)}|${JSON.stringify(ranked)}`;
  }
  const set = ({ filter }: ComparisonParameters['a']) =>
    keyOfSelection({ ...selection, subset: subsetFilter(filter) });
  return `${keyOfSelection(selection)}|${JSON.stringify([set(a), b && set(b), within, min_cells])}`;
}

function sizeOf({ tables, pseudobulk }: Comparison): number {
  const checks = (pseudobulk?.tested ?? []).reduce(
    (sum, { checks: { spread }, sums }) => sum + 32 * spread.points.x.length + 1000 * sums.length,
    0,
  );
  // Of the columns of the file three or four are the table's own.
  return tables.reduce(
    (sum, { columns, order, means }) =>
      sum + order.byteLength + means.byteLength + columns.length * means.byteLength,
    1000 + checks,
  );
}
