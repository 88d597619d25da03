import {
  type DepthSets,
  keptShares,
  setDepths,
  thinnedValues,
  type Thinning,
  writeKept,
} from '@cellfolio/analysis';
import type { CountsPerCell } from '@cellfolio/analyses/cautions';
import type { MarkerParameters } from '@cellfolio/analysis/parameters';
import { type GeneBlock, noCountsReason, sharedCopy } from '@cellfolio/model';
import { qualityMeasure } from '@cellfolio/figures/content';
import type { Dataset, DatasetManifest } from '@cellfolio/store';
import { ApiFailure } from './api-failure.ts';
import { cellTotals, totalsTasks, readBlock } from './cell-totals.ts';
import type { CallContext } from './compute/analysis-work.ts';
import type { Compute } from './compute/compute-pool.ts';
import { KeptWork } from './compute/kept-work.ts';
import type { OpenDatasets } from './compute/open-datasets.ts';
import { type DatasetRef, type Task, taskKind } from './compute/task.ts';
import { numbersOf } from './compute/value-source.ts';

/** How many counts the cells of each set have, and which share each cell keeps where all are brought to one depth. */
interface DepthTask extends Task<Omit<FoundDepths, 'ofCounts'>> {
  kind: 'cell-depths';
  dataset: DatasetRef;
  sets: readonly DepthSets[];
  /** Counts of each cell, in shared memory, or the column of obs that has them. */
  totals: Float64Array | string;
  isThinned: boolean;
}

/** One for each of the `DepthSets`. */
export interface FoundDepths extends CountsPerCell {
  /** How each cell is thinned, where cells are. */
  readonly thinning?: Thinning | undefined;
}

async function findDepths(task: DepthTask, dataset: Dataset, signal: AbortSignal) {
  const { totals: source, sets: groups, isThinned } = task;
  const totals = typeof source === 'string' ? numbersOf(await dataset.obs(source, signal)) : source;
  const sets = groups.map((one) => setDepths(totals, one));
  if (!isThinned || typeof source === 'string') return { sets };
  const shares = sets.map(keptShares);
  const chances = new Float64Array(new SharedArrayBuffer(8 * source.length)).fill(1);
  shares.forEach((share, at) => writeKept(share, groups[at]!, chances));
  return { sets, shares, thinning: { totals: source, chances } };
}

/** A block of X, or of raw counts that are thinned to one depth and normalised. */
export function readTestedBlock<T>(
  dataset: Dataset,
  { from, to, thinning }: { from: number; to: number; thinning?: Thinning | undefined },
  use: (block: GeneBlock) => T,
  signal: AbortSignal,
): Promise<T> {
  if (!thinning) return dataset.useGeneBlock(from, to, use, signal);
  const genes = { from, to, ofCounts: true };
  return readBlock(dataset, genes, (block) => use(thinnedValues(block, thinning)), signal);
}

export const depthTasks = [
  ...totalsTasks,
  taskKind<DepthTask>('cell-depths', (task, { dataset, signal }) => findDepths(task, dataset, signal)),
];

/** 8 bytes a cell: the totals of eight million cells. */
const keptBytes = 64 * 1024 * 1024;

/** How many counts cells have. The raw counts of a dataset are added up once for all analyses. */
export class CellDepths {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #totals = new KeptWork<Float64Array>(keptBytes, ({ byteLength }) => byteLength);

  constructor(deps: { compute: Compute; datasets: OpenDatasets }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
  }

  /** The sum of the raw counts of each cell, in shared memory; undefined where the dataset has none. */
  async totals(
    { id, version, expression, cellCount }: DatasetManifest,
    call: CallContext,
  ): Promise<Float64Array | undefined> {
    if (!expression.hasCounts) return undefined;
    // Columns of a user's own change no counts: the totals are the same for all.
    const dataset = { id, version };
    return this.#totals.of(`${id}@${version}`, call, async (joined) => {
      const opened = await this.#datasets.get(dataset);
      const { starts } = (await opened.counts(joined.signal))!;
      const values = { dataset, ofCounts: true, count: cellCount, starts };
      return sharedCopy(await cellTotals(this.#compute, values, joined));
    });
  }

  /** Positions of the genes in the matrix that is tested, by which they are cut into blocks. */
  async testedStarts(
    dataset: DatasetRef,
    thinning: Thinning | undefined,
    { signal }: CallContext,
  ): Promise<Float64Array> {
    const opened = await this.#datasets.get(dataset);
    return thinning ? (await opened.counts(signal))!.starts : opened.valueStarts;
  }

  /** Undefined where neither raw counts nor a column say how many counts cells have. */
  async of(
    manifest: DatasetManifest,
    { sets, isThinned }: Pick<DepthTask, 'sets' | 'isThinned'>,
    call: CallContext,
  ): Promise<FoundDepths | undefined> {
    const dataset = { id: manifest.id, version: manifest.version };
    const counts = await this.totals(manifest, call);
    const { obsColumnNames } = await this.#datasets.get(dataset);
    const totals = counts ?? obsColumnNames.find((name) => qualityMeasure(name)?.measure === 'counts');
    if (totals === undefined) return undefined;
    const task: DepthTask = { kind: 'cell-depths', dataset, sets, totals, isThinned };
    const depths = await this.#compute.run<DepthTask>(task, call);
    return { ...depths, ofCounts: counts !== undefined };
  }

  get caches() {
    return [['counts of cells', this.#totals.use] as const];
  }

  forget(datasetId: string): void {
    this.#totals.forget((key) => key.startsWith(`${datasetId}@`));
  }

  releaseMemory(): void {
    this.#totals.forget(() => true);
  }
}

/** Throws ApiFailure 422 where cells are to be thinned and the dataset has no raw counts. */
export function requireDepth(
  { expression, warnings }: Pick<DatasetManifest, 'expression' | 'warnings'>,
  { depth }: Pick<MarkerParameters, 'depth'>,
): void {
  if (depth !== 'downsample' || expression.hasCounts) return;
  const message = `Testing at equal depth needs raw counts, and the dataset has none.${noCountsReason(warnings)} Test the values as they are, or upload the counts.`;
  const details = [{ field: 'depth', problem: 'takes raw counts' }];
  throw new ApiFailure(422, 'no_raw_counts', message, { details });
}
