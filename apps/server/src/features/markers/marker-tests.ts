import type { BlockStatistics, CellGroups } from '@cellfolio/analysis';
import { markerParameters } from '@cellfolio/analysis/parameters';
import { filterRequest, type MarkerParameters, type SelectedCells } from '@cellfolio/contract';
import { isClustering, type ResultCaution } from '@cellfolio/model';
import { ByteCache, type Dataset, geneBlocks } from '@cellfolio/store';
import { allGroups, crossedName, type GroupTask, type NamedCells, type Stratum } from './found-groups.ts';
import { type GroupDisplays, inOrder } from './groups-in-order.ts';
import type { Markers, RankedStratum, RankTask } from './rank-markers.ts';
import type { CheckTask, MarkerChecks, BlockTask } from './tasks.ts';
import type { CellDepths, FoundDepths } from '../../runtime/cell-depths.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { batchColumns } from '../../runtime/batch-columns.ts';
import { requireDepth, thinningLine } from '../../runtime/depth-cautions.ts';
import { sampleColumn } from '../../runtime/sample-column.ts';
import { blockEntries, runAll } from '../../runtime/compute/analysis-work.ts';
import { JoinedWork, type CallContext } from '../../runtime/compute/analysis-work.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { markerCautions } from './cautions.ts';
import { checkGroups, columnsOf, keyOf, type MarkerQuestion } from './marker-question.ts';
import {
  datasetOf,
  keysOfDataset,
  placesOf,
  type Selection,
  type SubsetFilter,
  subsetFilter,
} from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';

export interface GroupStatistics {
  groups: CellGroups;
  unlabelledCells: number;
  blocks: readonly BlockStatistics[];
}

/** Cached sums of an analysis, so that other limits on the same test read nothing again. */
interface KeptStatistics {
  strata: readonly RankedStratum[];
  /** How cells were brought to one depth, where they were. */
  thinned?: FoundDepths | undefined;
  order: readonly number[];
  unlabelledCells: number;
  unassigned: readonly NamedCells[];
  withoutPart: number;
}

interface FoundMarkers {
  markers: Markers;
  /** How cells were brought to one depth, for the head of a file. */
  depthLines: readonly string[];
  unlabelledCells: number;
  cautions: readonly ResultCaution[];
}

export interface MarkerResult extends FoundMarkers {
  /** Column of obs that the cells were grouped by, or the label of a grouping by selection. */
  column: string;
  bins: MarkerQuestion['bins'];
  ofSelection: boolean;
  split: MarkerQuestion['split'];
  displays: GroupDisplays;
}

const minCells = 2;
const cacheBytes = 64 * 1024 * 1024;
/** Results are only the genes that pass, so this caches many of them. */
const resultBytes = 8 * 1024 * 1024;

export class MarkerTests {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #masks: CellMasks;
  readonly #depths: CellDepths;
  readonly #statistics = new ByteCache<string, KeptStatistics>(cacheBytes, sizeOf);
  readonly #reading = new JoinedWork<KeptStatistics>();
  readonly #results = new ByteCache<string, FoundMarkers>(resultBytes, sizeOfFound);

  constructor(deps: { compute: Compute; datasets: OpenDatasets; masks: CellMasks; depths: CellDepths }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#masks = deps.masks;
    this.#depths = deps.depths;
  }

  /** Throws ApiFailure 400 for a wrong column, 422 for one that cannot be compared. */
  async run(selection: Selection, parameters: MarkerParameters, call: CallContext): Promise<MarkerResult> {
    const { selection: selected } = parameters;
    if (selected) placesOf(selected, selection.manifest, 'selection');
    requireDepth(selection.manifest, parameters);
    const dataset = await this.#datasets.get(datasetOf(selection));
    const question = { selection, parameters, ...(await columnsOf(dataset, parameters)) };
    const { column, bins, split } = question;
    const { method, tie_correct: tieCorrect, pseudocount, min_cells: minCells } = parameters;
    const filter = {
      nGenes: parameters.n_genes,
      maxAdjustedP: parameters.pvals_adj,
      minLogFoldChange: parameters.logfoldchanges,
    };
    const key = keyOf(question);
    const resultKey = `${key}|${JSON.stringify([tieCorrect, pseudocount, minCells, filter])}`;
    const displayOf = (name: string | undefined) => selection.displays?.find((one) => one.column === name);
    const displays = {
      group: selected ? undefined : displayOf(column),
      part: displayOf(split?.column),
    };
    const resultOf = (result: FoundMarkers): MarkerResult => ({
      ...result,
      markers: inOrder(result.markers, displays),
      column,
      bins,
      ofSelection: selected !== undefined,
      split,
      displays,
    });
    const cached = this.#results.get(resultKey);
    if (cached) return resultOf(cached);
    const statistics = await this.#statisticsOf(key, question, call);
    const { strata, order, unlabelledCells, unassigned, withoutPart, thinned } = statistics;
    checkGroups(strata, question, minCells);
    call.onProgress({ stage: 'Testing the groups', done: 0, total: 1 });
    const test = { method, tieCorrect, pseudocount, minCells };
    const task = { kind: 'rank', isLong: true, strata, order, test, filter } as const;
    const markers = await this.#compute.run<RankTask>(task, call);
    const checks = await this.#checks(question, { dataset, strata, markers }, call);
    const isTold = !thinned && markers.groups.some(({ rows }) => rows.length > 0);
    const sets = depthSets(strata, false);
    const depths = isTold ? await this.#depths.of(selection.manifest, sets, call) : undefined;
    const { symbols } = dataset.genes;
    const groups = allGroups(strata);
    const cautions = markerCautions({
      ...question,
      groups,
      markers,
      checks,
      depths,
      unlabelledCells,
      unassigned,
      withoutPart,
      symbols,
    });
    const names = strata.map(({ part, groups }) =>
      [...groups.names, 'other cells'].map((name) => crossedName(name, part)),
    );
    const depthLines = thinned ? [thinningLine(thinned, names)] : [];
    const findings = { markers, unlabelledCells, cautions, depthLines };
    this.#results.set(resultKey, findings);
    return resultOf(findings);
  }

