import { ambientGenes, type ComparedCells, type ComparedPart, maxSamples } from '@cellfolio/analysis';
import { type ComparisonParameters, isOfSums } from '@cellfolio/analysis/parameters';
import { type ResultCaution, countText } from '@cellfolio/model';
import { ByteCache } from '@cellfolio/store';
import type { SampleColumn } from '../../runtime/sample-column.ts';
import { JoinedWork, type CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute, TaskCaller } from '../../runtime/compute/compute-pool.ts';
import type { CellDepths, FoundDepths } from '../../runtime/cell-depths.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { findSides, type PartComposition, type SideDeps } from '../sample-design/index.ts';
import { datasetOf, keysOfDataset, type Selection } from '../selection/index.ts';
import { type ComparedSamples, comparisonCautions } from './cautions.ts';
import { columnToPart } from './composition-caution.ts';
import type { ValueRanking } from '../value-ranking/index.ts';
import { type ComparedTable, summaryOf, type TableSummary } from './compared-table.ts';
import { keyOf, lookUp, type Question, type SidedQuestion, sumQuestion } from './comparison-question.ts';
import {
  type DesignedParts,
  PseudobulkComparisons,
  type TestedParts,
} from './pseudobulk/pseudobulk-comparisons.ts';
import { refusedParts } from './pseudobulk/refusals.ts';
import type { Round } from './rounds.ts';
import {
  type GeneChecks,
  genesToCheck,
  listedOfEach,
  type ListedGenes,
  type SampleCheckTask,
} from './sample-check-task.ts';
import type { TableLinesTask } from './table-lines.ts';
import { TestedRounds } from './tested-rounds.ts';

export interface Comparison {
  /** With the column names of the dataset. */
  parameters: ComparisonParameters;
  parts: readonly ComparedPart[];
  /** Stored summary of each part's table; see `Comparisons.table`. */
  summaries: readonly TableSummary[];
  /** The parts grouped by what was tested at once, in order. */
  rounds: readonly TestedRound[];
  samples: ComparedSamples | undefined;
  /** For a comparison by sums of samples: tested parts, in the order of `parts`, and those that could not be tested. */
  pseudobulk?: TestedParts;
  untested: readonly number[];
  endLines: readonly string[];
  /** The column of types that the sides can be compared within, where they are of other types. */
  withinOffered: string | undefined;
  /** How many counts the cells of A and B have, in the order of `parts`; undefined where that is not known, and for sums of samples. */
  depths: FoundDepths | undefined;
  cautions: readonly ResultCaution[];
}

/** One round, and the index of its first part among the tested parts. */
interface TestedRound extends Round {
  first: number;
}

interface ComparisonDeps extends SideDeps {
  datasets: OpenDatasets;
  depths: CellDepths;
  ranking: Pick<ValueRanking, 'sides' | 'version'>;
  /** As in `TestedRounds`. */
  roundRows?: number;
}

/** Cache size of comparisons without their tables. */
const resultBytes = 32 * 1024 * 1024;

export class Comparisons {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #deps: ComparisonDeps;
  readonly #sums: PseudobulkComparisons;
  readonly #results = new ByteCache<string, Comparison>(resultBytes, sizeOf);
  readonly #rounds: TestedRounds;
  readonly #running = new JoinedWork<Comparison>();

