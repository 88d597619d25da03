import { onKeptCells, sameImage } from '@/features/images/index.ts';
import { useMapAddress, useMapState } from '@/features/map/index.ts';
import { filterText, useWrittenAddress, viewOf } from './address-texts.ts';
import type { ImageScope } from './explorer-images.ts';
import { defaultContent, globalGroup, identityOf } from './explorer-images.ts';
import type { LeaveGuard } from './leave-exploration.tsx';
import { type Opening, useOpenedAddress } from './use-opened-address.ts';

interface AddressViewOptions extends Omit<Opening, 'current'> {
  /** While a navigation is pending the URL is not changed: another navigation would cancel it. */
  guard: Pick<LeaveGuard, 'leaving' | 'isLeaving'>;
}

export function useAddressView({ guard, ...opening }: AddressViewOptions) {
  const { scope, activeSubset, library, maps } = opening;
  const { group, answer } = activeSubset.active;
  const current: ImageScope = {
    ...scope,
    subsetGroupName: group?.name ?? globalGroup,
    filter: group?.filter ?? null,
    cellCount: group === null ? scope.cellCount : (answer?.cell_count ?? null),
  };
  const kept = useMapState(maps, (state) => state.kept);
  const opened = { filename: scope.datasetName, version: scope.version };
  const { isOpen, draw, cells } = useOpenedAddress({ ...opening, current });
  const map = useMapAddress(maps, library.viewer, cells);

  const filter = group === null ? undefined : filterText(group.filter);
  const views = library.viewed.flatMap((one) => {
    const image = onKeptCells(one, kept, opened);
    const { source } = image;
    if (!source) return [];
    // Opening the URL would draw images of other cells on these.
    const ofThese = image.type === 'default' || sameImage(image, identityOf(current, source.content));
    return ofThese ? (viewOf(source.content) ?? []) : [];
  });
  const shown = views.length === 1 && views[0] === viewOf(defaultContent) ? [] : views;
  const subsetId = group?.id ?? group?.linked ?? null;
  useWrittenAddress([subsetId, filter ?? null, shown, map], !isOpen || guard.leaving, guard.isLeaving);
  const selection = useMapState(maps, (shows) => shows.selection);
  return {
    draw,
    /** Selected cells that are not saved are too many for a URL: a recipient does not see them. */
    lacksCells:
      (group !== null && subsetId === null && filter === undefined) ||
      (selection !== null && map?.includes('"selection":') !== true),
  };
}
