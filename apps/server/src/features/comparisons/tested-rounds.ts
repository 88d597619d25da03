import type { ComparedCells, ComparedPart } from '@cellfolio/analysis';
import { isOfSums } from '@cellfolio/analysis/parameters';
import { runAll, type CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { CellDepths, FoundDepths } from '../../runtime/cell-depths.ts';
import { datasetOf } from '../selection/index.ts';
import type { ComparedTable } from './compared-table.ts';
import { keyOf, type Question, roundKey, type SidedQuestion, sumQuestion } from './comparison-question.ts';
import type {
  PlannedParts,
  PseudobulkComparisons,
  TestedParts,
} from './pseudobulk/pseudobulk-comparisons.ts';
import { type Round, roundsOf, rowsOfRound } from './rounds.ts';
import { sideDepths, sideStatistics } from './side-statistics.ts';
import type { SideTableTask, SomePartsTask } from './tasks.ts';

interface RoundTables {
  readonly parts: readonly ComparedPart[];
  readonly tables: readonly ComparedTable[];
  readonly pseudobulk?: TestedParts;
  /** Where cells were compared, and it is known how many counts they have. */
  readonly depths?: FoundDepths | undefined;
}

interface PlannedRounds {
  readonly rounds: readonly Round[];
  readonly planned?: PlannedParts;
}

interface TestedRoundsDeps {
  readonly compute: Compute;
  readonly depths: CellDepths;
  readonly sums: PseudobulkComparisons;
  readonly roundRows?: number | undefined;
}

/** Cache size of tables: a round of 60,000 genes in 40 groups takes 200 MB. */
const tableBytes = 256 * 1024 * 1024;

/**
 * Tests the parts of a comparison round by round, so that memory does not grow with their number. Tables are cached
 * while they fit; others are computed again on request.
 */
export class TestedRounds {
  readonly #deps: TestedRoundsDeps;
  readonly #kept = new KeptWork<RoundTables>(tableBytes, sizeOf);

  constructor(deps: TestedRoundsDeps) {
    this.#deps = deps;
  }

  get use() {
    return this.#kept.use;
  }

  forget(matches: (key: string) => boolean): void {
    this.#kept.forget(matches);
  }

  /** Throws as `PseudobulkComparisons.rounds`. */
  async plan(sided: SidedQuestion, call: CallContext): Promise<PlannedRounds> {
    const { selection, parameters, found } = sided;
    const { roundRows = rowsOfRound, sums } = this.#deps;
    if (isOfSums(parameters.method)) {
      return sums.rounds(sumQuestion(sided, found.compared), roundRows, call);
    }
    const { geneCount } = selection.manifest;
    const sizes = found.compared.parts.map(() => geneCount);
    return { rounds: roundsOf(sizes, roundRows) };
  }

  known(question: Question, round: Round): RoundTables | undefined {
    return this.#kept.known(roundKey(keyOf(question), round));
  }

  of(sided: SidedQuestion, round: Round, call: CallContext, planned?: PlannedParts): Promise<RoundTables> {
    return this.#kept.of(roundKey(keyOf(sided), round), call, (joined) =>
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
    const { method, tie_correct: tieCorrect, pseudocount, min_cells: minCells } = parameters;
    const untested = ends?.untested ?? [];
    const compared = await this.partsOf(sided, round, call);
    if (isOfSums(method)) {
      const question = { ...sumQuestion(sided, compared, round), untested };
      const { parts: pseudobulk, tables } = await sums.compare(question, call, planned);
      return { parts: pseudobulk.tested.map(({ part }) => part), tables, pseudobulk };
    }
    const depths = await sideDepths(this.#deps.depths, sided, compared, call);
    const asked = { selection, parameters, method, thinning: depths?.thinning };
    const blocks = await sideStatistics(this.#deps, asked, compared, call);
    const tests = compared.parts.map((_, place): SideTableTask => ({
      kind: 'compare-table',
      isLong: true,
      dataset: datasetOf(selection),
      blocks: blocks.map((parts) => parts[place]!),
      compared,
      untested,
      test: { method, tieCorrect, pseudocount, minCells, place },
      thresholds: { adjustedP: parameters.pvals_adj, foldChange: parameters.logfoldchanges },
    }));
    const tables = await runAll<SideTableTask>(compute, tests, 'Testing the genes', call);
    // Without what is held of each cell.
    return { parts: compared.parts, tables, depths: depths && { ...depths, thinning: undefined } };
  }

  async partsOf({ found }: SidedQuestion, round: Round, call: CallContext): Promise<ComparedCells> {
    const { compared } = found;
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
