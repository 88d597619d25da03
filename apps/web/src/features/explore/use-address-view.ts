import { annotationsIn } from '@cellfolio/contract';
import { onKeptCells, sameImage, useCommonScaleOf } from '@/features/images/index.ts';
import { useMapAddress, useMapState } from '@/features/map/index.ts';
import { filterText, useWrittenAddress, viewOf } from './address-texts.ts';
import type { ImageScope } from './explorer-images.ts';
import { defaultContent, globalGroup, identityOf } from './explorer-images.ts';
import type { LeaveGuard } from './leave-exploration.tsx';
import { type Opening, useOpenedAddress } from './use-opened-address.ts';

interface AddressViewOptions extends Omit<Opening, 'current' | 'scale'> {
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
  const scale = useCommonScaleOf(library.viewed);
  const { isOpen, draw, cells, needsLink, lacking } = useOpenedAddress({ ...opening, current, scale });
  const map = useMapAddress(maps, library.viewer, cells);

  const filter = group === null ? undefined : filterText(group.filter);
  const contents = library.viewed.flatMap((one) => {
    const { source, ...image } = onKeptCells(one, kept, opened);
    if (!source) return [];
    // Opening the URL would draw images of other cells on these.
    const ofThese =
      image.type === 'default' || sameImage({ ...image, source }, identityOf(current, source.content));
    const view = ofThese ? viewOf(source.content) : undefined;
    return view === undefined ? [] : [{ content: source.content, view }];
  });
  const views = contents.map(({ view }) => view);
  const shown = views.length === 1 && views[0] === viewOf(defaultContent) ? [] : views;
  const subsetId = group?.id ?? group?.linked ?? null;
  const ranges = shown.length > 0 ? scale.ranges : null;
  useWrittenAddress(
    {
      subsetId,
      filter: filter ?? null,
      views: shown,
      map,
      scale: ranges && JSON.stringify(ranges),
      needsLink,
    },
    !isOpen || guard.leaving,
    guard.isLeaving,
  );
  const selection = useMapState(maps, (shows) => shows.selection);
  return {
    draw,
    scale,
    lacking,
    /** The user's own columns that the view shows or chooses cells by: a recipient does not have them. */
    labels: annotationsIn(scope.annotations, contents, group?.filter, map === null ? null : JSON.parse(map)),
    /** Selected cells that are not saved are too many for a URL: a recipient does not see them. */
    lacksCells:
      (group !== null && subsetId === null && filter === undefined) ||
      (selection !== null && map?.includes('"selection":') !== true),
  };
}
