import type { Bins } from '@cellfolio/analysis/parameters';
import type { MarkerParameters } from '@cellfolio/contract';
import type { Dataset } from '@cellfolio/store';
import { groupColumn, groupingColumn } from '../../runtime/group-column.ts';
import type { GroupQuestion } from '../group-sums/index.ts';
import { binsWords } from '@cellfolio/figures';

export interface MarkerQuestion extends GroupQuestion {
  readonly parameters: MarkerParameters;
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
