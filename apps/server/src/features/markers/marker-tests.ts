import { type BlockStatistics, type CellGroups, NotEnoughGroups, testedGroups } from '@cellfolio/analysis';
import { markerParameters } from '@cellfolio/analysis/parameters';
import {
  type CategoryDisplay,
  filterRequest,
  type MarkerParameters,
  type SelectedCells,
} from '@cellfolio/contract';
import type { Caution } from '@cellfolio/model';
import { ByteCache, geneBlocks } from '@cellfolio/store';
import type { GroupTask, CheckTask, MarkerChecks, BlockTask, Markers, RankTask } from './tasks.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import { displayOrder } from '../../runtime/compute/category-display.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { sampleColumn } from '../../runtime/sample-column.ts';
import { blockEntries, runAll } from '../../runtime/compute/analysis-work.ts';
import { JoinedWork, type Waiting } from '../../runtime/compute/analysis-work.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { isClustering, markerCautions, type MarkerQuestion } from './cautions.ts';
import { groupColumn } from '../../runtime/group-column.ts';
import {
  datasetOf,
  keyOfCells,
  keyOfSelection,
  keysOfDataset,
  placesOf,
  type Selection,
  type SubsetFilter,
  subsetFilter,
} from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';

/** What is kept of an analysis, so that other limits on the same test read nothing again. */
export interface GroupStatistics {
  readonly groups: CellGroups;
  readonly unlabelledCells: number;
  readonly blocks: readonly BlockStatistics[];
}

/** A result that is kept. */
interface FoundMarkers {
  readonly markers: Markers;
  /** Active cells without a value in the column. */
  readonly unlabelledCells: number;
  /** What limits the result, the gravest first. */
  readonly cautions: readonly Caution[];
}

export interface MarkerResult extends FoundMarkers {
  /** Column of obs that the cells were grouped by, or what a grouping by a selection is called. */
  readonly column: string;
  readonly ofSelection: boolean;
}

/** Of a group that can be tested at all. */
const minCells = 2;
const cacheBytes = 64 * 1024 * 1024;
/** Results are the few genes that pass; this many of them are kept. */
const resultBytes = 8 * 1024 * 1024;

/** scanpy's `rank_genes_groups`, in blocks of genes over the compute threads. */
export class MarkerTests {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #masks: CellMasks;
  readonly #statistics = new ByteCache<string, GroupStatistics>(cacheBytes, sizeOf);
  readonly #reading = new JoinedWork<GroupStatistics>();
  readonly #results = new ByteCache<string, FoundMarkers>(resultBytes, sizeOfFound);

  constructor(deps: { compute: Compute; datasets: OpenDatasets; masks: CellMasks }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#masks = deps.masks;
  }

  /** Throws ApiFailure 400 for a wrong column, 422 for one that cannot be compared. */
  async run(selection: Selection, parameters: MarkerParameters, waiting: Waiting): Promise<MarkerResult> {
    const { selection: selected } = parameters;
    if (selected) placesOf(selected, selection.manifest, 'selection');
    const dataset = await this.#datasets.get(datasetOf(selection));
    const column = selected ? parameters.groupby : await groupColumn(dataset, parameters.groupby);
    const { method, tie_correct: tieCorrect, min_cells: minCells } = parameters;
    const filter = {
      nGenes: parameters.n_genes,
      maxAdjustedP: parameters.pvals_adj,
      minLogFoldChange: parameters.logfoldchanges,
    };
    const key = keyOf(selection, parameters, column);
    const resultKey = `${key}|${JSON.stringify([tieCorrect, minCells, filter])}`;
    const known = this.#results.get(resultKey);
    const by = { column, ofSelection: selected !== undefined };
    const display = selected ? undefined : selection.displays?.find((one) => one.column === column);
    if (known) return { ...inOrder(known, display), ...by };
    const asked = { selection, column, parameters };
    const { groups, blocks, unlabelledCells } = await this.#statisticsOf(key, asked, waiting);
    checkGroups(groups, asked, minCells);
    waiting.onProgress({ stage: 'Testing the groups', done: 0, total: 1 });
    const test = { method, tieCorrect, minCells };
    const task = { kind: 'rank', isLong: true, blocks, groups, test, filter } as const;
    const markers = await this.#compute.run<RankTask>(task, waiting);
    const checks = await this.#checks(asked, { groups, markers }, waiting);
    const { symbols } = dataset.genes;
    const cautions = markerCautions({ ...asked, groups, markers, checks, unlabelledCells, symbols });
    const found = { markers, unlabelledCells, cautions };
    this.#results.set(resultKey, found);
    return { ...inOrder(found, display), ...by };
  }

