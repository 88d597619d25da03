import type { ComparedCells } from '@cellfolio/analysis';
import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { countText, plural, quotedHead } from '@cellfolio/model';
import { ApiFailure } from '../../runtime/api-failure.ts';

export function sharedRefusal({ a, b }: Pick<ComparisonParameters, 'a' | 'b'>, shared: number): ApiFailure {
  const cells = plural(shared, 'active cell is', 'active cells are');
  return new ApiFailure(
    422,
    'sets_overlap',
    `${cells} in both ${quotedHead(a.name, 80)} and ${quotedHead(b?.name ?? '', 80)}: each cell can be on one side only. Choose sets that share no cell; Compare Cell Sets can save each without the other.`,
    { details: [{ field: 'b', problem: `shares ${shared} cells with a` }] },
  );
}

export function tooFew(
  { a, b, within, min_cells: minCells }: Pick<ComparisonParameters, 'a' | 'b' | 'within' | 'min_cells'>,
  { leftOut, unlabelled }: ComparedCells,
) {
  const [inA, inB] = [
    leftOut.reduce((sum, part) => sum + part.a, 0),
    leftOut.reduce((sum, part) => sum + part.b, 0),
  ];
  const counts = `Of the active cells, ${countText(inA)} are in ${quotedHead(a.name, 80)} and ${countText(inB)} in ${b ? quotedHead(b.name, 80) : 'the rest'}`;
  const where =
    within === undefined
      ? counts
      : `${counts}${unlabelled > 0 ? ` (${countText(unlabelled)} more have no value in ${quotedHead(within, 80)})` : ''}, but no group of ${quotedHead(within, 80)} has ${minCells} of both`;
  return new ApiFailure(
    422,
    'too_few_cells',
    `${where}. A comparison needs at least ${minCells} cells on each side: choose larger sets, ${within === undefined ? 'or a larger subset' : 'a larger subset, or all cells together'}.`,
  );
}
