import type { Figure } from './figure.ts';
import { scatterPng } from './raster/paint-scatter.ts';
import type { Pixels } from './raster/paint-scatter.ts';
import { scatterSvg } from './svg/scatter-svg.ts';
import { violinPng, violinSvg } from './violin/render-violin.ts';

export interface RenderPngOptions {
  /** `screen` is two pixels a CSS pixel, 1200 wide; `print` is 183 mm, two journal columns, at 300 dpi. */
  readonly resolution?: 'screen' | 'print';
  /** Figures are for paper and so on white. */
  readonly theme?: 'light';
}

export type RenderedPng = Pixels;

const resolutions = {
  screen: { scale: 2, dotsPerInch: 192 },
  print: { scale: 3.6, dotsPerInch: 300 },
} as const;

/** PNG of a figure; the same figure gives the same bytes. */
export async function renderPng(figure: Figure, options: RenderPngOptions = {}): Promise<RenderedPng> {
  const { scale, dotsPerInch } = resolutions[options.resolution ?? 'screen'];
  return figure.spec.kind === 'gene-violin'
    ? violinPng(figure as Extract<Figure, { spec: { kind: 'gene-violin' } }>, scale, dotsPerInch)
    : scatterPng(figure as Parameters<typeof scatterPng>[0], scale, dotsPerInch);
}

/** SVG of a figure: type is text, points are one raster layer of print resolution. */
export async function renderSvg(figure: Figure): Promise<string> {
  return figure.spec.kind === 'gene-violin'
    ? violinSvg(figure as Extract<Figure, { spec: { kind: 'gene-violin' } }>)
    : scatterSvg(figure as Parameters<typeof scatterSvg>[0], resolutions.print.scale);
}
