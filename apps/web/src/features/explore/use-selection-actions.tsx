import { comparison } from '@cellfolio/analyses';
import { useEffect, useRef } from 'react';
import { type AnnotationAtHand, LabelSelection } from '@/features/annotations/index.ts';
import { toast } from '@/components/ui/toast.ts';
import type { AnalysisRuns } from '@/features/analyses/index.ts';
import { type ChosenSet, selectedSet } from '@/features/cell-sets/index.ts';
import { declaredAnalysis } from '@/features/declarations/index.ts';
import {
  encodedSelection,
  type CellSelection,
  type MapStore,
  type SelectionActions,
} from '@/features/map/index.ts';
import type { ActiveSubset, CellGroup, MapSelection, SavedSubsets } from '@/features/subsets/index.ts';
import {
  draftOfCells,
  filterPayload,
  freeName,
  normalFilter,
  sameCells,
  useSubsetActions,
} from '@/features/subsets/index.ts';
import { CallFailed, reasonOf } from '@/lib/api-errors.ts';
import { plural } from '@/lib/format.ts';
import { filterText } from './address-texts.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';

const notChosen = 'selection-not-chosen';

interface SelectionActionsOptions {
  dataset: { filename: string; version: string; cellCount: number };
  subsets: SavedSubsets;
  activeSubset: ActiveSubset;
  runs: AnalysisRuns;
  maps: MapStore;
  annotation: AnnotationAtHand;
}

export function useSelectionActions({
  dataset: { filename, version, cellCount },
  subsets,
  activeSubset,
  runs,
  maps,
  annotation,
}: SelectionActionsOptions) {
  const activeWhenDrawn = useActiveWhenDrawn(maps, activeSubset.active.group);
  useKeptWhileActive(maps, activeSubset.active.group);
  const actions = useSubsetActions({ subsets, activeSubset, onDone: () => {} });
  const asFilter = ({ bits, count, of }: CellSelection): MapSelection => ({
    version,
    places: encodedSelection(bits, cellCount),
    count,
    ...(of && { of: of.words }),
  });
  const groupOf = (selection: CellSelection): CellGroup => {
    const name = selection.of?.name ?? `Selection of ${plural(selection.count, 'cell')}`;
    return { id: null, name, filter: filterPayload(name, draftOfCells(name, asFilter(selection)).config) };
  };
  const onMap: SelectionActions = {
    save: async (name, selection) => {
      const free = freeName(name, actions.namesBut(null));
      await actions.keep(draftOfCells(free, asFilter(selection)));
    },
    keep: async (selection) => {
      const cells = plural(selection.count, 'cell');
      const group = groupOf(selection);
      const { name, filter } = group;
      try {
        const { cell_count: cellsOfFilter } = await activeSubset.apply(group);
        maps.set({ keptCells: { name, filter: normalFilter(filter), cellCount: cellsOfFilter } });
        // Only the selected cells are shown now, so that a selection would mark all of them.
        maps.select(null);
        toast.dismiss(notChosen);
        const isLost = filterText(filter) === undefined;
        toast.success('Subset Applied', {
          description: `Maps show these ${cells}${selection.of ? ` (${selection.of.words})` : ''} only; figures and analyses use them.${isLost ? ' There are too many for a link: save them as a subset to keep them.' : ''}`,
        });
      } catch (error) {
        if (isCancelled(error)) return;
        console.warn('The selection was not applied.', error);
        const reason = error instanceof CallFailed ? error.reason : reasonOf(error);
        toast.error('Couldn’t apply the selection', { id: notChosen, description: reason });
      }
    },
    showOthers: async () => {
      try {
        await activeSubset.apply(null);
      } catch (error) {
        if (isCancelled(error)) return;
        console.warn('All cells were not applied.', error);
        toast.error('Error', { description: 'The other cells could not be shown. Please try again.' });
      }
    },
    compare: async (selection) => {
      const group = activeWhenDrawn(selection);
      if (group?.filter !== activeSubset.active.group?.filter) {
        const name = group?.name ?? 'All cells';
        try {
          await activeSubset.apply(group);
        } catch (error) {
          if (isCancelled(error)) return;
          console.warn('The cells that the selection was drawn on were not applied.', error);
          toast.error('Error', {
            description: `${name} could not be activated. Choose it under Cell subset, then compare.`,
          });
          return;
        }
        toast.info('Active Cells Changed', {
          description: `${name}: the cells that were active when you made this selection. It is compared with the rest of them.`,
        });
      }
      prepareComparison(runs, selectedSet(selection, version, cellCount));
    },
    label: (selection) => {
      const name = `Selection of ${plural(selection.count, 'cell')}`;
      return (
        <LabelSelection
          atHand={annotation}
          filename={filename}
          version={version}
          count={selection.count}
          cells={() => filterPayload(name, draftOfCells(name, asFilter(selection)).config)}
        />
      );
    },
  };
  return { ...onMap, groupOf };
}

/** Opens the form with both sides set, for the user to run; without `b`, A is compared with all other active cells. */
export function prepareComparison(runs: Pick<AnalysisRuns, 'prepare'>, a: ChosenSet, b?: ChosenSet): void {
  const sides = { a: JSON.stringify(a), b: b === undefined ? '' : JSON.stringify(b) };
  runs.prepare(declaredAnalysis(comparison), { ...sides, within: '' });
}

/** Shows the kept cells alone for as long as they are the active ones, under the name that they have then. */
function useKeptWhileActive(maps: MapStore, group: CellGroup | null): void {
  useEffect(() => {
    const { keptCells } = maps.state;
    if (keptCells === null) return;
    if (!sameCells(group?.filter, keptCells.filter)) maps.set({ keptCells: null });
    else if (group && group.name !== keptCells.name)
      maps.set({ keptCells: { ...keptCells, name: group.name, filter: normalFilter(group.filter) } });
  }, [maps, group]);
}

/** Remembers for each selection which group was active when it was drawn; `null` for all cells. */
function useActiveWhenDrawn(
  maps: MapStore,
  group: CellGroup | null,
): (selection: CellSelection) => CellGroup | null {
  const activeGroups = useRef(new WeakMap<CellSelection, CellGroup | null>());
  useEffect(() => {
    const remember = () => {
      const { selection } = maps.state;
      if (selection !== null && !activeGroups.current.has(selection))
        activeGroups.current.set(selection, group);
    };
    remember();
    return maps.subscribe(remember);
  }, [maps, group]);
  return (selection) => activeGroups.current.get(selection) ?? null;
}
