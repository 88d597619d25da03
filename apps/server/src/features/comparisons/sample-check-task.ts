import {
  type ComparedCells,
  groupsOfPart,
  isByComposition,
  type SampleChecks,
  SampleSums,
} from '@cellfolio/analysis';
import type { Dataset } from '@cellfolio/store';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { checkWithSamples, type ListedGroups } from '../../runtime/sample-replicates.ts';
import type { ComparedTable } from './compared-table.ts';

export interface SampleCheckTask extends Task<SampleChecks | undefined> {
  readonly kind: 'compare-samples';
  readonly dataset: DatasetRef;
  readonly compared: ComparedCells;
  /** Column of obs. */
  readonly samples: string;
  /** Raw counts of each cell, in shared memory; undefined where the dataset has none. */
  readonly totals: Float64Array | undefined;
  /** Per part: rows of genes, most significant first. */
  readonly listed: readonly ListedGenes[];
}

export interface ListedGenes {
  readonly rows: Int32Array;
  /** Per gene: whether it is higher in A. */
  readonly rising: readonly boolean[];
}

/** Maximum number of genes that are read again, over all parts. */
const maxListed = 500;

/** How many genes of each part are read again; with more parts than the limit, one gene for each of the first parts. */
export function listedOfEach(parts: number): number {
  return Math.max(1, Math.floor(maxListed / Math.max(1, parts)));
}

export function genesToCheck(
  { order, pvals_adj, logfoldchanges }: Pick<ComparedTable, 'order' | 'pvals_adj' | 'logfoldchanges'>,
  { limit, most }: { limit: number; most: number },
): ListedGenes {
  const first = order.subarray(0, most);
  const rows = first.filter((row) => pvals_adj[row]! < limit && logfoldchanges[row] !== 0);
  return { rows, rising: Array.from(rows, (row) => logfoldchanges[row]! > 0) };
}

async function checkGenes(
  { compared, samples, totals, listed }: SampleCheckTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<SampleChecks | undefined> {
  const parts = () => listedGroups(compared, listed);
  return (await checkWithSamples(dataset, { samples, totals }, parts, signal))?.checks;
}

/** The sides of each part as groups, and the genes that are listed of A. */
function* listedGroups(compared: ComparedCells, listed: readonly ListedGenes[]): Generator<ListedGroups> {
  for (const [place, { rows, rising }] of listed.slice(0, maxListed).entries()) {
    const groups = { ...groupsOfPart(compared, place), codes: sidesOfPart(compared, place) };
    yield { groups, markers: Array.from(rows, (row) => ({ row, group: 0 })), rising };
  }
}

export function sidesOfPart({ sides, partOf }: ComparedCells, place: number): Uint16Array {
  return partOf === undefined ? sides : sides.map((side, cell) => (partOf[cell] === place ? side : 3));
}

/** Tells of how many genes that differ most of the difference is in what the sides are made of. */
export interface CompositionCheckTask extends Task<CompositionCheck> {
  readonly kind: 'compare-by-composition';
  readonly dataset: DatasetRef;
  readonly compared: ComparedCells;
  /** Column of obs. */
  readonly groups: string;
  /** As of `SampleCheckTask`. */
  readonly listed: readonly ListedGenes[];
}

export interface CompositionCheck {
  readonly checked: number;
  readonly byComposition: number;
}

async function checkComposition(
  { compared, groups: column, listed }: CompositionCheckTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<CompositionCheck> {
  const types = await categoricalColumn(dataset, column, signal);
  let [checked, byComposition] = [0, 0];
  for (const { groups, markers } of listedGroups(compared, listed)) {
    const sums = new SampleSums(groups, types, markers);
    await dataset.useGenes(sums.rows, (place, cells, values) => sums.add(place, cells, values), signal);
    const { counts, sampleCount } = sums;
    const cells = { a: counts.subarray(0, sampleCount), b: counts.subarray(sampleCount, 2 * sampleCount) };
    const found = sums.markers();
    checked += found.length;
    byComposition += found.filter((gene) =>
      isByComposition({ a: gene.sums, b: gene.restSums }, cells),
    ).length;
  }
  return { checked, byComposition };
}

/** Tasks of compute threads: agreement of samples, and effects of composition. */
export const sampleTasks = [
  taskKind<CompositionCheckTask>('compare-by-composition', (task, { dataset, signal }) =>
    checkComposition(task, dataset, signal),
  ),
  taskKind<SampleCheckTask>('compare-samples', (task, { dataset, signal }) =>
    checkGenes(task, dataset, signal),
  ),
];
