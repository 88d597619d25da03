import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cn } from '@/lib/cn.ts';
import { useServices } from '@/lib/services.ts';
import type { LibraryImage } from './library-image.ts';
import { useObjectUrl } from './object-url.ts';
import { renderFigure } from './render-figure.ts';

/** Milliseconds that a file is kept for coming back to its figure. */
const keptFor = 60_000;

/**
 * The figure with the pixels of print, laid over the one of the screen when it has come. Where it cannot be had, the
 * one below is good enough: nothing is said.
 */
export function SharpFigure({ image }: { image: LibraryImage }) {
  const { api } = useServices();
  const { source } = image;
  const file = useQuery({
    queryKey: ['sharp-figure', image.id],
    queryFn: ({ signal }) => (source ? renderFigure(api, source, 'png-300dpi', signal) : null),
    enabled: Boolean(source),
    staleTime: Infinity,
    gcTime: keptFor,
  });
  const url = useObjectUrl(file.data ?? null);
  const [loaded, setLoaded] = useState<string | null>(null);
  if (url === null) return null;
  return (
    <img
      src={url}
      alt=""
      decoding="async"
      draggable={false}
      className={cn('absolute inset-0 size-full object-contain', loaded !== url && 'opacity-0')}
      onLoad={() => setLoaded(url)}
    />
  );
}