  /**
   * The sums of all genes in the groups of a column, shared with the t-test's cache. `column` is the dataset's name.
   * Cells without a group are left out. Throws ApiFailure 422 for a column that cannot be compared.
   */
  async statistics(selection: Selection, column: string, call: CallContext): Promise<GroupStatistics> {
    const parameters = markerParameters.parse({
      groupby: column,
      method: 't-test',
      unlabelled: 'left-out',
    });
    const question = { selection, column, parameters };
    const { strata, unlabelledCells } = await this.#statisticsOf(keyOf(question), question, call);
    const [{ groups, blocks }] = strata as [RankedStratum];
    return { groups, blocks, unlabelledCells };
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

  /** Drops the sums; results stay cached. */
  releaseMemory(): void {
    this.#statistics.forget(() => true);
  }

  async #statisticsOf(key: string, question: MarkerQuestion, call: CallContext): Promise<KeptStatistics> {
    const cached = this.#statistics.get(key);
    if (cached) return cached;
    return this.#reading.run(key, call, async (joined) => {
      const { selection, column, bins, split, parameters } = question;
      const { method, unlabelled, unassigned, selection: cells } = parameters;
      const dataset = datasetOf(selection);
      const mask = await this.#masks.maskOf(selection, joined);
      const subset = cells && subsetFilter(filterOfCells(cells));
      const selected = subset && (await this.#masks.maskOf({ ...selection, subset }, joined));
      const by = { column, ...(bins && { bins }) };
      const grouping = await this.#compute.run<GroupTask>(
        { kind: 'group', dataset, mask, by, split, selected, method, unlabelled, unassigned },
        joined,
      );
      const { statistics: stored, strata, ...groupCounts } = grouping;
      // Before the matrix is read; callers who share it may ask for more cells than this.
      checkGroups(strata, question, minCells);
      const isThinned = parameters.depth === 'downsample';
      const depths = isThinned
        ? await this.#depths.of(selection.manifest, depthSets(strata, true), joined)
        : undefined;
      const tested = { strata, method, thinning: depths?.thinning };
      const blocks = stored && !isThinned ? [[stored]] : await this.#readBlocks(selection, tested, joined);
      const statistics = {
        ...groupCounts,
        // Without what is held of each cell.
        thinned: depths && { ...depths, thinning: undefined },
        strata: strata.map(({ part, groups }, at) => ({
          part,
          groups,
          blocks: blocks.map((block) => block[at]!),
        })),
      };
      this.#statistics.set(key, statistics);
      return statistics;
    });
  }

  /**
   * Diagnostics that a test of cells cannot derive from its own result: one more task, if there is anything to check.
   */
  async #checks(
    { selection, column, split, parameters }: MarkerQuestion,
    { dataset, strata, markers }: { dataset: Dataset; strata: readonly RankedStratum[]; markers: Markers },
    call: CallContext,
  ): Promise<MarkerChecks> {
    const { manifest } = selection;
    const samples = (await sampleColumn(dataset))?.column;
    const separation = !parameters.selection && isClustering(manifest, column);
    const listed = markers.groups.filter(({ rows }) => rows.length > 0);
    // Who compares batches knows that they are.
    const batches = batchColumns(dataset.obsColumnNames).filter(
      (name) => name !== split?.column && (parameters.selection !== undefined || name !== column),
    );
    if (listed.length === 0 || (!separation && samples === undefined && batches.length === 0)) return {};
    call.onProgress({ stage: 'Checking the markers', done: 0, total: 1 });
    return this.#compute.run<CheckTask>(
      {
        kind: 'check',
        isLong: true,
        dataset: datasetOf(selection),
        strata: strata.map(({ part, groups }) => ({ part, groups })),
        separation,
        ...(samples !== undefined && { samples }),
        totals: samples === undefined ? undefined : await this.#depths.totals(manifest, call),
        batches,
        markers: listed.map(({ group, rows, logfoldchanges }) => ({ group, rows, logfoldchanges })),
      },
      call,
    );
  }

  async #readBlocks(
    selection: Selection,
    { strata, method, thinning }: Pick<BlockTask, 'strata' | 'method' | 'thinning'>,
    call: CallContext,
  ): Promise<BlockStatistics[][]> {
    const dataset = datasetOf(selection);
    const starts = await this.#depths.testedStarts(dataset, thinning, call);
    const tasks = geneBlocks(starts, blockEntries).map(
      ({ from, to }) => ({ kind: 'block', dataset, strata, method, thinning, from, to }) as const,
    );
    return runAll<BlockTask>(this.#compute, tasks, 'Comparing the groups', call);
  }
}

/** The groups of each stratum, and the cells of none, which all others are compared with as well. */
function depthSets(strata: readonly Stratum[], isThinned: boolean) {
  const sets = strata.map(({ groups: { codes, names } }) => ({ codes, setCount: names.length + 1 }));
  return { sets, isThinned };
}

function filterOfCells(cells: SelectedCells): SubsetFilter {
  return filterRequest.parse({ subset_group_name: 'Selection', cells_filter: true, cells });
}

function sizeOf({ strata }: KeptStatistics): number {
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

function sizeOfFound({ markers: { groups, dots } }: FoundMarkers): number {
  const columns = groups.reduce((sum, { rows }) => sum + rows.length * 52 + 200, 0);
  return columns + dots.means.byteLength + dots.fractions.byteLength;
}
