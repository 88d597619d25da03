import type { CategoricalColumn, CellMask } from '@cellfolio/model';
import { groupCells } from '@cellfolio/plots';
import type { Grouping } from '@cellfolio/analysis/parameters';
import type { Dataset } from '@cellfolio/store';
import { categoricalColumn } from './open-datasets.ts';
import { numbersOf } from './value-source.ts';

/**
 * The groups that a column forms as figures have them: its categories, or parts of its numbers among the cells of the
 * mask. Throws UnknownColumn, NotCategorical.
 */
export async function groupedCells(
  dataset: Dataset,
  { column: name, bins }: Grouping,
  mask: CellMask | undefined,
  signal: AbortSignal,
): Promise<CategoricalColumn> {
  const column = await dataset.obs(name, signal);
  if (column.kind !== 'numeric') return categoricalColumn(dataset, name, signal);
  const scores = numbersOf(column);
  return groupCells({ title: name, columnName: name, scores, unit: '' }, bins, mask).column;
}