  /**
   * The sums of all genes in the groups of a column, as a t-test has them: read once for both. Cells without a group are
   * left out. Throws ApiFailure 422 for a column that cannot be compared.
   * @param column as the dataset has it
   */
  async statistics(selection: Selection, column: string, waiting: Waiting): Promise<GroupStatistics> {
    const parameters = markerParameters.parse({
      groupby: column,
      method: 't-test',
      unlabelled: 'left-out',
    });
    return this.#statisticsOf(
      keyOf(selection, parameters, column),
      { selection, column, parameters },
      waiting,
    );
  }

  get caches(): NamedCaches {
    return [
      ['marker statistics', this.#statistics.use],
      ['markers', this.#results.use],
    ];
  }

  forget(datasetId: string): void {
    this.#statistics.forget(keysOfDataset(datasetId));
    this.#results.forget(keysOfDataset(datasetId));
  }

  /** Keeps results, but none of the sums that they came from. */
  releaseMemory(): void {
    this.#statistics.forget(() => true);
  }

  async #statisticsOf(key: string, asked: MarkerQuestion, waiting: Waiting): Promise<GroupStatistics> {
    const known = this.#statistics.get(key);
    if (known) return known;
    return this.#reading.run(key, waiting, async (joined) => {
      const { selection, column, parameters } = asked;
      const { method, unlabelled, selection: cells } = parameters;
      const dataset = datasetOf(selection);
      const mask = await this.#masks.maskOf(selection, joined);
      const subset = cells && subsetFilter(filterOfCells(cells));
      const selected = subset && (await this.#masks.maskOf({ ...selection, subset }, joined));
      const found = await this.#compute.run<GroupTask>(
        { kind: 'group', dataset, mask, column, ...(selected && { selected }), method, unlabelled },
        joined,
      );
      const { groups, unlabelledCells } = found;
      // Before the matrix is read; callers who share it may ask for more cells than this.
      checkGroups(groups, asked, minCells);
      const blocks = found.statistics
        ? [found.statistics]
        : await this.#readBlocks(selection, groups, method, joined);
      const statistics = { groups, unlabelledCells, blocks };
      this.#statistics.set(key, statistics);
      return statistics;
    });
  }

  /** What a test of cells cannot tell of its own result: one more task, where there is anything to look at. */
  async #checks(
    { selection, column, parameters }: MarkerQuestion,
    { groups, markers }: { groups: CellGroups; markers: Markers },
    waiting: Waiting,
  ): Promise<MarkerChecks> {
    const { manifest } = selection;
    const samples = sampleColumn(manifest)?.column;
    const separation = !parameters.selection && isClustering(manifest, column);
    const listed = markers.groups.filter(({ rows }) => rows.length > 0);
    if (listed.length === 0 || (!separation && samples === undefined)) return {};
    waiting.onProgress({ stage: 'Checking the markers', done: 0, total: 1 });
    return this.#compute.run<CheckTask>(
      {
        kind: 'check',
        isLong: true,
        dataset: datasetOf(selection),
        groups,
        separation,
        ...(samples !== undefined && { samples }),
        markers: listed.map(({ group, rows, logfoldchanges }) => ({ group, rows, logfoldchanges })),
      },
      waiting,
    );
  }

  /** One pass over the whole matrix. */
  async #readBlocks(
    selection: Selection,
    groups: CellGroups,
    method: MarkerParameters['method'],
    waiting: Waiting,
  ): Promise<BlockStatistics[]> {
    const dataset = datasetOf(selection);
    const { valueStarts } = await this.#datasets.get(datasetOf(selection));
    const tasks = geneBlocks(valueStarts, blockEntries).map(
      ({ from, to }) => ({ kind: 'block', dataset, groups, method, from, to }) as const,
    );
    return runAll<BlockTask>(this.#compute, tasks, 'Comparing the groups', waiting);
  }
}

/** Visible cache key of the sums that a test needs. */
function keyOf(
  selection: Selection,
  { selection: selected, method, unlabelled }: MarkerParameters,
  column: string,
): string {
  const cells = selected ? keyOfCells(selected) : column;
  return `${keyOfSelection(selection)}|${JSON.stringify([cells, method, unlabelled, selected !== undefined])}`;
}

/** The groups in the order that the caller gave them: the tests and what is kept of them are in that of the dataset. */
function inOrder(found: FoundMarkers, display: CategoryDisplay | undefined): FoundMarkers {
  if (!display) return found;
  const { groups, dots, ...rest } = found.markers;
  const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
  const columns = displayOrder(namesOf(dots.groups), display);
  const moved = (values: Float64Array) =>
    values.map((_, at) => {
      const column = at % columns.length;
      return values[at - column + columns[column]!]!;
    });
  return {
    ...found,
    markers: {
      ...rest,
      groups: displayOrder(namesOf(groups), display).map((at) => groups[at]!),
      dots: {
        rows: dots.rows,
        groups: columns.map((at) => dots.groups[at]!),
        means: moved(dots.means),
        fractions: moved(dots.fractions),
      },
    },
  };
}

/** Refuses groups that cannot be compared before anything is read. */
function checkGroups(
  groups: CellGroups,
  { column, parameters }: Pick<MarkerQuestion, 'column' | 'parameters'>,
  minCells: number,
): void {
  try {
    testedGroups(groups, minCells);
  } catch (error) {
    if (!(error instanceof NotEnoughGroups)) throw error;
    const message = parameters.selection
      ? `The selection cannot be compared with the rest: of the active cells at least ${minCells} must be selected, and as many not.`
      : `The column ${JSON.stringify(column)} cannot be compared: ${error.message}.`;
    throw new ApiFailure(422, 'not_enough_groups', message, { cause: error });
  }
}

/** The filter that keeps these cells and no others. */
function filterOfCells(cells: SelectedCells): SubsetFilter {
  return filterRequest.parse({ subset_group_name: 'Selection', cells_filter: true, cells });
}

function sizeOf({ groups, blocks }: GroupStatistics): number {
  return blocks.reduce(
    (sum, { sums, expressing, squares, rankSums, tieTerms }) =>
      sum +
      sums.byteLength +
      expressing.byteLength +
      squares.byteLength +
      rankSums.byteLength +
      tieTerms.byteLength,
    groups.codes.byteLength,
  );
}

function sizeOfFound({ markers: { groups, dots } }: FoundMarkers): number {
  const columns = groups.reduce((sum, { rows }) => sum + rows.length * 52 + 200, 0);
  return columns + dots.means.byteLength + dots.fractions.byteLength;
}
