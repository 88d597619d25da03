import type { FigureContent, FigureSource, FilterRequest } from '@cellfolio/contract';
import { filterRequest, openedLink } from '@cellfolio/contract';
import { contentAddress, readContentAddress } from '@cellfolio/plots/content';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { toast } from '@/components/ui/toast.ts';
import type { GeneratedImage, ImageLibrary } from '@/features/images/index.ts';
import { drawFigure, maxInViewer, sameImage } from '@/features/images/index.ts';
import type { MapStore } from '@/features/map/index.ts';
import { openMapAddress, subsetOfMapAddress, useMapAddress, useMapState } from '@/features/map/index.ts';
import type { ActiveSubset, CellGroup, SavedSubset, SavedSubsets } from '@/features/subsets/index.ts';
import { readSubset } from '@/features/subsets/index.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import { useServices } from '@/lib/services.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import type { ImageScope } from './explorer-images.ts';
import { defaultContent, drawnImage, globalGroup, identityOf } from './explorer-images.ts';

/** Query parameters that hold the view. */
const names = { subset: 'subset', filter: 'filter', view: 'view', map: 'map' } as const;
/** The short link by which a colleague's subsets are found. */
const linkName = 'link';

interface AddressViewOptions {
  /** Of the whole dataset; the subset is put on top. */
  scope: ImageScope;
  subsets: SavedSubsets;
  activeSubset: ActiveSubset;
  library: ImageLibrary;
  take: (images: readonly GeneratedImage[]) => unknown;
  /** How the maps of the dataset are shown. */
  maps: MapStore;
  /** Do not change the URL: a navigation is pending, which another would cancel. */
  held: boolean;
}

/**
 * Keeps subset and shown images in the address, and opens what an address says: one's own subset by its id, a
 * colleague's by its filter; images that the library has are shown, others are drawn.
 */
export function useAddressView({
  scope,
  subsets,
  activeSubset,
  library,
  take,
  maps,
  held,
}: AddressViewOptions) {
  const { api } = useServices();
  const [params] = useSearchParams();
  const [asked] = useState(() => readAddress(params));
  const [state, setState] = useState<'waiting' | 'opening' | 'showing' | 'open'>(
    asked === null ? 'open' : 'waiting',
  );
  const draw = useCancellableCall((sources: readonly FigureSource[], handle) =>
    drawAll(api, sources, handle),
  );
  const { active, apply } = activeSubset;
  const current: ImageScope = {
    ...scope,
    subsetGroupName: active.group?.name ?? globalGroup,
    filter: active.group?.filter ?? null,
    cellCount: active.group === null ? scope.cellCount : (active.answer?.cell_count ?? null),
  };

  const ready = !subsets.list.isPending && !library.loading && !activeSubset.isPending;
  const [linked, setLinked] = useState<readonly SavedSubset[]>([]);
  const open = async () => {
    if (asked === null) return;
    const own = subsets.list.data ?? [];
    const others = isKnown(asked, own) ? [] : await linkedSubsets(api, asked.link);
    setLinked(others);
    const group = groupOf(asked, own, others);
    if (group === null && asked.subsetId !== null) {
      toast.warning('Warning', {
        description:
          'The subset that this address names was deleted, or is a colleague’s: all cells are shown. Ask for a link made by “Copy link”.',
      });
    }
    let cells = current;
    if (group !== null) {
      const { cell_count: cellCount } = await apply(group);
      cells = { ...scope, subsetGroupName: group.name, filter: group.filter, cellCount };
    }
    const missing = asked.views
      .map((content) => identityOf(cells, content))
      .filter(({ type }) => type !== 'default')
      .filter((identity) => library.find(identity) === undefined)
      .flatMap(({ source }) => source ?? []);
    if (missing.length > 0) {
      const drawn = await draw.mutateAsync(missing);
      take(drawn.map(({ source, url }) => drawnImage(cells, source, url)));
    }
  };
  const opening = useRef(open);
  useEffect(() => {
    opening.current = open;
  });
  useEffect(() => {
    if (state !== 'waiting' || !ready) return;
    setState('opening');
    opening.current().then(
      () => setState('showing'),
      (error: unknown) => {
        setState('showing');
        if (isCancelled(error)) return;
        console.warn('The view of the address could not be opened.', error);
        toast.warning('Warning', {
          description: 'Part of the view that this address names could not be opened.',
        });
      },
    );
  }, [state, ready]);

  const saved = useMemo(
    () =>
      [...(subsets.list.data ?? []), ...linked].flatMap(({ id, filter }) =>
        filter.cells ? [{ id, cells: filter.cells }] : [],
      ),
    [subsets.list.data, linked],
  );
  const cells = { version: scope.version, cellCount: scope.cellCount ?? 0, saved };
  const map = useMapAddress(maps, library.viewer, cells);
  // The images that the address names, in its order; once they are in the library.
  useEffect(() => {
    if (state !== 'showing' || asked === null) return;
    const ids = asked.views.flatMap((content) => {
      const identity = identityOf(current, content);
      return identity.type === 'default' ? ['default'] : (library.find(identity)?.id ?? []);
    });
    const isComplete = openMapAddress(maps, asked.map, ids.length > 0 ? ids : library.viewer, cells);
    if (!isComplete) {
      toast.warning('Warning', {
        description:
          'The selected cells of this address are of another version of the dataset, or of a subset that is not here.',
      });
    }
    if (ids.length > 0) {
      for (const id of library.viewer) if (!ids.includes(id)) library.remove(id);
      library.show(ids);
    }
    setState('open');
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the images have come
  }, [state]);

  const { group } = active;
  const filter = group === null ? undefined : filterText(group.filter);
  const views = library.viewed.flatMap((image) => {
    const { source } = image;
    if (!source) return [];
    // Opening the URL would draw images of other cells on these.
    const ofThese = image.type === 'default' || sameImage(image, identityOf(current, source.content));
    return ofThese ? (viewOf(source.content) ?? []) : [];
  });
  const shown = views.length === 1 && views[0] === viewOf(defaultContent) ? [] : views;
  const subsetId = group?.id ?? group?.linked ?? null;
  useWrittenAddress([subsetId, filter ?? null, shown, map], state !== 'open' || held);
  const selection = useMapState(maps, (shows) => shows.selection);
  return {
    draw,
    /** Cells that were selected and are not saved are too many for an address: whoever opens it does not see them. */
    lacksCells:
      (group !== null && subsetId === null && filter === undefined) ||
      (selection !== null && map?.includes('"selection":') !== true),
  };
}

