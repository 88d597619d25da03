import list from './files/figures.json';

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

export interface SiteFigureFile {
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
export function siteFigure(name: FigureName): SiteFigureFile {
  const size = list.find((figure) => figure.name === name);
  const large = addresses[`./files/${name}.webp`];
  const small = addresses[`./files/${name}-small.webp`];
  if (size === undefined || large === undefined || small === undefined)
    throw new Error(`There is no figure ${name}.`);
  return { width: size.width, height: size.height, large, small };
}
