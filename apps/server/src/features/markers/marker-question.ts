import { NotEnoughGroups, testedGroups, untestedGroups } from '@cellfolio/analysis';
import type { Bins, Grouping } from '@cellfolio/analysis/parameters';
import type { MarkerParameters } from '@cellfolio/contract';
import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { groupColumn, groupingColumn } from '../../runtime/group-column.ts';
import { keyOfCells, keyOfSelection, type Selection } from '../selection/index.ts';
import type { Stratum } from './found-groups.ts';
import { quotedColumn } from '../../runtime/column-names.ts';
import { binsWords } from '@cellfolio/figures';

export interface MarkerQuestion {
  selection: Selection;
  column: string;
  /** How its numbers are binned; absent when it has categories. */
  bins?: Bins | undefined;
  /** Column and bins whose categories separate the groups. */
  split?: Grouping | undefined;
  parameters: MarkerParameters;
}

/** The columns as the dataset has them. Throws ApiFailure 400. */
export async function columnsOf(
  dataset: Dataset,
  { groupby, bins, split, selection }: MarkerParameters,
): Promise<Pick<MarkerQuestion, 'column' | 'bins' | 'split'>> {
  const by = selection
    ? { column: groupby }
    : bins
      ? await groupingColumn(dataset, { column: groupby, bins }, 'groupby')
      : { column: await groupColumn(dataset, groupby) };
  return { ...by, ...(split && { split: await groupingColumn(dataset, split, 'split.column') }) };
}

/** Visible cache key of the sums that a test needs. */
export function keyOf({ selection, column, bins, split, parameters }: MarkerQuestion): string {
  const { selection: selected, method, depth, unlabelled, unassigned } = parameters;
  const cells = selected ? keyOfCells(selected) : column;
  const by = [cells, method, depth, unlabelled, unassigned, selected !== undefined];
  return `${keyOfSelection(selection)}|${JSON.stringify([...by, ...(bins || split ? [bins, split] : [])])}`;
}

/** Refuses groups that cannot be compared before anything is read; one comparable stratum is enough. */
export function checkGroups(
  strata: readonly Stratum[],
  {
    selection: { own },
    column,
    split,
    parameters,
  }: Pick<MarkerQuestion, 'selection' | 'column' | 'split' | 'parameters'>,
  minCells: number,
): void {
  if (split) {
    const canCompare = strata.some(
      ({ groups }) => untestedGroups(groups, minCells).length < groups.names.length,
    );
    if (canCompare) return;
    throw new ApiFailure(
      422,
      'not_enough_groups',
      `The groups of ${quotedColumn(column, own)} cannot be compared within the categories of ${quotedColumn(split.column, own)}: no category has a group of ${minCells} cells and at least as many others. Choose another column to split by, or a larger subset.`,
    );
  }
  try {
    testedGroups(strata[0]!.groups, minCells);
  } catch (error) {
    if (!(error instanceof NotEnoughGroups)) throw error;
    const message = parameters.selection
      ? `The selection cannot be compared with the rest: at least ${minCells} active cells must be selected, and at least as many not selected.`
      : `The column ${quotedColumn(column, own)} cannot be compared: ${error.message}.`;
    throw new ApiFailure(422, 'not_enough_groups', message, { cause: error });
  }
}

const edgesShown = 5;

/**
 * How the numbers of a column are binned, as a suffix to its title: with custom edges by these. Empty for categories.
 */
export function cutWords(bins: Bins | undefined): string {
  if (bins === undefined) return '';
  if (bins.by !== 'edges') return ` (${binsWords(bins)})`;
  const more = bins.edges.length > edgesShown ? ' and more' : '';
  return ` (cut at ${bins.edges.slice(0, edgesShown).join(', ')}${more})`;
}
