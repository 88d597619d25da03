import type { ComparedGroups, Stratum, SummedStratum } from '@cellfolio/analyses/serve';
import {
  type BlockStatistics,
  canCompare,
  type CellGroups,
  NotEnoughGroups,
  statisticsBytes,
  statisticsIn,
  testedGroups,
} from '@cellfolio/analysis';
import { type Bins, type Grouping, markerParameters } from '@cellfolio/analysis/parameters';
import { filterRequest, type MarkerParameters, type SelectedCells } from '@cellfolio/contract';
import { listedNames, plural, quotedHead } from '@cellfolio/model';
import { ByteCache, geneBlocks } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CellDepths } from '../../runtime/cell-depths.ts';
import { quotedColumn } from '../../runtime/column-names.ts';
import { blockEntries, type CallContext, JoinedWork, runAll } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import {
  datasetOf,
  keyOfCells,
  keyOfSelection,
  keysOfDataset,
  type Selection,
  type SubsetFilter,
  subsetFilter,
} from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import type { GroupTask } from './found-groups.ts';
import type { BlockTask } from './tasks.ts';

export interface GroupQuestion {
  readonly selection: Selection;
  readonly column: string;
  /** How its numbers are binned; absent when it has categories. */
  readonly bins?: Bins | undefined;
  /** Column and bins whose categories separate the groups. */
  readonly split?: Grouping | undefined;
  readonly parameters: Pick<
    MarkerParameters,
    'reference' | 'selection' | 'method' | 'depth' | 'unlabelled' | 'unassigned'
  >;
}

export type GroupSums = Omit<ComparedGroups, 'by' | 'split'>;

const minCells = 2;
const cacheBytes = 64 * 1024 * 1024;

/** Sums of all genes in groups of cells, cached, so that other limits on the same test read nothing again. */
export class SumsOfGroups {
  readonly #compute: Compute;
  readonly #masks: CellMasks;
  readonly #depths: CellDepths;
  readonly #sums = new ByteCache<string, GroupSums>(cacheBytes, sizeOf);
  readonly #reading = new JoinedWork<GroupSums>();

  constructor(deps: { compute: Compute; masks: CellMasks; depths: CellDepths }) {
    this.#compute = deps.compute;
    this.#masks = deps.masks;
    this.#depths = deps.depths;
  }

  /**
   * The sums of a column, shared with its t-test; `column` is the dataset's name. Cells without a group are left out. Throws
   * ApiFailure 422 for a column that cannot be compared.
   */
  async ofColumn(
    selection: Selection,
    column: string,
    call: CallContext,
  ): Promise<{ groups: CellGroups; blocks: readonly BlockStatistics[]; unlabelledCells: number }> {
    const parameters = markerParameters.parse({
      groupby: column,
      method: 't-test',
      unlabelled: 'left-out',
    });
    const { strata, unlabelledCells } = await this.of({ selection, column, parameters }, call);
    const [{ groups, blocks }] = strata as readonly [SummedStratum];
    return { groups, blocks, unlabelledCells };
  }

