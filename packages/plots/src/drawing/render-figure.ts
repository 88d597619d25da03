import type { CommonSpec, Figure } from './figure.ts';
import { isScatter, scatterPng } from './raster/paint-scatter.ts';
import type { Pixels } from './raster/paint-scatter.ts';
import { scenePng } from './raster/paint-scene.ts';
import { FIGURE_WIDTH } from './scene/typography.ts';
import { scatterSvg, sceneSvg } from './svg/figure-svg.ts';
import { viewPng } from './view/view-png.ts';
import type { FigureView } from './view/view-png.ts';

export type Resolution = 'screen' | 'print';

export interface RenderPngOptions {
  /** `screen` if absent. */
  readonly resolution?: Resolution;
  /** A part of a page; then `resolution` says nothing. */
  readonly view?: FigureView;
}

export type RenderedPng = Pixels;

/**
 * Pixels a CSS pixel, and the dots an inch that the file declares. A figure of 600 CSS pixels is 1200 pixels wide
 * on `screen`, and 2160 in `print`: 183 mm, two columns of a journal, at 300 dpi. A chart that is wider has the width
 * of the page in `print` too, and never fewer pixels than on `screen`.
 */
export const FIGURE_RESOLUTIONS: Readonly<
  Record<Resolution, { readonly scale: number; readonly dotsPerInch: number }>
> = {
  screen: { scale: 2, dotsPerInch: 192 },
  print: { scale: 3.6, dotsPerInch: 300 },
};

/** A larger image costs a hundred megabytes on its way and helps nobody: it gets fewer pixels a CSS pixel instead. */
export const MOST_PIXELS = 8_000_000;

/** PNG of a figure; the same figure gives the same bytes. */
export async function renderPng(figure: Figure, options: RenderPngOptions = {}): Promise<RenderedPng> {
  if (options.view !== undefined) return viewPng(figure, options.view);
  const resolution = options.resolution ?? 'screen';
  const { scale, dotsPerInch } = FIGURE_RESOLUTIONS[resolution];
  if (isScatter(figure)) return scatterPng(figure, scale, dotsPerInch);
  const { spec, drawing } = figure;
  return scenePng(drawing.scene(spec), chartScale(spec.size, resolution), dotsPerInch);
}

/** Pixels of the PNG that `renderPng` makes of a chart whose spec has this size. */
export function chartPixels(
  size: CommonSpec['size'],
  resolution: Resolution,
): { width: number; height: number } {
  const scale = chartScale(size, resolution);
  return { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
}

/** Pixels a CSS pixel in a chart of this size. */
function chartScale({ width, height }: CommonSpec['size'], resolution: Resolution): number {
  const { screen, print } = FIGURE_RESOLUTIONS;
  // On paper a wide figure takes the width of the page as well, on the screen it takes its own; but nobody expects a
  // file for print to have fewer pixels than the one for the screen.
  const wanted =
    resolution === 'print' ? Math.max((print.scale * FIGURE_WIDTH) / width, screen.scale) : screen.scale;
  return Math.min(wanted, Math.sqrt(MOST_PIXELS / (width * height)));
}

/** SVG of a figure: type is text, points are one raster layer of print resolution. */
export async function renderSvg(figure: Figure): Promise<string> {
  if (isScatter(figure)) return scatterSvg(figure, FIGURE_RESOLUTIONS.print.scale);
  return sceneSvg(figure.drawing.scene(figure.spec));
}
