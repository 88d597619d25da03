import type { RenderFigureRequest } from '@cellfolio/contract';
import { fit } from '@cellfolio/map';
import { describeFigure } from '@cellfolio/figures/content';
import {
  type CardLook,
  type ChosenEmbedding,
  defaultEmbedding,
  embeddingTitle,
  shownLook,
  useMapCells,
  useMapState,
  useMapStore,
} from '@/features/map/index.ts';
import { type LibraryImage, useImageTitle } from './library-image.ts';
import { useLiveVersion } from './live-figure.tsx';
import type { FigureRange } from './render-figure.ts';

type MapShown = NonNullable<RenderFigureRequest['shown']>;

export interface SeenImage {
  image: LibraryImage;
  /** Coloured by another column, or on the cells that all maps keep: it is then not in the library. */
  isChanged: boolean;
  range?: FigureRange;
  map?: string;
  /** Visible part of the map, if not all of it is visible as in the figure. */
  shown?: MapShown;
  window?: (() => MapShown['window']) | undefined;
}

export function useSeenImage(image: LibraryImage): SeenImage {
  const ownTitle = useImageTitle(image);
  const filename = image.source?.dataset_filename ?? image.datasetName;
  const store = useMapStore(filename);
  const version = useLiveVersion(image);
  const look = useMapState(store, (state) => shownLook(state, image.id));
  const camera = useMapState(store, (state) => state.camera);
  const dataset = { filename, version: version ?? '' };
  const isLive = version !== undefined;
  const { list: listed, chosen: embedding, scene } = useMapCells(dataset, store, isLive);
  const list = listed.data;
  const titled = ownTitle === image.title ? image : { ...image, title: ownTitle };
  if (!isLive || !image.source) return { image: titled, isChanged: false };

  const isWhole = camera.zoom === 1 && camera.x === fit().x && camera.y === fit().y;
  const shown = shownOf(look, embedding);
  const on = embedding ?? defaultEmbedding(list);
  const map = on && list && embeddingTitle(on, list);
  const view = {
    ...(map !== undefined && { map }),
    ...(look.range && { range: look.range }),
    ...(Object.keys(shown).length > 0 && { shown }),
    window: isWhole ? undefined : () => scene?.window(camera),
  };
  const splitBy = list?.obs.find(({ name }) => name === look.split)?.title;
  const content = look.content ?? image.source.content;
  const own = list?.obs.filter(({ own: isOwn }) => isOwn === true);
  const { title, subtitle, type } = describeFigure(content, 'none', own, map);
  const asMap = splitBy === undefined ? subtitle : `${subtitle}, split by ${splitBy}`;
  if (!look.content) {
    const isChanged = image.onKeptCells === true;
    return { image: { ...titled, subtitle: asMap }, isChanged, ...view };
  }
  const source = { ...image.source, content: look.content };
  return {
    image: { ...image, title, subtitle: asMap, type, source },
    isChanged: true,
    ...view,
  };
}

function shownOf({ hidden = [], log, split }: CardLook, embedding: ChosenEmbedding | null): MapShown {
  const categories = hidden.filter((key) => key.startsWith('=')).map((key) => key.slice(1));
  return {
    ...(categories.length > 0 && { hidden: categories }),
    ...(hidden.includes('missing') && { hide_missing: true }),
    ...(hidden.includes('rest') && { hide_rest: true }),
    ...(hidden.includes('others') && { hide_others: true }),
    ...(log === true && { log }),
    ...(split !== undefined && { split }),
    ...(embedding && { embedding: embedding.name, axes: [...embedding.axes] }),
  };
}
