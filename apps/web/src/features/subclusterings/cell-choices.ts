import type { DatasetAnalysis } from '@cellfolio/contract';
import { selectedSet } from '@/features/cell-sets/index.ts';
import type { CellSelection } from '@/features/map/index.ts';
import { type ActiveSubset, type CellGroup, sameCells, type SavedSubsets } from '@/features/subsets/index.ts';

/** Cells that a map can be made of. */
export interface CellChoice {
  /** Of an entry of the list; no two are the same. */
  key: string;
  /** `null` for all cells. */
  group: CellGroup | null;
  /** How many; `null` where that is not known here. */
  cells: number | null;
  /** What the cells are, where their filter does not say it. */
  words?: string;
}

/** Those that are selected on the map first, then the active ones, all of them and the saved subsets. */
export function cellChoices(
  { version, cell_count: cellCount }: Pick<DatasetAnalysis, 'version' | 'cell_count'>,
  {
    selection,
    active: { group, answer },
    saved,
  }: {
    selection: CellSelection | null;
    active: ActiveSubset['active'];
    saved: NonNullable<SavedSubsets['list']['data']>;
  },
): CellChoice[] {
  const selected = selection && selectedSet(selection, version, cellCount);
  const isActive = selected !== null && group !== null && sameCells(selected.filter, group.filter);
  return [
    ...(selected === null || isActive
      ? []
      : [
          {
            key: 'selected',
            group: { id: null, name: selected.name, filter: selected.filter },
            cells: selection!.count,
            words: selected.words,
          },
        ]),
    ...(group === null ? [] : [{ key: 'active', group, cells: answer?.cell_count ?? null }]),
    { key: 'all', group: null, cells: cellCount },
    ...saved
      .filter(({ id }) => id !== group?.id)
      .map((subset) => ({ key: subset.id, group: subset, cells: null })),
  ];
}
