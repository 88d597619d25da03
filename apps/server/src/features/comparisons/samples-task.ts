import {
  type ComparedCells,
  groupsOfPart,
  sampleChecks,
  type SampleChecks,
  SampleSums,
} from '@cellfolio/analysis';
import { isCategorical } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { maxSamples } from '../../runtime/sample-column.ts';
import type { ComparedTable } from './compared-table.ts';

/** Tests genes that differ between cells again, with samples as replicates. */
export interface SampleCheckTask extends Task<SampleChecks | undefined> {
  readonly kind: 'compare-samples';
  readonly dataset: DatasetRef;
  readonly compared: ComparedCells;
  /** Column of obs. */
  readonly samples: string;
  /** By part; rows of genes, the surest first. */
  readonly listed: readonly ListedGenes[];
}

interface ListedGenes {
  readonly rows: Int32Array;
  /** Whether A has more, by gene. */
  readonly rising: readonly boolean[];
}

/** Genes that are read again at most, over all parts. */
const maxListed = 500;

/** The first genes of each table whose adjusted p-value is below the limit. */
export function genesToCheck(tables: readonly ComparedTable[], limit: number): ListedGenes[] {
  const each = Math.max(1, Math.floor(maxListed / Math.max(1, tables.length)));
  return tables.slice(0, maxListed).map(({ order, pvals_adj, logfoldchanges }) => {
    const first = order.subarray(0, each);
    const rows = first.filter((row) => pvals_adj[row]! < limit && logfoldchanges[row] !== 0);
    return { rows, rising: Array.from(rows, (row) => logfoldchanges[row]! > 0) };
  });
}

async function checkGenes(
  { compared, samples, listed }: SampleCheckTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<SampleChecks | undefined> {
  const column = await dataset.obs(samples, signal);
  if (!isCategorical(column) || column.categories.length > maxSamples) return undefined;
  const checked = [];
  for (const [place, { rows, rising }] of listed.entries()) {
    const groups = { ...groupsOfPart(compared, place), codes: sidesOfPart(compared, place) };
    const markers = Array.from(rows, (row) => ({ row, group: 0 }));
    const sums = new SampleSums(groups, column, markers);
    await dataset.useGenes(sums.rows, (at, cells, values) => sums.add(at, cells, values), signal);
    checked.push({ groups, sums, markers, rising });
  }
  return sampleChecks(checked, dataset.manifest.geneCount);
}

/** 0 and 1 for the sides of the part, 3 for all other cells. */
function sidesOfPart({ sides, partOf }: ComparedCells, place: number): Uint16Array {
  return partOf === undefined ? sides : sides.map((side, cell) => (partOf[cell] === place ? side : 3));
}

/** What a compute thread does to tell how samples agree. */
export const sampleTasks = [
  taskKind<SampleCheckTask>('compare-samples', (task, { dataset, signal }) =>
    checkGenes(task, dataset, signal),
  ),
];
