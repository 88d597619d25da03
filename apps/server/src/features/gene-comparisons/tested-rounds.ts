import {
  type ComparedCells,
  type ComparedPart,
  type BlockStatistics,
  type DepthSets,
  type MarkerMethod,
  markerTest,
  type Thinning,
} from '@cellfolio/analysis';
import { isOfSums, type ComparisonParameters } from '@cellfolio/analysis/parameters';
import { geneBlocks } from '@cellfolio/store';
import { runAll, type CallContext, blockEntries } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { CellDepths, FoundDepths } from '../../runtime/cell-depths.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import type { ComparedTable } from './compared-table.ts';
import { keyOf, type Question, roundKey, type SidedQuestion, sumQuestion } from './comparison-question.ts';
import type {
  PlannedParts,
  PseudobulkComparisons,
  TestedParts,
} from './pseudobulk/pseudobulk-comparisons.ts';
import { type Round, roundsOf, rowsOfRound } from './rounds.ts';
import type { SideTableTask, SomePartsTask, SideBlockTask, StoredSidesTask } from './tasks.ts';
import { columnsOfSets } from '../sample-design/index.ts';

interface RoundTables {
  parts: readonly ComparedPart[];
  tables: readonly ComparedTable[];
  pseudobulk?: TestedParts;
  /** Where cells were compared, and it is known how many counts they have. */
  depths?: FoundDepths | undefined;
}

interface PlannedRounds {
  rounds: readonly Round[];
  planned?: PlannedParts;
}

interface TestedRoundsDeps {
  compute: Compute;
  depths: CellDepths;
  sums: PseudobulkComparisons;
  roundRows?: number | undefined;
}

/** Cache size of tables: a round of 60,000 genes in 40 groups takes 200 MB. */
const tableBytes = 256 * 1024 * 1024;

/**
 * Tests the parts of a comparison round by round, so that memory does not grow with their number. Tables are cached
 * while they fit; others are computed again on request.
 */
export class TestedRounds {
  readonly #deps: TestedRoundsDeps;
  readonly #tables = new KeptWork<RoundTables>(tableBytes, sizeOf);

  constructor(deps: TestedRoundsDeps) {
    this.#deps = deps;
  }

  get use() {
    return this.#tables.use;
  }

  forget(matches: (key: string) => boolean): void {
    this.#tables.forget(matches);
  }

  /** Throws as `PseudobulkComparisons.rounds`. */
  async plan(sided: SidedQuestion, call: CallContext): Promise<PlannedRounds> {
    const { selection, parameters, sides } = sided;
    const { roundRows = rowsOfRound, sums } = this.#deps;
    if (isOfSums(parameters.method)) {
      return sums.rounds(sumQuestion(sided, sides.compared), roundRows, call);
    }
    const { geneCount } = selection.manifest;
    const sizes = sides.compared.parts.map(() => geneCount);
    return { rounds: roundsOf(sizes, roundRows) };
  }

  cached(question: Question, round: Round): RoundTables | undefined {
    return this.#tables.cached(roundKey(keyOf(question), round));
  }

  of(sided: SidedQuestion, round: Round, call: CallContext, planned?: PlannedParts): Promise<RoundTables> {
    return this.#tables.of(roundKey(keyOf(sided), round), call, (joined) =>
      this.#test(sided, round, joined, planned),
    );
  }

  async #test(
    sided: SidedQuestion,
    round: Round,
    call: CallContext,
    planned?: PlannedParts,
  ): Promise<RoundTables> {
    const { compute, sums } = this.#deps;
    const { selection, parameters, ends } = sided;
    const { method } = parameters;
    const untested = ends?.untested ?? [];
    const compared = await this.partsOf(sided, round, call);
    if (isOfSums(method)) {
      const question = { ...sumQuestion(sided, compared, round), untested };
      const { parts: pseudobulk, tables } = await sums.compare(question, call, planned);
      return { parts: pseudobulk.tested.map(({ part }) => part), tables, pseudobulk };
    }
    const depths = await sideDepths(this.#deps.depths, sided, compared, call);
    const request = { selection, parameters, method, thinning: depths?.thinning };
    const blocks = await sideStatistics(this.#deps, request, compared, call);
    const test = markerTest({ ...parameters, method });
    const tests = compared.parts.map((_, place): SideTableTask => ({
      kind: 'compare-table',
      isLong: true,
      dataset: datasetOf(selection),
      blocks: blocks.map((parts) => parts[place]!),
      compared,
      untested,
      test: { ...test, place },
      thresholds: { adjustedP: parameters.pvals_adj, foldChange: parameters.logfoldchanges },
    }));
    const tables = await runAll<SideTableTask>(compute, tests, 'Testing the genes', call);
    // Without what is held of each cell.
    return { parts: compared.parts, tables, depths: depths && { ...depths, thinning: undefined } };
  }

  async partsOf({ sides }: SidedQuestion, round: Round, call: CallContext): Promise<ComparedCells> {
    const { compared } = sides;
    if (round.to - round.from === compared.parts.length) return compared;
    const task: SomePartsTask = { kind: 'compare-some-parts', compared, round };
    return this.#deps.compute.run<SomePartsTask>(task, call);
  }
}

function sizeOf({ tables }: RoundTables): number {
  // Three or four columns of the file are the table's own.
  return tables.reduce(
    (sum, { columns, order, means }) =>
      sum + order.byteLength + means.byteLength + columns.length * means.byteLength,
    1000,
  );
}

interface TestedSides {
  selection: Selection;
  parameters: ComparisonParameters;
  method: MarkerMethod;
  thinning: Thinning | undefined;
}

/** How many counts the cells of A and B have, part by part; undefined where that is not known. */
function sideDepths(
  depths: CellDepths,
  { selection, parameters }: Pick<TestedSides, 'selection' | 'parameters'>,
  { sides, partOf, parts }: ComparedCells,
  call: CallContext,
): Promise<FoundDepths | undefined> {
  const sets = parts.map((_, part): DepthSets => ({
    codes: sides,
    setCount: 2,
    ...(partOf && { within: { partOf, part } }),
  }));
  return depths.of(selection.manifest, { sets, isThinned: parameters.depth === 'downsample' }, call);
}

/**
 * Statistics of all genes for the tests of single cells: a list for each block of genes, with one entry for each part.
 * Taken from the sums stored with the dataset if they suffice, else from one pass over the whole matrix, whatever the
 * number of parts.
 */
async function sideStatistics(
  { compute, depths }: { compute: Compute; depths: CellDepths },
  { selection, parameters, method, thinning }: TestedSides,
  compared: ComparedCells,
  call: CallContext,
): Promise<BlockStatistics[][]> {
  const dataset = datasetOf(selection);
  if (method === 't-test' && !compared.partOf && !thinning) {
    const stored = await compute.run<StoredSidesTask>(
      { kind: 'compare-stored', dataset, compared, columns: columnsOfSets(selection, parameters) },
      call,
    );
    if (stored) return [[stored]];
  }
  const starts = await depths.testedStarts(dataset, thinning, call);
  const tasks = geneBlocks(starts, blockEntries).map(({ from, to }): SideBlockTask => ({
    kind: 'compare-block',
    dataset,
    compared,
    method,
    thinning,
    from,
    to,
  }));
  return runAll<SideBlockTask>(compute, tasks, 'Reading the genes', call);
}
