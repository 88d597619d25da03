import { cn } from '@/lib/cn.ts';
import type { FigureName } from './site-figures.ts';
import { siteFigure } from './site-figures.ts';

interface SiteFigureProps {
  name: FigureName;
  /** What can be seen, for those who cannot. */
  alt: string;
  /** Widths it is shown at, as `<img sizes>`. */
  sizes: string;
  /** Loaded with the page, not when it comes near: for the one at its top. */
  eager?: boolean;
  className?: string;
}

/** A figure of the product on a public page. It is drawn on white, so its place is white in the dark theme too. */
export function SiteFigure({ name, alt, sizes, eager = false, className }: SiteFigureProps) {
  const { width, height, large, small } = siteFigure(name);
  return (
    <img
      src={small}
      srcSet={`${small} 720w, ${large} ${width}w`}
      sizes={sizes}
      width={width}
      height={height}
      alt={alt}
      decoding="async"
      loading={eager ? 'eager' : 'lazy'}
      {...(eager && { fetchPriority: 'high' as const })}
      className={cn('bg-figure h-auto w-full', className)}
    />
  );
}
