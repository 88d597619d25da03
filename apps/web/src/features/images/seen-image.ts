import { describeFigure } from '@cellfolio/plots/content';
import { useMapState, useMapStore } from '@/features/map/index.ts';
import type { LibraryImage } from './library-image.ts';
import type { FigureRange } from './render-figure.ts';

/** An image as its card shows it now. */
export interface SeenImage {
  /** By another column where it was recoloured; then it is not in the library. */
  image: LibraryImage;
  isRecoloured: boolean;
  /** Ends of the colour bar that were chosen. */
  range?: FigureRange;
}

/** What the card of an image shows: the image, or its map as it was recoloured. */
export function useSeenImage(image: LibraryImage): SeenImage {
  const store = useMapStore(image.source?.dataset_filename ?? image.datasetName);
  const look = useMapState(store, (state) => state.looks.get(image.id));
  const range = look?.range && { range: look.range };
  if (!look?.content || !image.source) return { image, isRecoloured: false, ...range };
  const { title, subtitle, type } = describeFigure(look.content, 'none');
  const source = { ...image.source, content: look.content };
  return { image: { ...image, title, subtitle, type, source }, isRecoloured: true, ...range };
}
