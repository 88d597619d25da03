import type { FilterRequest } from '@cellfolio/contract';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import type { CellSelection, MapStore } from '@/features/map/index.ts';
import { encodedSelection, useMapState } from '@/features/map/index.ts';
import type { ActiveSubset, SavedSubsets } from '@/features/subsets/index.ts';
import { draftOfCells, filterPayload, filterWords } from '@/features/subsets/index.ts';
import { plural } from '@/lib/format.ts';
import type { ChosenSet } from './chosen-sets.ts';

interface SetSources {
  filename: string;
  subsets: SavedSubsets;
  maps: MapStore;
  version: string;
  cellCount: number;
}

export function useOfferedSets({
  filename,
  subsets,
  maps,
  version,
  cellCount,
}: SetSources): readonly ChosenSet[] {
  const selected = useMapState(maps, ({ selection }) => selection);
  const saved = subsets.list.data;
  const names = useCategoryNames(filename);
  return useMemo(
    () => [
      ...(selected ? [selectedSet(selected, version, cellCount)] : []),
      ...(saved ?? []).map(({ name, filter, draft }) => ({
        name,
        filter,
        words: filterWords(draft.config, names, version),
      })),
    ],
    [selected, saved, version, cellCount, names],
  );
}

export function selectedSet(
  { bits, count, of }: CellSelection,
  version: string,
  cellCount: number,
): ChosenSet {
  const name = of?.name ?? `Selection of ${plural(count, 'cell')}`;
  const draft = draftOfCells(name, { version, places: encodedSelection(bits, cellCount), count });
  return { name, filter: filterPayload(name, draft.config), words: of?.words ?? 'selected on the map' };
}

interface SetsAtHand {
  offered: readonly ChosenSet[];
  active: FilterRequest;
}

const allCells: FilterRequest = { subset_group_name: 'Default' };
const SetsContext = createContext<SetsAtHand>({ offered: [], active: allCells });

interface SetsAtHandProviderProps extends SetSources {
  activeSubset: ActiveSubset;
  children: ReactNode;
}

export function SetsAtHandProvider({ activeSubset, children, ...sources }: SetsAtHandProviderProps) {
  const offered = useOfferedSets(sources);
  const active = activeSubset.active.group?.filter ?? allCells;
  const atHand = useMemo(() => ({ offered, active }), [offered, active]);
  return <SetsContext value={atHand}>{children}</SetsContext>;
}

export function useSetsAtHand(): SetsAtHand {
  return useContext(SetsContext);
}
