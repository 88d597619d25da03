import { isLiveMap } from '@cellfolio/figures/content';
import { useQuery } from '@tanstack/react-query';
import { columnListQuery, LiveMap } from '@/features/map/index.ts';
import type { FigureWords } from '@/lib/figure-words.ts';
import { useServices } from '@/lib/services.ts';
import { createContext, useContext } from 'react';
import { useCommonScale } from './common-scale.tsx';
import { FittedFigure } from './fitted-figure.tsx';
import type { LibraryImage, OpenedDataset } from './library-image.ts';

export const OpenedDatasetContext = createContext<OpenedDataset | null>(null);

/** Dataset version that a live map of the image can show; `undefined` if it stays a picture. */
export function useLiveVersion({ source, missing }: LibraryImage): string | undefined {
  const { api } = useServices();
  const opened = useContext(OpenedDatasetContext);
  const filename = source?.dataset_filename ?? '';
  const isOpen = filename === opened?.filename;
  // A figure of an older version shows other cells than the ones of today.
  const isOlder = isOpen && source?.version !== undefined && source.version !== opened.version;
  const version = isOpen ? opened.version : source?.version;
  const isMapOfCells = source && missing === undefined && isLiveMap(source.content) && !isOlder;
  const list = useQuery({
    ...columnListQuery(api, { filename, version: version ?? '' }),
    enabled: isMapOfCells === true && version !== undefined,
  });
  return isMapOfCells === true && !list.isError ? version : undefined;
}

interface LiveFigureProps {
  image: LibraryImage;
  alt: string;
  zoom?: number;
  whole?: boolean;
  /** Collapses the legend of a live map. */
  isCompact?: boolean;
  onWords?: ((words: FigureWords | undefined) => void) | undefined;
}

export function LiveFigure({ image, alt, zoom, whole, isCompact, onWords }: LiveFigureProps) {
  const version = useLiveVersion(image);
  const scale = useCommonScale(image.source);
  const still = (
    <FittedFigure
      image={image}
      alt={alt}
      onWords={onWords}
      {...(zoom && { zoom })}
      {...(whole && { whole })}
    />
  );
  if (version === undefined || !image.source) return still;
  return (
    <LiveMap
      source={image.source}
      version={version}
      card={image.id}
      name={alt}
      range={scale?.range}
      isCompact={isCompact}
      onWords={onWords}
    >
      {still}
    </LiveMap>
  );
}
