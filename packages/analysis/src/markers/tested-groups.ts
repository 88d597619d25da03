import { type ResultCaution as Caution, listedNames } from '@cellfolio/model';
import type { CellGroups } from './cell-groups.ts';

export interface TestedGroup {
  readonly name: string;
  readonly cells: number;
  readonly group: number;
}

/** Minimum number of cells for which scanpy computes a variance. */
const scanpyMinimum = 2;

export class NotEnoughGroups extends Error {
  override readonly name = 'NotEnoughGroups';
  readonly groupCount: number;
  readonly cellCount: number;
  constructor(groupCount: number, cellCount: number, minCells: number) {
    const reason =
      groupCount === 0
        ? 'none of the active cells has a value in this column'
        : groupCount === 1
          ? 'all active cells are in one group'
          : `no group has ${minCells} cells and as many others to compare them with`;
    super(
      `${reason}, and markers need a group of at least ${minCells} cells and others to compare it with: choose another column, or a larger subset`,
    );
    this.groupCount = groupCount;
    this.cellCount = cellCount;
  }
}

const namesShown = 5;

export function untestedGroups(groups: CellGroups, minCells: number = scanpyMinimum): TestedGroup[] {
  return everyGroup(groups).filter(({ cells }) => Math.min(cells, groups.cellCount - cells) < minCells);
}

function everyGroup({ names, sizes }: CellGroups): TestedGroup[] {
  return names.map((name, group) => ({ name, cells: sizes[group]!, group }));
}

/**
 * Groups that have `minCells` cells and as many other cells; the rest are named in a warning and remain in the
 * reference of every group. scanpy refuses the whole analysis for a group of one cell. Call before reading genes.
 * Throws NotEnoughGroups.
 */
export function testedGroups(
  groups: CellGroups,
  minCells: number = scanpyMinimum,
): { tested: TestedGroup[]; warnings: Caution[] } {
  const left = untestedGroups(groups, minCells);
  const isLeft = new Set(left.map(({ group }) => group));
  const tested = everyGroup(groups).filter(({ group }) => !isLeft.has(group));
  if (tested.length === 0) throw new NotEnoughGroups(groups.names.length, groups.cellCount, minCells);
  return { tested, warnings: leftOutWarnings(left, minCells) };
}

export function leftOutWarnings(
  left: readonly Omit<TestedGroup, 'group'>[],
  minCells: number = scanpyMinimum,
): Caution[] {
  if (left.length === 0) return [];
  return [
    {
      code: 'groups-left-out',
      message: `Not compared, as fewer than ${minCells} cells are in the group or in its reference: ${listed(left)}. Their cells stay in the reference of the others: lower the minimum to compare them.`,
      numbers: {
        minimumCells: minCells,
        groups: left.slice(0, namesShown).map(({ name }) => name),
        cells: left.slice(0, namesShown).map(({ cells }) => cells),
        groupCount: left.length,
      },
    },
  ];
}

function listed(groups: readonly Omit<TestedGroup, 'group'>[]): string {
  return listedNames(
    groups.map(({ name, cells }) => `${name} (${cells})`),
    namesShown,
  );
}
