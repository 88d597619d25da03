import { cellGroups, storedStatistics } from '@cellfolio/analysis';
import type { Dataset } from '@cellfolio/store';
import { categoricalColumn } from './columns.ts';
import { sharedCopy } from './shared.ts';
import type { FoundGroups, GroupTask } from './task.ts';

/** The groups of a column among the chosen cells and, where they are whole and it has them, the dataset's sums of them. */
export async function findGroups(
  { column: name, mask, method }: GroupTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<FoundGroups> {
  const column = await categoricalColumn(dataset, name, signal);
  const found = cellGroups(column, mask);
  const groups = { ...found, codes: sharedCopy(found.codes) };
  if (method !== 't-test') return { groups };
  const stored = await dataset.groupStatistics(name, signal);
  const statistics = stored && storedStatistics(stored, column, groups, mask);
  return { groups, ...(statistics && { statistics }) };
}
