import type { FigureSource } from '@cellfolio/contract';
import { openedLink } from '@cellfolio/contract';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { toast } from '@/components/ui/toast.ts';
import type { GeneratedImage, ImageIdentity, ImageLibrary } from '@/features/images/index.ts';
import { drawFigure, onKeptCells, sameImage } from '@/features/images/index.ts';
import type { KeptCells, MapStore } from '@/features/map/index.ts';
import { keepsCells, openMapAddress, subsetOfMapAddress } from '@/features/map/index.ts';
import type { ActiveSubset, CellGroup, SavedSubset, SavedSubsets } from '@/features/subsets/index.ts';
import { normalFilter, readSubset } from '@/features/subsets/index.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import { useServices } from '@/lib/services.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import type { RequestedView } from './address-texts.ts';
import { readAddress } from './address-texts.ts';
import type { ImageScope } from './explorer-images.ts';
import { drawnImage, identityOf } from './explorer-images.ts';

export interface Opening {
  /** Scope of the whole dataset; the subset is applied to it. */
  scope: ImageScope;
  current: ImageScope;
  subsets: SavedSubsets;
  activeSubset: ActiveSubset;
  library: ImageLibrary;
  take: (images: readonly GeneratedImage[]) => unknown;
  maps: MapStore;
}

/**
 * Opens the view of the URL on page load: the user's own subset by its id, a colleague's by its filter; images in the
 * library are shown, others are drawn.
 */
export function useOpenedAddress({ scope, current, subsets, activeSubset, library, take, maps }: Opening) {
  const { api } = useServices();
  const [params] = useSearchParams();
  const [initialView] = useState(() => readAddress(params));
  const [state, setState] = useState<'opening' | 'showing' | 'open'>(
    initialView === null ? 'open' : 'opening',
  );
  const hasBegun = useRef(false);
  const draw = useCancellableCall((sources: readonly FigureSource[], handle) =>
    drawAll(api, sources, handle),
  );
  const [linked, setLinked] = useState<readonly SavedSubset[]>([]);
  const saved = useMemo(
    () =>
      [...(subsets.list.data ?? []), ...linked].flatMap(({ id, filter }) =>
        filter.cells ? [{ id, cells: filter.cells }] : [],
      ),
    [subsets.list.data, linked],
  );
  const cells = { version: scope.version, cellCount: scope.cellCount ?? 0, saved };

  /** The image of the library that shows this, on the kept cells if maps keep some. */
  const idOf = (identity: ImageIdentity, kept: KeptCells | null): string | undefined => {
    const opened = { filename: scope.datasetName, version: scope.version };
    return library.images.find((image) => sameImage(onKeptCells(image, kept, opened), identity))?.id;
  };
  const open = useEffectEvent(async (view: RequestedView) => {
    const own = subsets.list.data ?? [];
    const others = isKnown(view, own) ? [] : await linkedSubsets(api, view.link);
    setLinked(others);
    const group = groupOf(view, own, others);
    if (group === null && view.subsetId !== null) {
      warn(
        'The subset that this address names was deleted, or is a colleague’s: all cells are shown. Ask for a link made by “Copy link”.',
      );
    }
    let subset = current;
    if (group !== null) {
      const { cell_count: cellCount } = await activeSubset.apply(group);
      subset = { ...scope, subsetGroupName: group.name, filter: group.filter, cellCount };
    }
    const missing = view.views
      .map((content) => identityOf(subset, content))
      .filter((identity) => identity.type !== 'default' && idOf(identity, keptOf(view, subset)) === undefined)
      .flatMap(({ source }) => source ?? []);
    if (missing.length === 0) return;
    const figures = await draw.mutateAsync(missing);
    take(figures.map(({ source, url }) => drawnImage(subset, source, url)));
  });
  const show = useEffectEvent((view: RequestedView) => {
    const kept = keptOf(view, current);
    const ids = view.views.flatMap((content) => {
      const identity = identityOf(current, content);
      return identity.type === 'default' ? ['default'] : (idOf(identity, kept) ?? []);
    });
    if (!openMapAddress(maps, view.map, ids.length > 0 ? ids : library.viewer, cells, kept)) {
      warn(
        'The selected cells of this address are of another version of the dataset, or of a subset that is not here.',
      );
    }
    if (ids.length === 0) return;
    for (const id of library.viewer) if (!ids.includes(id)) library.remove(id);
    library.show(ids);
  });

  const ready = !subsets.list.isPending && !library.loading && !activeSubset.isPending;
  useEffect(() => {
    if (!ready || initialView === null || hasBegun.current) return;
    hasBegun.current = true;
    open(initialView)
      .catch((error: unknown) => {
        if (isCancelled(error)) return;
        console.warn('The view of the address could not be opened.', error);
        warn('Part of the view that this address names could not be opened.');
      })
      .finally(() => setState('showing'));
  }, [ready, initialView]);
  // Once the images are in the library.
  useEffect(() => {
    if (state !== 'showing' || initialView === null) return;
    show(initialView);
    // oxlint-disable-next-line react/set-state-in-effect -- what is shown is changed before it is painted
    setState('open');
  }, [state, initialView]);
  return { isOpen: state === 'open', draw, cells };
}

function keptOf(
  { map }: RequestedView,
  { subsetGroupName: name, filter, cellCount }: ImageScope,
): KeptCells | null {
  if (!keepsCells(map) || filter === null || cellCount === null) return null;
  return { name, filter: normalFilter(filter), cellCount };
}

function warn(description: string): void {
  toast.warning('Warning', { description });
}

function isKnown({ subsetId, filter, map }: RequestedView, own: readonly SavedSubset[]): boolean {
  const named = [filter === null ? subsetId : null, subsetOfMapAddress(map) ?? null];
  return named.every((id) => id === null || own.some((subset) => subset.id === id));
}

/** A colleague's subsets named by a link; empty when the link is gone. */
async function linkedSubsets(api: ApiClient, link: string | null): Promise<SavedSubset[]> {
  if (link === null) return [];
  try {
    const { subsets } = await api({ path: `/api/links/${encodeURIComponent(link)}`, answer: openedLink });
    return subsets.flatMap((row) => readSubset(row) ?? []);
  } catch (error) {
    console.warn('The subsets of the link could not be had.', error);
    return [];
  }
}

/** The user's own subset in its current state; else the one whose filter is in the URL, or that its link names. */
function groupOf(
  { subsetId, filter }: RequestedView,
  own: readonly SavedSubset[],
  linked: readonly SavedSubset[],
): CellGroup | null {
  const mine = own.find(({ id }) => id === subsetId);
  if (mine !== undefined) return mine;
  if (filter !== null) return { id: null, name: filter.subset_group_name, filter };
  const match = linked.find(({ id }) => id === subsetId);
  return match === undefined ? null : { id: null, linked: match.id, name: match.name, filter: match.filter };
}

async function drawAll(
  api: ApiClient,
  sources: readonly FigureSource[],
  { signal }: CallHandle,
): Promise<{ source: FigureSource; url: string }[]> {
  return Promise.all(
    sources.map(async (source) => ({
      source,
      url: await drawFigure(api, source, signal),
    })),
  );
}
