import { categoryMask, cellGroups, intersectMasks, storedStatistics } from '@cellfolio/analysis';
import type { Dataset } from '@cellfolio/store';
import { categoricalColumn } from '../../runtime/compute/columns.ts';
import { sharedCopy } from '@cellfolio/model';
import type { FoundGroups, GroupTask } from '../../runtime/compute/task.ts';

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