/** Milliseconds after a change: writing the address renders the page anew, which would delay the map that was asked for. */
const addressDelay = 150;

/** Writes the view into the URL soon after every change, unless held. */
function useWrittenAddress(
  parts: [subsetId: string | null, filter: string | null, views: string[], map: string | null],
  held: boolean,
) {
  const [params, setParams] = useSearchParams();
  const written = JSON.stringify(parts);
  const last = useRef<string | null>(null);
  const write = useEffectEvent(() => {
    last.current = written;
    const [id, filter, views, map] = parts;
    const next = new URLSearchParams(params);
    for (const name of Object.values(names)) next.delete(name);
    if (id !== null) next.set(names.subset, id);
    if (filter !== null) next.set(names.filter, filter);
    for (const view of views) next.append(names.view, view);
    if (map !== null) next.set(names.map, map);
    // Writing what is there would cancel a step back or forward that has just begun.
    if (next.toString() !== params.toString()) setParams(next, { replace: true, preventScrollReset: true });
  });
  useEffect(() => {
    if (held || last.current === written) return;
    const timer = setTimeout(() => write(), addressDelay);
    return () => clearTimeout(timer);
  }, [held, written]);
}

interface AskedView {
  subsetId: string | null;
  filter: CellGroup['filter'] | null;
  views: FigureContent[];
  /** Empty for none. */
  map: string;
  link: string | null;
}

function readAddress(params: URLSearchParams): AskedView | null {
  const subsetId = params.get(names.subset);
  const filter = readFilterText(params.get(names.filter) ?? '') ?? null;
  const views = params
    .getAll(names.view)
    .slice(0, maxInViewer)
    .map(readContentAddress)
    .filter((content) => content !== undefined);
  const map = params.get(names.map) ?? '';
  const isEmpty = subsetId === null && filter === null && views.length === 0 && map === '';
  return isEmpty ? null : { subsetId, filter, views, map, link: params.get(linkName) };
}

/** Whether all that an address names is in it or among one's own subsets. */
function isKnown({ subsetId, filter, map }: AskedView, own: readonly SavedSubset[]): boolean {
  const named = [filter === null ? subsetId : null, subsetOfMapAddress(map) ?? null];
  return named.every((id) => id === null || own.some((subset) => subset.id === id));
}

/** The subsets of a colleague that a link names; none where it is gone. */
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

/** One's own subset as it is now; else the one whose filter the address carries, or that its link names. */
function groupOf(
  { subsetId, filter }: AskedView,
  own: readonly SavedSubset[],
  linked: readonly SavedSubset[],
): CellGroup | null {
  const mine = own.find(({ id }) => id === subsetId);
  if (mine !== undefined) return mine;
  if (filter !== null) return { id: null, name: filter.subset_group_name, filter };
  const found = linked.find(({ id }) => id === subsetId);
  return found === undefined ? null : { id: null, linked: found.id, name: found.name, filter: found.filter };
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

/** Longer filters are not put into the address: browsers and mail programs cut long ones. */
const maxFilterLength = 1500;
const maxViewLength = 600;

/** The content of an image as a URL parameter; `undefined` if it has none. */
export function viewOf(content: FigureContent): string | undefined {
  const text = contentAddress(content);
  return text === undefined || text.length > maxViewLength ? undefined : text;
}

/** A filter as text for an address; `undefined` where it is too long for one. */
export function filterText(filter: FilterRequest): string | undefined {
  if ((filter.cells?.places.length ?? 0) > maxFilterLength) return undefined;
  const bytes = new TextEncoder().encode(JSON.stringify(filter));
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
  return text.length > maxFilterLength ? undefined : text;
}

/** Reads what {@link filterText} wrote; `undefined` for anything else. */
export function readFilterText(text: string): FilterRequest | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
    return filterRequest.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}
