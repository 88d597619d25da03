import type { CellTask } from '../../runtime/compute/task.ts';
import {
  type BlockStatistics,
  type CellGroups,
  type MarkerMethod,
  categoryMask,
  cellGroups,
  intersectMasks,
  storedStatistics,
} from '@cellfolio/analysis';
import type { Dataset } from '@cellfolio/store';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';
import { sharedCopy } from '@cellfolio/model';

/** The groups that a column of obs cuts the chosen cells into. */
export interface GroupTask extends CellTask<FoundGroups> {
  readonly kind: 'group';
  readonly column: string;
  /** What the groups are for: a t-test of whole groups may find its statistics with the dataset. */
  readonly method: MarkerMethod;
  /** What becomes of the cells without a category: among the others of every group, or nowhere. */
  readonly unlabelled: 'reference' | 'left-out';
}

export interface FoundGroups {
  readonly groups: CellGroups;
  /** Chosen cells without a category, whatever becomes of them. */
  readonly unlabelledCells: number;
  /** The statistics of all genes, where the dataset has them; they need not be read out of the expression then. */
  readonly statistics?: BlockStatistics;
}

/** The groups of a column among the chosen cells and, where they are whole and it has them, the dataset's sums of them. */
export async function findGroups(
  { column: name, mask: chosen, method, unlabelled }: GroupTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<FoundGroups> {
  const column = await categoricalColumn(dataset, name, signal);
  const labelled = categoryMask(column, column.categories);
  const withLabel = chosen ? intersectMasks(chosen, labelled) : labelled;
  const unlabelledCells = (chosen?.count ?? column.codes.length) - withLabel.count;
  const mask = unlabelled === 'left-out' && unlabelledCells > 0 ? withLabel : chosen;
  const found = cellGroups(column, mask);
  const groups = { ...found, codes: sharedCopy(found.codes) };
  if (method !== 't-test') return { groups, unlabelledCells };
  const stored = await dataset.groupStatistics(name, signal);
  const statistics = stored && storedStatistics(stored, column, groups, mask);
  return { groups, unlabelledCells, ...(statistics && { statistics }) };
}
