import type { FigureContent, FilterRequest } from '@cellfolio/contract';
import { filterRequest, maxAddressLength, maxViewerImages } from '@cellfolio/contract';
import { readContentAddress } from '@cellfolio/figures/content';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { readScale, type ScaleRange } from '@/features/images/index.ts';
import type { CellGroup } from '@/features/subsets/index.ts';

const names = { subset: 'subset', filter: 'filter', view: 'view', map: 'map', scale: 'scale' } as const;
/** Query parameter with the short link, by which a colleague's subsets and labels are found. */
const linkName = 'link';

export interface RequestedView {
  subsetId: string | null;
  filter: CellGroup['filter'] | null;
  views: FigureContent[];
  /** Empty for none. */
  map: string;
  /** Ranges of the common scale; null where it is off. */
  scale: readonly ScaleRange[] | null;
  link: string | null;
}

/** Null when a URL names nothing. */
export function readAddress(params: URLSearchParams): RequestedView | null {
  const subsetId = params.get(names.subset);
  const filter = readFilterText(params.get(names.filter) ?? '') ?? null;
  const views = params
    .getAll(names.view)
    .slice(0, maxViewerImages)
    .map(readContentAddress)
    .filter((content) => content !== undefined);
  const map = params.get(names.map) ?? '';
  const isEmpty = subsetId === null && filter === null && views.length === 0 && map === '';
  const scale = readScale(params.get(names.scale));
  return isEmpty ? null : { subsetId, filter, views, map, scale, link: params.get(linkName) };
}

/** Milliseconds after a change: writing the URL rerenders the page, which would delay the requested map. */
const addressDelay = 150;

export interface WrittenView {
  subsetId: string | null;
  filter: string | null;
  views: string[];
  map: string | null;
  scale: string | null;
  /** The short link stays while something of it, such as a colleague's subset, is shown. */
  needsLink: boolean;
}

/**
 * Query of the explorer with a view, and how many of its cards it has: from the first one on that would make the address
 * too long they are left out, so that the others keep their places.
 */
export function addressOf(params: URLSearchParams, view: WrittenView) {
  const { subsetId, filter, views, map, scale, needsLink } = view;
  const next = new URLSearchParams(params);
  for (const name of Object.values(names)) next.delete(name);
  if (!needsLink) next.delete(linkName);
  if (subsetId !== null) next.set(names.subset, subsetId);
  if (filter !== null) next.set(names.filter, filter);
  const end = new URLSearchParams();
  if (map !== null) end.set(names.map, map);
  if (scale !== null) end.set(names.scale, scale);
  let room = maxAddressLength - `/explorer?${next}&${end}`.length;
  const tooLong = views.findIndex((content) => {
    room -= `&${new URLSearchParams({ [names.view]: content })}`.length;
    return room < 0;
  });
  const cards = tooLong === -1 ? views.length : tooLong;
  for (const content of views.slice(0, cards)) next.append(names.view, content);
  for (const [name, text] of end) next.set(name, text);
  return { params: next, cards };
}

/**
 * Writes the view into the URL soon after every change, unless navigation is held, or about to be. Returns the number of
 * cards that the URL has no room for.
 */
export function useWrittenAddress(view: WrittenView, isPaused: boolean, isLeaving: () => boolean): number {
  const [params, setParams] = useSearchParams();
  const written = JSON.stringify(view);
  const last = useRef<string | null>(null);
  const write = useEffectEvent(() => {
    if (isLeaving()) return;
    last.current = written;
    const { params: next } = addressOf(params, view);
    // Writing what is there would cancel a step back or forward that has just begun.
    if (next.toString() !== params.toString()) setParams(next, { replace: true, preventScrollReset: true });
  });
  useEffect(() => {
    if (isPaused || last.current === written) return;
    const timer = setTimeout(() => write(), addressDelay);
    return () => clearTimeout(timer);
  }, [isPaused, written]);
  return view.views.length - addressOf(params, view).cards;
}

/** Longer filters are not put into the URL: browsers and mail programs truncate long ones. */
const maxFilterLength = 1500;

/** A filter as text for a URL; `undefined` when it is too long for one. */
export function filterText(filter: FilterRequest): string | undefined {
  if ((filter.cells?.places.length ?? 0) > maxFilterLength) return undefined;
  const bytes = new TextEncoder().encode(JSON.stringify(filter));
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
  return text.length > maxFilterLength ? undefined : text;
}

/** Parses the text of {@link filterText}; `undefined` for any other text. */
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
