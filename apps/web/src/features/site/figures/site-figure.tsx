import { cn } from '@/lib/cn.ts';
import list from './files/figures.json';

interface SiteFigureProps {
  name: FigureName;
  alt: string;
  /** Display widths, as `<img sizes>`. */
  sizes: string;
  /** Loads with the page instead of lazily: for a figure at its top. */
  eager?: boolean;
  className?: string;
}

/** Drawn on white, so its background is white in the dark theme too. */
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

export type FigureName =
  | 'cell-types'
  | 'gene'
  | 'gene-violin'
  | 'signature'
  | 'signature-violin'
  | 'cell-state'
  | 'isolated'
  | 'markers'
  | 'enrichment';

interface SiteFigureFile {
  /** Pixels of the larger file, twice the nominal figure size. */
  width: number;
  height: number;
  large: string;
  small: string;
}

/** Made by tools/site/make-figures.ts through the product's API. */
const addresses = import.meta.glob<string>('./files/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** Throws if there is no such figure. */
function siteFigure(name: FigureName): SiteFigureFile {
  const size = list.find((figure) => figure.name === name);
  const large = addresses[`./files/${name}.webp`];
  const small = addresses[`./files/${name}-small.webp`];
  if (size === undefined || large === undefined || small === undefined)
    throw new Error(`There is no figure ${name}.`);
  return { width: size.width, height: size.height, large, small };
}
