import type { FigureSource } from '@cellfolio/contract';
import { annotationsIn, openedLink } from '@cellfolio/contract';
import { describeFigure } from '@cellfolio/figures/content';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { toast } from '@/components/ui/toast.ts';
import { annotationsOf, takeLinkLabels } from '@/features/annotations/index.ts';
import type { CommonScale, GeneratedImage, ImageIdentity, ImageLibrary } from '@/features/images/index.ts';
import { drawFigure, imageName, onKeptCells, sameImage, viewerSizeStore } from '@/features/images/index.ts';
import type { KeptCells, MapStore } from '@/features/map/index.ts';
import { columnsOfMapAddress, keepsCells, openMapAddress } from '@/features/map/index.ts';
import type { ActiveSubset, CellGroup, SavedSubset, SavedSubsets } from '@/features/subsets/index.ts';
import { normalFilter, readSubset } from '@/features/subsets/index.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import { documentsQuery } from '@/features/documents/index.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { type Services, useServices } from '@/lib/services.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import type { RequestedView } from './address-texts.ts';
import { readAddress } from './address-texts.ts';
import type { ImageScope } from './explorer-images.ts';
import { defaultContent, drawnImage, identityOf } from './explorer-images.ts';

export interface Opening {
  /** Scope of the whole dataset; the subset is applied to it. */
  scope: ImageScope;
  current: ImageScope;
  subsets: SavedSubsets;
  activeSubset: ActiveSubset;
  library: ImageLibrary;
  scale: CommonScale;
  take: (images: readonly GeneratedImage[]) => unknown;
  maps: MapStore;
}

/** A card of an address that is not shown as its author saw it. */
export interface LackingCard {
  name: string;
  /** Its map is shown, without the colours or the split of the author. */
  drawn: boolean;
  reason: string;
}

/** Problems of the view's cards by their place, undefined for none. */
type CardProblems = readonly (string | undefined)[];

/**
 * Opens the view of the URL on page load: the user's own subset by its id, a colleague's by its filter; images in the
 * library are shown, others are drawn. A card that cannot be drawn keeps none of the others away.
 */
