import { type BlockStatistics, type CellGroups, NotEnoughGroups, testedGroups } from '@cellfolio/analysis';
import type { MarkerParameters } from '@cellfolio/contract';
import { ByteCache, geneBlocks, SharedWork } from '@cellfolio/store';
import type { Compute } from '../../compute/compute-pool.ts';
import type { OpenDatasets } from '../../compute/open-datasets.ts';
import type { Markers } from '../../compute/task.ts';
import { ApiFailure } from '../api-failure.ts';
import { blockEntries, runAll } from '../block-work.ts';
import type { NamedCaches } from '../named-caches.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection, type Waiting } from '../selection.ts';
import type { CellMasks } from '../subsets/cell-masks.ts';
import { groupColumn } from './group-column.ts';

/** What is kept of an analysis, so that other limits on the same test read nothing again. */
interface GroupStatistics {
  readonly groups: CellGroups;
  readonly blocks: readonly BlockStatistics[];
}

export interface MarkerResult {
  readonly markers: Markers;
  /** Column of obs that the cells were grouped by. */
  readonly column: string;
}

const cacheBytes = 64 * 1024 * 1024;
/** Results are the few genes that pass; this many of them are kept. */
const resultBytes = 8 * 1024 * 1024;

/** scanpy's `rank_genes_groups`, in blocks of genes over the compute threads. */
export class MarkerTests {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #masks: CellMasks;
  readonly #statistics = new ByteCache<string, GroupStatistics>(cacheBytes, sizeOf);
  readonly #reading = new SharedWork<string, GroupStatistics>();
  readonly #results = new ByteCache<string, Markers>(resultBytes, sizeOfMarkers);

  constructor(parts: { compute: Compute; datasets: OpenDatasets; masks: CellMasks }) {
    this.#compute = parts.compute;
    this.#datasets = parts.datasets;
    this.#masks = parts.masks;
  }

  /** Throws ApiFailure 400 for a wrong column, 422 for one that cannot be compared. */
  async run(selection: Selection, parameters: MarkerParameters, waiting: Waiting): Promise<MarkerResult> {
    const column = await groupColumn(await this.#datasets.get(selection.manifest), parameters.groupby);
    const { method, tie_correct: tieCorrect } = parameters;
    const filter = {
      nGenes: parameters.n_genes,
      maxAdjustedP: parameters.pvals_adj,
      minLogFoldChange: parameters.logfoldchanges,
    };
    const key = `${keyOfSelection(selection)}|${JSON.stringify([column, method])}`;
    const resultKey = `${key}|${JSON.stringify([tieCorrect, filter])}`;
    const known = this.#results.get(resultKey);
    if (known) return { markers: known, column };
    const { groups, blocks } = await this.#statisticsOf(key, { selection, column, method }, waiting);
    waiting.onProgress({ stage: 'Testing the groups', done: 0, total: 1 });
    const task = { kind: 'rank', blocks, groups, test: { method, tieCorrect }, filter } as const;
    const markers = await this.#compute.run(task, waiting.signal);
    this.#results.set(resultKey, markers);
    return { markers, column };
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

  async #statisticsOf(
    key: string,
    asked: { selection: Selection; column: string; method: MarkerParameters['method'] },
    waiting: Waiting,
  ): Promise<GroupStatistics> {
    const known = this.#statistics.get(key);
    if (known) return known;
    return this.#reading.run(key, waiting.signal, async (signal) => {
      const { selection, column, method } = asked;
      const inner = { ...waiting, signal };
      const dataset = datasetOf(selection);
      const mask = await this.#masks.maskOf(selection, inner);
      const found = await this.#compute.run({ kind: 'group', dataset, mask, column, method }, signal);
      const { groups } = found;
      checkGroups(groups, column);
      const blocks = found.statistics
        ? [found.statistics]
        : await this.#readBlocks(selection, groups, method, inner);
      const statistics = { groups, blocks };
      this.#statistics.set(key, statistics);
      return statistics;
    });
  }

  /** One pass over the whole matrix. */
  async #readBlocks(
    selection: Selection,
    groups: CellGroups,
    method: MarkerParameters['method'],
    waiting: Waiting,
  ): Promise<BlockStatistics[]> {
    const dataset = datasetOf(selection);
    const { valueStarts } = await this.#datasets.get(selection.manifest);
    const tasks = geneBlocks(valueStarts, blockEntries).map(
      ({ from, to }) => ({ kind: 'block', dataset, groups, method, from, to }) as const,
    );
    return runAll(this.#compute, tasks, 'Comparing the groups', waiting);
  }
}

/** Refuses groups that cannot be compared before anything is read. */
function checkGroups(groups: CellGroups, column: string): void {
  try {
    testedGroups(groups);
  } catch (error) {
    if (!(error instanceof NotEnoughGroups)) throw error;
    throw new ApiFailure(
      422,
      'not_enough_groups',
      `The column ${JSON.stringify(column)} cannot be compared: ${error.message}.`,
      { cause: error },
    );
  }
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

function sizeOfMarkers({ groups, dots }: Markers): number {
  const columns = groups.reduce((sum, { rows }) => sum + rows.length * 52 + 200, 0);
  return columns + dots.means.byteLength + dots.fractions.byteLength;
}
