import { type ResultCaution as Caution, listedNames, plural } from '@cellfolio/model';
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
  constructor(
    { names, sizes, cellCount }: Pick<CellGroups, 'names' | 'sizes' | 'cellCount'>,
    minCells: number,
    reference?: number,
  ) {
    const reason =
      names.length === 0
        ? 'none of the active cells has a value in this column'
        : names.length === 1
          ? 'all active cells are in one group'
          : reference !== undefined && sizes[reference]! < minCells
            ? `the reference ${names[reference]} has ${plural(sizes[reference]!, 'cell')}`
            : `no group has ${minCells} cells and as many others to compare them with`;
    super(
      `${reason}, and markers need a group of at least ${minCells} cells and others to compare it with: choose another column, or a larger subset`,
    );
    this.groupCount = names.length;
    this.cellCount = cellCount;
  }
}

const namesShown = 5;

export function untestedGroups(
  groups: CellGroups,
  minCells: number = scanpyMinimum,
  reference?: number,
): TestedGroup[] {
  return everyGroup(groups).filter(
    ({ cells, group }) =>
      group !== reference && Math.min(cells, othersOf(groups, cells, reference)) < minCells,
  );
}

/** Whether a group besides the reference has enough cells, and as many to compare it with. */
export function canCompare(groups: CellGroups, minCells: number, reference?: number): boolean {
  const others = groups.names.length - (reference === undefined ? 0 : 1);
  return untestedGroups(groups, minCells, reference).length < others;
}

function everyGroup({ names, sizes }: CellGroups): TestedGroup[] {
  return names.map((name, group) => ({ name, cells: sizes[group]!, group }));
}

/** Number of cells that a group of `cells` is compared with. */
export function othersOf(
  { sizes, cellCount }: Pick<CellGroups, 'sizes' | 'cellCount'>,
  cells: number,
  reference: number | undefined,
): number {
  return reference === undefined ? cellCount - cells : sizes[reference]!;
}

/**
 * Groups that have `minCells` cells and as many other cells, without the `reference`; the rest are named in a warning
 * and, without a reference, remain among the others of every group. scanpy refuses the whole analysis for a group of one
 * cell. Call before reading genes. Throws NotEnoughGroups, and RangeError if there is no such reference.
 */
export function testedGroups(
  groups: CellGroups,
  minCells: number = scanpyMinimum,
  reference?: number,
): { tested: TestedGroup[]; warnings: Caution[] } {
  if (reference !== undefined && groups.sizes[reference] === undefined) {
    throw new RangeError(`there is no group ${reference} among ${groups.names.length}`);
  }
  const left = untestedGroups(groups, minCells, reference);
  const isLeft = new Set(left.map(({ group }) => group));
  const tested = everyGroup(groups).filter(({ group }) => group !== reference && !isLeft.has(group));
  if (tested.length === 0) throw new NotEnoughGroups(groups, minCells, reference);
  return { tested, warnings: leftOutWarnings(left, minCells, reference) };
}

export function leftOutWarnings(
  left: readonly Omit<TestedGroup, 'group'>[],
  minCells: number = scanpyMinimum,
  reference?: number,
): Caution[] {
  if (left.length === 0) return [];
  const others =
    reference === undefined ? ' Their cells stay in the reference of the others:' : ' To compare them,';
  const end = reference === undefined ? ' to compare them' : '';
  return [
    {
      code: 'groups-left-out',
      message: `Not compared, as fewer than ${minCells} cells are in the group or in its reference: ${listed(left)}.${others} lower the minimum${end}.`,
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