  constructor(deps: ComparisonDeps) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#deps = deps;
    this.#sums = new PseudobulkComparisons(deps);
    this.#rounds = new TestedRounds({ ...deps, sums: this.#sums });
  }

  /**
   * Throws ApiFailure 400 for a name that the dataset does not have, 409 for cells selected on another version, 422 for
   * sets that share cells or have too few.
   */
  async run(selection: Selection, request: ComparisonParameters, call: CallContext): Promise<Comparison> {
    const question = await this.#lookUp(selection, request);
    const key = keyOf(question);
    const cached = this.#results.get(key);
    if (cached) return { ...cached, parameters: question.parameters };
    return this.#running.run(key, call, async (joined) => {
      const comparison = await this.#compare(question, joined);
      this.#results.set(key, comparison);
      return comparison;
    });
  }

  get caches(): NamedCaches {
    return [
      ['comparisons', this.#results.use],
      ['comparison tables', this.#rounds.use],
      ...this.#sums.caches,
    ];
  }

  forget(datasetId: string): void {
    this.#results.forget(keysOfDataset(datasetId));
    this.#rounds.forget(keysOfDataset(datasetId));
    this.#sums.forget(datasetId);
  }

  releaseMemory(): void {
    this.#results.forget(() => true);
    this.#rounds.forget(() => true);
    this.#sums.releaseMemory();
  }

  async version({ ends }: Pick<ComparisonParameters, 'ends'>): Promise<string> {
    return ends === undefined ? '' : this.#deps.ranking.version(ends);
  }

  async #lookUp(selection: Selection, request: ComparisonParameters): Promise<Question> {
    const dataset = await this.#datasets.get(datasetOf(selection));
    return lookUp(dataset, { selection, version: await this.version(request) }, request);
  }

  async #sided(question: Question, call: CallContext): Promise<SidedQuestion> {
    const { selection, parameters, samples } = question;
    const { ends: endsParameters, min_sample_cells: minCells } = parameters;
    // The sides that cells ranked by something have, within the samples that they are then compared by.
    const ends =
      endsParameters &&
      (await this.#deps.ranking.sides(selection, endsParameters, { samples, minCells }, call));
    const fixed = ends && samples ? { ...samples, isFixed: true as const } : samples;
    const sides = await findSides(this.#deps, { selection, parameters, samples: fixed }, call, ends);
    return { ...question, ends, sides };
  }

  async #compare(question: Question, call: CallContext): Promise<Comparison> {
    const sided = await this.#sided(question, call);
    const { selection, parameters, ends } = sided;
    const { compared, batches, samples: comparedSamples, composition } = sided.sides;
    const samples = comparedSamples && {
      ...comparedSamples.samples,
      names: comparedSamples.names,
      a: comparedSamples.a,
      b: comparedSamples.b,
    };
    const { untested, lines: endLines, cautions: endCautions } = ends ?? noEnds;
    const baseFindings = { parameters, samples, untested, endLines };
    const { rounds, planned } = await this.#rounds.plan(sided, call);
    const maxGenes = listedOfEach(compared.parts.length);
    const parts: ComparedPart[] = [];
    const summaries: TableSummary[] = [];
    const listed: ListedGenes[] = [];
    const sums: TestedParts[] = [];
    const roundDepths: FoundDepths[] = [];
    let ambient: ReadonlySet<string> = new Set();
    const testedRounds: TestedRound[] = [];
    for (const round of rounds) {
      const roundCall = rounds.length === 1 ? call : namingRound(call, round, compared.parts.length);
      const tested = await this.#rounds.of(sided, round, roundCall, planned);
      testedRounds.push({ ...round, first: parts.length });
      parts.push(...tested.parts);
      for (const table of tested.tables) {
        summaries.push(summaryOf(table));
        listed.push(genesToCheck(table, { limit: parameters.pvals_adj, maxGenes }));
      }
      if (tested.pseudobulk) sums.push(tested.pseudobulk);
      if (tested.depths) roundDepths.push(tested.depths);
      // With several rounds the tables are not in memory at the same time.
      if (rounds.length === 1) ambient = ambientSymbols(tested.tables, parameters.method);
    }
    const pseudobulk = sums.length === 0 ? undefined : joinedSums(sums);
    if (pseudobulk?.tested.length === 0) throw refusedParts(pseudobulk.refused, parameters.within);
    const { between, byComposition } = await this.#checkGenes(
      selection,
      { compared, samples: pseudobulk ? undefined : samples, composition, parts, listed },
      call,
    );
    const depths = joinedDepths(roundDepths);
    const cautions = comparisonCautions({
      ...question,
      ...baseFindings,
      depths,
      ambient,
      compared,
      batches,
      tables: summaries,
      between,
      composition,
      byComposition,
      ...(pseudobulk && { pseudobulk }),
    });
    return {
      ...baseFindings,
      withinOffered: composition && columnToPart(composition, parameters),
      parts,
      summaries,
      rounds: testedRounds,
      depths,
      ...(pseudobulk && { pseudobulk }),
      cautions: [...endCautions, ...cautions],
    };
  }

  /** The table of a part, by its index among the tested parts. Throws as `run`. */
  async table(
    selection: Selection,
    comparison: Comparison,
    place: number,
    call: CallContext,
  ): Promise<ComparedTable> {
    const round = roundAt(comparison, place);
    return (await this.#tablesOf(selection, comparison, round, call))[place - round.first]!;
  }

  async #tablesOf(
    selection: Selection,
    comparison: Comparison,
    round: Round,
    call: CallContext,
  ): Promise<readonly ComparedTable[]> {
    const question = await this.#lookUp(selection, comparison.parameters);
    const cached = this.#rounds.cached(question, round);
    return (cached ?? (await this.#rounds.of(await this.#sided(question, call), round, call))).tables;
  }

  /** The differing genes between samples, and how many the composition of the sides explains best; nothing if none differs. */
  async #checkGenes(
    selection: Selection,
    input: Pick<SampleCheckTask, 'compared' | 'listed'> &
      Pick<Comparison, 'parts' | 'samples'> & { composition: PartComposition | undefined },
    call: CallContext,
  ): Promise<GeneChecks> {
    const { compared, samples, composition, parts, listed } = input;
    const types = composition && composition.names.length <= maxSamples ? composition.column : undefined;
    if ((!samples && types === undefined) || listed.every(({ rows }) => rows.length === 0)) return {};
    const task: SampleCheckTask = {
      kind: 'compare-samples',
      isLong: true,
      dataset: datasetOf(selection),
      compared,
      samples: samples?.column,
      types,
      totals: samples && (await this.#deps.depths.totals(selection.manifest, call)),
      // Some parts may not have been tested.
      listed: compared.parts.map(
        ({ name }) => listed[parts.findIndex((part) => part.name === name)] ?? nothingListed,
      ),
    };
    call.onProgress({ stage: 'Checking the differing genes', done: 0, total: 1 });
    return this.#compute.run<SampleCheckTask>(task, call);
  }

  /**
   * Writes the lines of the tables, one task per part, off the event loop because they are long. Call in the order of
   * the parts: the tables of one round are held for them.
   */
  linesOf(selection: Selection, comparison: Comparison): TableLines {
    const { parameters, parts, untested } = comparison;
    const { within, ends } = parameters;
    let current: { round: TestedRound; tables: readonly ComparedTable[] } | undefined;
    return parts.map(({ name }, place) => async (caller) => {
      const round = roundAt(comparison, place);
      if (current?.round !== round) {
        // Before those of the next are made.
        current = undefined;
        const call = { ...caller, onProgress: () => {} };
        current = { round, tables: await this.#tablesOf(selection, comparison, round, call) };
      }
      const { order, columns, pvals } = current.tables[place - round.first]!;
      const task: TableLinesTask = {
        kind: 'compare-lines',
        dataset: datasetOf(selection),
        table: { order, columns, pvals },
        part: within === undefined ? undefined : name,
        untested: ends === undefined ? undefined : untested,
      };
      return this.#compute.run<TableLinesTask>(task, caller);
    });
  }

  /** The compared cells, by side and part. Throws as `run`. */
  async sides(
    selection: Selection,
    request: ComparisonParameters,
    call: CallContext,
  ): Promise<ComparedCells> {
    return (await findSides(this.#deps, await this.#lookUp(selection, request), call)).compared;
  }

  /** How sums of samples would be compared, without reading any counts. Throws as `run`. */
  async design(
    selection: Selection,
    request: ComparisonParameters,
    call: CallContext,
  ): Promise<{ parts: DesignedParts; samples: SampleColumn; random: string | undefined }> {
    const question = await this.#lookUp(selection, { ...request, method: 'pseudobulk' });
    const sided = await this.#sided(question, call);
    const parts = await this.#sums.design(sumQuestion(sided, sided.sides.compared), call);
    const samples = sided.sides.samples?.samples ?? question.samples!;
    return { parts, samples, random: question.parameters.random_effect };
  }

  /** log2 counts per million of genes in the sums of a part, by its index among the tested parts: one list per row. */
  async genesOfSums(
    selection: Selection,
    comparison: Comparison,
    { place, rows }: { place: number; rows: readonly number[] },
    call: CallContext,
  ): Promise<Float64Array[]> {
    const sided = await this.#sided(await this.#lookUp(selection, comparison.parameters), call);
    const round = roundAt(comparison, place);
    const question = sumQuestion(sided, await this.#rounds.partsOf(sided, round, call), round);
    const { places, checks } = comparison.pseudobulk!.tested[place]!;
    const genes = await this.#sums.countsOfGenes(question, places, rows, call);
    const { effectiveSizes } = checks;
    return genes.map((counts) =>
      counts.map((count, at) => Math.log2(((count + 0.5) / (effectiveSizes[at]! + 1)) * 1e6)),
    );
  }
}

export type TableLines = readonly ((caller: TaskCaller) => Promise<Uint8Array>)[];

const nothingListed: ListedGenes = { rows: new Int32Array(), rising: [] };
const noEnds = { untested: [], lines: [], cautions: [] } as const;

function roundAt({ rounds }: Comparison, place: number): TestedRound {
  return rounds.findLast(({ first }) => first <= place)!;
}

function namingRound(call: CallContext, { from, to }: Round, count: number): CallContext {
  const groups = `groups ${countText(from + 1)} to ${countText(to)} of ${countText(count)}`;
  return {
    ...call,
    onProgress: (event) => call.onProgress({ ...event, stage: `${event.stage}: ${groups}` }),
  };
}

function joinedSums(rounds: readonly TestedParts[]): TestedParts {
  return {
    tested: rounds.flatMap(({ tested }) => tested),
    refused: rounds.flatMap(({ refused }) => refused),
    unlabelled: rounds.reduce((sum, { unlabelled }) => sum + unlabelled, 0),
  };
}

/** Symbols of leading genes that behave as ambient RNA. */
function ambientSymbols(
  tables: readonly ComparedTable[],
  method: ComparisonParameters['method'],
): ReadonlySet<string> {
  const types = tables.map(({ order, leading, ...of }) => ({
    ...of,
    leading: order.subarray(0, leading.length),
  }));
  const rows = ambientGenes(types, isOfSums(method) ? (mean) => 2 ** mean : Math.expm1);
  return new Set(tables.flatMap(({ order, leading }) => leading.filter((_, at) => rows.has(order[at]!))));
}

function joinedDepths(rounds: readonly FoundDepths[]): FoundDepths | undefined {
  const [first] = rounds;
  if (!first) return undefined;
  const shares = rounds.flatMap((round) => round.shares ?? []);
  return {
    ...first,
    sets: rounds.flatMap(({ sets }) => sets),
    ...(shares.length > 0 && { shares }),
  };
}

function sizeOf({ summaries, pseudobulk }: Comparison): number {
  const checks = (pseudobulk?.tested ?? []).reduce(
    (sum, { checks: { spread }, sums }) => sum + 32 * spread.points.x.length + 1000 * sums.length,
    0,
  );
  return 1000 + 1000 * summaries.length + checks;
}
