import type { DatasetAnalysis } from '@cellfolio/contract';
import type { CategoryNames } from '@/features/category-displays/index.ts';
import { type ChosenSet, selectedSet } from '@/features/cell-sets/index.ts';
import type { CellSelection } from '@/features/map/index.ts';
import { type CellGroup, draftOfFilter, filterWords, sameCells } from '@/features/subsets/index.ts';

/** Default cells for a new subclustering: those selected on the map, else the active ones. */
export function cellsAtFirst(
  { version, cell_count: cellCount }: Pick<DatasetAnalysis, 'version' | 'cell_count'>,
  selection: CellSelection | null,
  active: CellGroup | null,
  names: CategoryNames,
): ChosenSet | undefined {
  const selected = selection && selectedSet(selection, version, cellCount);
  // A selection that was kept has a name.
  if (selected && !(active && sameCells(selected.filter, active.filter))) return selected;
  if (active === null) return undefined;
  const { name, filter } = active;
  return { name, filter, words: filterWords(draftOfFilter(filter).config, names) };
}
