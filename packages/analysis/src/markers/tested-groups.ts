import type { Caution } from '@cellfolio/model';
import type { CellGroups } from './cell-groups.ts';

/** A group that is compared with all other cells. */
export interface TestedGroup {
  readonly name: string;
  readonly cells: number;
  /** Its place among the names of `CellGroups`. */
  readonly group: number;
}

/** No group of the column can be compared with other cells. */
export class NotEnoughGroups extends Error {
  override readonly name = 'NotEnoughGroups';
  readonly groupCount: number;
  readonly cellCount: number;
  constructor(groupCount: number, cellCount: number) {
    const found =
      groupCount === 0
        ? 'none of the active cells has a value in this column'
        : groupCount === 1
          ? 'all active cells are in one group'
          : 'no group has two cells';
    super(
      `${found}, and markers need a group of at least two cells and others to compare it with: choose another column, or a larger subset`,
    );
    this.groupCount = groupCount;
    this.cellCount = cellCount;
  }
}

/** Names in a warning before it says how many more there are. */
const namesShown = 5;

/**
 * The groups that have at least two cells and other cells beside them; the others are named in a warning and stay
 * among the rest of every group. scanpy refuses the whole analysis for a group of one cell. To be asked before the
 * genes are read. Throws NotEnoughGroups.
 */
export function testedGroups(groups: CellGroups): { tested: TestedGroup[]; warnings: Caution[] } {
  const { names, sizes, cellCount } = groups;
  const all = names.map((name, group) => ({ name, cells: sizes[group]!, group }));
  const tested = all.filter(({ cells }) => cells >= 2 && cells < cellCount);
  if (tested.length === 0) throw new NotEnoughGroups(names.length, cellCount);
  const single = all.filter(({ cells }) => cells < 2).map(({ name }) => name);
  const warnings: Caution[] = [];
  if (single.length > 0) {
    warnings.push({
      code: 'groups-of-one-cell',
      message: `Left out because they have one cell only: ${listed(single)}.`,
    });
  }
  return { tested, warnings };
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, namesShown).join(', ');
  return names.length > namesShown ? `${shown} and ${names.length - namesShown} more` : shown;
}
