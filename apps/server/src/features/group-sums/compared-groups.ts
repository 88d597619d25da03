import type { ComparedGroups, GroupsRequest } from '@cellfolio/analyses/serve';
import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { requireDepth } from '../../runtime/cell-depths.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { groupColumn, groupingColumn } from '../../runtime/group-column.ts';
import { placesOf, type Selection } from '../selection/index.ts';
import { checkGroups, type GroupQuestion, type SumsOfGroups } from './sums-of-groups.ts';

/** The sums of the groups that a request names. Throws ApiFailure 400 for a wrong column, 422 for groups that cannot be compared. */
export async function comparedGroups(
  sums: SumsOfGroups,
  { dataset, selection, request }: { dataset: Dataset; selection: Selection; request: GroupsRequest },
  call: CallContext,
): Promise<ComparedGroups> {
  const { selection: selected, reference, min_cells: minCells } = request;
  if (selected && reference !== undefined) {
    throw new ApiFailure(
      400,
      'invalid_request',
      'A selection is compared with the other active cells: leave out reference, or name a column of groups.',
      { details: [{ field: 'reference', problem: 'does not go with selection' }] },
    );
  }
  if (selected) placesOf(selected, selection.manifest, 'selection');
  requireDepth(selection.manifest, request);
  const columns = await columnsOf(dataset, request);
  const question = { selection, parameters: request, ...columns };
  const summed = await sums.of(question, call);
  checkGroups(summed.strata, question, minCells);
  const { column, bins, split } = columns;
  return { by: { column, ...(bins && { bins }) }, split, ...summed };
}

/** The columns as the dataset has them. Throws ApiFailure 400. */
async function columnsOf(
  dataset: Dataset,
  { groupby, bins, split, selection }: GroupsRequest,
): Promise<Pick<GroupQuestion, 'column' | 'bins' | 'split'>> {
  const by = selection
    ? { column: groupby }
    : bins
      ? await groupingColumn(dataset, { column: groupby, bins }, 'groupby')
      : { column: await groupColumn(dataset, groupby) };
  return { ...by, ...(split && { split: await groupingColumn(dataset, split, 'split.column') }) };
}
