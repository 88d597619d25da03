import { cn } from '@/lib/cn.ts';
import list from './files/figures.json';

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
  /** Pixels of the larger file, twice those the figure was made for. */
  width: number;
  height: number;
  large: string;
  small: string;
}

/** Made by fixtures/site/make-figures.ts through the product's own calls. */
const addresses = import.meta.glob<string>('./files/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** Throws where there is no such figure. */
function siteFigure(name: FigureName): SiteFigureFile {
  const size = list.find((figure) => figure.name === name);
  const large = addresses[`./files/${name}.webp`];
  const small = addresses[`./files/${name}-small.webp`];
  if (size === undefined || large === undefined || small === undefined)
    throw new Error(`There is no figure ${name}.`);
  return { width: size.width, height: size.height, large, small };
}