  /** Throws ApiFailure 422 for groups that cannot be compared. */
  async of(question: GroupQuestion, call: CallContext): Promise<GroupSums> {
    const key = keyOf(question);
    const cached = this.#sums.get(key);
    if (cached) return withReference(cached, question);
    // One caller's reference may be unknown, and another's not.
    const reading = `${key}|${question.parameters.reference ?? ''}`;
    const read = await this.#reading.run(reading, call, async (joined) => {
      const { selection, column, bins, split, parameters } = question;
      const { method, unassigned, selection: cells } = parameters;
      const unlabelled = unlabelledOf(parameters);
      const dataset = datasetOf(selection);
      const mask = await this.#masks.maskOf(selection, joined);
      const subset = cells && subsetFilter(filterOfCells(cells));
      const selected = subset && (await this.#masks.maskOf({ ...selection, subset }, joined));
      const by = { column, ...(bins && { bins }) };
      const grouping = await this.#compute.run<GroupTask>(
        { kind: 'group', dataset, mask, by, split, selected, method, unlabelled, unassigned },
        joined,
      );
      const { statistics: stored, ...ofCells } = grouping;
      const { strata, ...groupCounts } = withReference(ofCells, question);
      // Before the matrix is read; callers who share it may ask for more cells than this.
      checkGroups(strata, question, minCells);
      const isThinned = parameters.depth === 'downsample';
      const depths = isThinned
        ? await this.#depths.of(selection.manifest, depthSets(strata, true), joined)
        : undefined;
      const tested = { strata, method, thinning: depths?.thinning };
      const statistics = stored && !isThinned ? [stored] : await this.#readBlocks(selection, tested, joined);
      const sums = {
        ...groupCounts,
        // Without what is held of each cell.
        thinned: depths && { ...depths, thinning: undefined },
        // Without the reference: sums of a t-test serve any.
        strata: strata.map(({ part, groups }, at) => ({
          part,
          groups,
          blocks: [statistics[at]!],
        })),
      };
      this.#sums.set(key, sums);
      return sums;
    });
    return withReference(read, question);
  }

  /** Statistics of all genes by stratum, each in one memory that the threads write into. */
  async #readBlocks(
    selection: Selection,
    { strata, method, thinning }: Pick<BlockTask, 'strata' | 'method' | 'thinning'>,
    call: CallContext,
  ): Promise<BlockStatistics[]> {
    const dataset = datasetOf(selection);
    const { geneCount } = selection.manifest;
    const into = strata.map(({ groups, reference: of }) => {
      const reference = method === 'wilcoxon' ? of : undefined;
      const shape = { method, reference, firstGene: 0, geneCount, slotCount: groups.names.length + 1 };
      return statisticsIn(new SharedArrayBuffer(statisticsBytes(shape)), shape);
    });
    const starts = await this.#depths.testedStarts(dataset, thinning, call);
    const tasks = geneBlocks(starts, blockEntries).map(
      ({ from, to }) => ({ kind: 'block', dataset, strata, method, into, thinning, from, to }) as const,
    );
    await runAll<BlockTask>(this.#compute, tasks, 'Comparing the groups', call);
    return into;
  }

  get caches(): NamedCaches {
    return [['marker statistics', this.#sums.use]];
  }

  forget(datasetId: string): void {
    this.#sums.forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#sums.forget(() => true);
  }
}

/** The groups of each stratum, and the cells of none, which all others are compared with as well. */
export function depthSets(strata: readonly Stratum[], isThinned: boolean) {
  const sets = strata.map(({ groups: { codes, names } }) => ({ codes, setCount: names.length + 1 }));
  return { sets, isThinned };
}

function filterOfCells(cells: SelectedCells): SubsetFilter {
  return filterRequest.parse({ subset_group_name: 'Selection', cells_filter: true, cells });
}

function sizeOf({ strata }: GroupSums): number {
  return strata.reduce(
    (all, { groups, blocks }) =>
      blocks.reduce(
        (sum, { sums, expressing, squares, rankSums, tieTerms }) =>
          sum +
          sums.byteLength +
          expressing.byteLength +
          squares.byteLength +
          rankSums.byteLength +
          tieTerms.byteLength,
        all + groups.codes.byteLength,
      ),
    0,
  );
}

/** Visible cache key of the sums that a test needs: ranks depend on the reference, other sums do not. */
export function keyOf({ selection, column, bins, split, parameters }: GroupQuestion): string {
  const { selection: selected, method, depth, unassigned, reference } = parameters;
  const cells = selected ? keyOfCells(selected) : column;
  const by = [cells, method, depth, unlabelledOf(parameters), unassigned, selected !== undefined];
  const ranked = method === 'wilcoxon' && reference !== undefined ? [reference] : [];
  const further = bins || split || ranked.length > 0 ? [bins, split, ...ranked] : [];
  return `${keyOfSelection(selection)}|${JSON.stringify([...by, ...further])}`;
}

/** With a group as the reference, cells without a group are compared with none. */
function unlabelledOf({ reference, unlabelled }: GroupQuestion['parameters']): typeof unlabelled {
  return reference === undefined ? unlabelled : 'left-out';
}

const maxNamesListed = 10;

/** The strata with the place of the reference among their groups. Throws ApiFailure where one has no such group. */
function withReference<Grouped extends { readonly strata: readonly Stratum[] }>(
  grouped: Grouped,
  { selection: { own }, column, split, parameters: { reference } }: GroupQuestion,
): Grouped {
  if (reference === undefined) return grouped;
  const strata = grouped.strata.map((stratum) => ({
    ...stratum,
    reference: stratum.groups.names.indexOf(reference),
  }));
  const without = strata.filter((stratum) => stratum.reference < 0);
  if (without.length === 0) return { ...grouped, strata };
  const group = quotedHead(reference, 80);
  if (without.length === strata.length) {
    const names = [...new Set(strata.flatMap(({ groups }) => groups.names))];
    throw new ApiFailure(
      400,
      'unknown_group',
      `No compared cell is in a group ${group} of ${quotedColumn(column, own)}. Compare with one of its groups: ${listedNames(names, maxNamesListed)}.`,
      { details: [{ field: 'reference', problem: 'is not a group of the compared cells' }] },
    );
  }
  const parts = without.map(({ part }) => part ?? '');
  throw new ApiFailure(
    422,
    'not_enough_groups',
    `The reference ${group} has no active cells in ${plural(parts.length, 'category', 'categories')} of ${quotedColumn(split?.column ?? '', own)}: ${listedNames(parts, maxNamesListed)}. Compare with another group, or a subset without these categories.`,
    { details: [{ field: 'reference', problem: 'has no cells in a category of split' }] },
  );
}

/** Refuses groups that cannot be compared before anything is read; one comparable stratum is enough. */
export function checkGroups(
  strata: readonly Stratum[],
  { selection: { own }, column, split, parameters }: GroupQuestion,
  minCells: number,
): void {
  if (split) {
    if (strata.some(({ groups, reference }) => canCompare(groups, minCells, reference))) return;
    throw new ApiFailure(
      422,
      'not_enough_groups',
      `The groups of ${quotedColumn(column, own)} cannot be compared within the categories of ${quotedColumn(split.column, own)}: no category has a group of ${minCells} cells and at least as many others. Choose another column to split by, or a larger subset.`,
    );
  }
  try {
    testedGroups(strata[0]!.groups, minCells, strata[0]!.reference);
  } catch (error) {
    if (!(error instanceof NotEnoughGroups)) throw error;
    const message = parameters.selection
      ? `The selection cannot be compared with the rest: at least ${minCells} active cells must be selected, and at least as many not selected.`
      : `The column ${quotedColumn(column, own)} cannot be compared: ${error.message}.`;
    const details = [{ field: 'groupby', problem: 'has no groups that can be compared' }];
    throw new ApiFailure(422, 'not_enough_groups', message, {
      ...(!parameters.selection && { details }),
      cause: error,
    });
  }
}