export function useOpenedAddress(opening: Opening) {
  const { scope, current, subsets, activeSubset, library, scale, take, maps } = opening;
  const { api } = useServices();
  const [params] = useSearchParams();
  const [initialView] = useState(() => readAddress(params));
  const [state, setState] = useState<'opening' | 'showing' | 'open'>(
    initialView === null ? 'open' : 'opening',
  );
  const hasBegun = useRef(false);
  const problems = useRef<CardProblems>([]);
  const [lacking, setLacking] = useState<readonly LackingCard[]>([]);
  const draw = useCancellableCall((sources: readonly FigureSource[], handle) =>
    drawAll(api, sources, handle),
  );
  const link = useLinkedView(scope.datasetName, initialView);
  const saved = useMemo(
    () =>
      [...(subsets.list.data ?? []), ...link.subsets].flatMap(({ id, filter }) =>
        filter.cells ? [{ id, cells: filter.cells }] : [],
      ),
    [subsets.list.data, link.subsets],
  );
  const cells = { version: scope.version, cellCount: scope.cellCount ?? 0, saved };

  /** The image of the library that shows this, on the kept cells if maps keep some. */
  const idOf = (identity: ImageIdentity, keptCells: KeptCells | null): string | undefined => {
    const opened = { filename: scope.datasetName, version: scope.version };
    return library.images.find((image) => sameImage(onKeptCells(image, keptCells, opened), identity))?.id;
  };
  const open = useEffectEvent(async (view: RequestedView) => {
    const group = groupOf(view, subsets.list.data ?? [], link.subsets);
    if (group === null && view.subsetId !== null) {
      warn(
        'The subset of this link was deleted or belongs to someone else: all cells are shown. Ask for a link made with “Copy link”.',
      );
    }
    const { subset, problem: cellsProblem } = await applyCells(opening, group, link);
    if (group !== null && cellsProblem !== undefined && view.views.length === 0) {
      warn(`The subset “${group.name}” was not applied: all cells are active. ${cellsProblem}`);
    }
    const cardProblems = view.views.map((content) => cellsProblem ?? link.problemOf(content));
    const idOfShown = (identity: ImageIdentity) => idOf(identity, keptOf(view, subset));
    const missing = missingFigures(view, cardProblems, { subset, idOf: idOfShown });
    const figures = missing.length === 0 ? [] : await draw.mutateAsync(missing.map(({ source }) => source));
    figures.forEach((figure, at) => {
      if ('problem' in figure) cardProblems[missing[at]!.place] = figure.problem;
    });
    problems.current = cardProblems;
    setLacking(lackingCards(view, cardProblems, { link, subset }));
    const drawn = figures.flatMap((one) => ('url' in one ? [drawnImage(subset, one.source, one.url)] : []));
    if (drawn.length > 0) take(drawn);
  });
  const show = useEffectEvent((view: RequestedView) => {
    const keptCells = keptOf(view, current);
    const cards = view.views.map((content, place) => {
      const identity = identityOf(current, content);
      if (problems.current[place] !== undefined) return undefined;
      return identity.type === 'default' ? 'default' : idOf(identity, keptCells);
    });
    const ids = cards.filter((id) => id !== undefined);
    const lacks = (column: string) => link.problemOf(column) !== undefined;
    const images = cards.length > 0 ? cards : library.viewer;
    if (!openMapAddress(maps, view.map, images, cells, { keptCells, lacks })) {
      warn(
        'The selected cells of this link belong to another version of the dataset, or to a subset you do not have.',
      );
    }
    if (ids.length === 0) return;
    showAlone(library, ids);
    scale.open(view.scale, ids);
  });

  const ready = !subsets.list.isPending && !library.loading && !activeSubset.isPending && !link.isPending;
  useEffect(() => {
    if (!ready || initialView === null || hasBegun.current) return;
    hasBegun.current = true;
    open(initialView)
      .catch((error: unknown) => {
        if (isCancelled(error)) return;
        console.warn('The view of the address could not be opened.', error);
        warn('Part of the linked view could not be opened.');
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
  return {
    isOpen: state === 'open',
    draw,
    cells,
    needsLink: link.subsets.length > 0,
    lacking: { cards: lacking, close: () => setLacking([]) },
  };
}

function showAlone({ viewer, remove, show }: ImageLibrary, ids: readonly string[]): void {
  viewerSizeStore.makeRoom(ids.length);
  for (const id of viewer) if (!ids.includes(id)) remove(id);
  show(ids);
}

/** Chooses the cells of a view; the problem is why they are not chosen. */
async function applyCells(
  { scope, current, activeSubset }: Opening,
  group: CellGroup | null,
  link: LinkedView,
): Promise<{ subset: ImageScope; problem?: string | undefined }> {
  if (group === null) return { subset: current };
  const problem = link.problemOf(group.filter);
  if (problem !== undefined) return { subset: current, problem };
  try {
    const { cell_count: cellCount } = await activeSubset.apply(group);
    return { subset: { ...scope, subsetGroupName: group.name, filter: group.filter, cellCount } };
  } catch (error) {
    if (isCancelled(error)) throw error;
    return { subset: current, problem: reasonOf(error) };
  }
}

/** Sources of figures without a problem that the library does not have, each with its place in the view. */
function missingFigures(
  { views }: RequestedView,
  problems: CardProblems,
  { subset, idOf }: { subset: ImageScope; idOf: (identity: ImageIdentity) => string | undefined },
) {
  return views.flatMap((content, place) => {
    const identity = identityOf(subset, content);
    const isThere = identity.type === 'default' || idOf(identity) !== undefined;
    return identity.source && !isThere && problems[place] === undefined
      ? [{ source: identity.source, place }]
      : [];
  });
}

function lackingCards(
  { views, map }: RequestedView,
  problems: CardProblems,
  { link, subset }: { link: LinkedView; subset: ImageScope },
): LackingCard[] {
  const columns = columnsOfMapAddress(map);
  const { groupedBy, annotations, map: mapTitle, subsetGroupName } = subset;
  // A title has the name of an annotation as its author wrote it.
  const own = [...annotations, ...link.lacking];
  return (views.length === 0 ? [defaultContent] : views).flatMap((content, place): LackingCard[] => {
    const name = imageName({ ...describeFigure(content, groupedBy, own, mapTitle), subsetGroupName });
    const reason = problems[place];
    if (reason !== undefined) return [{ name, drawn: false, reason }];
    const coloursReason = link.problemOf(columns[place]);
    return coloursReason === undefined ? [] : [{ name, drawn: true, reason: coloursReason }];
  });
}

interface LinkedView {
  isPending: boolean;
  subsets: readonly SavedSubset[];
  /** Annotations of the link's author that the user does not have. */
  lacking: readonly { name: string; problem: string }[];
  /** Undefined where the content names none of them. */
  problemOf: (content: unknown) => string | undefined;
}

const noLink: Pick<LinkedView, 'subsets' | 'lacking'> = { subsets: [], lacking: [] };

/** Content of the short link of a view; its labels are added to the user's own first. */
function useLinkedView(filename: string, view: RequestedView | null): LinkedView {
  const services = useServices();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['linked-view', filename, view?.link ?? null],
    queryFn: async () => {
      // Figures name the revisions of their columns. A list that is not available says so itself.
      const annotations = documentsQuery(services, annotationsOf(filename));
      await client.ensureQueryData(annotations).catch(() => undefined);
      const link = view?.link ?? null;
      return link === null ? noLink : openLink(services, client, { filename, link });
    },
    enabled: view !== null,
    staleTime: Infinity,
    gcTime: 0,
  });
  const { subsets, lacking } = query.data ?? noLink;
  return {
    isPending: query.isPending,
    subsets,
    lacking,
    problemOf: (content) => annotationsIn(lacking, content)[0]?.problem,
  };
}

async function openLink(
  services: Services,
  client: QueryClient,
  { filename, link }: { filename: string; link: string },
): Promise<typeof noLink> {
  try {
    const { subsets, labels: names } = await services.api({
      path: `/api/links/${encodeURIComponent(link)}`,
      answer: openedLink,
    });
    const labels = names.length === 0 ? [] : await takenLabels(services, client, { filename, link, names });
    const added = labels.flatMap((one) => (one.added ? [`“${one.name}”`] : []));
    if (added.length > 0) {
      toast.success('Labels added', {
        description: `${added.join(', ')} came with the link. A copy is in your annotations.`,
      });
    }
    return {
      subsets: subsets.flatMap((row) => readSubset(row) ?? []),
      lacking: labels.flatMap(({ name, problem }) => (problem === undefined ? [] : [{ name, problem }])),
    };
  } catch (error) {
    console.warn('The link could not be opened.', error);
    return noLink;
  }
}

async function takenLabels(
  services: Services,
  client: QueryClient,
  { names, ...of }: { filename: string; link: string; names: readonly string[] },
): ReturnType<typeof takeLinkLabels> {
  try {
    return await takeLinkLabels(services, client, of);
  } catch (error) {
    return names.map((name) => ({ name, added: false, problem: reasonOf(error) }));
  }
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

type Drawn = { source: FigureSource } & ({ url: string } | { problem: string });

/** Draws each figure that can be drawn. Throws when cancelled. */
async function drawAll(
  api: ApiClient,
  sources: readonly FigureSource[],
  { signal }: CallHandle,
): Promise<Drawn[]> {
  return Promise.all(
    sources.map(async (source) => {
      try {
        return { source, url: await drawFigure(api, source, signal) };
      } catch (error) {
        if (isCancelled(error)) throw error;
        return { source, problem: reasonOf(error) };
      }
    }),
  );
}
