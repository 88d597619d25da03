import type { Figure } from './figure.ts';
import { scatterPng } from './raster/paint-scatter.ts';
import type { Pixels, ScatterFigure } from './raster/paint-scatter.ts';
import { chartPng, chartScale, chartSvg } from './svg/chart.ts';
import type { ChartFigure } from './svg/chart.ts';
import { scatterSvg } from './svg/scatter-svg.ts';
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

/** PNG of a figure; the same figure gives the same bytes. */
export async function renderPng(figure: Figure, options: RenderPngOptions = {}): Promise<RenderedPng> {
  if (options.view !== undefined) return viewPng(figure, options.view);
  const { scale, dotsPerInch } = FIGURE_RESOLUTIONS[options.resolution ?? 'screen'];
  switch (figure.spec.kind) {
    case 'gene-umap':
    case 'score-umap':
    case 'category-umap':
    case 'highlight-umap':
      return scatterPng(figure as ScatterFigure, scale, dotsPerInch);
    case 'gene-violin':
    case 'score-violin':
    case 'dot-plot':
    case 'enrichment-bar':
      return chartPng(
        figure as ChartFigure,
        scaleOf(figure.spec.size, options.resolution ?? 'screen'),
        dotsPerInch,
      );
  }
}

/** Pixels of the PNG that `renderPng` makes of a chart whose spec has this size. */
export function chartPixels(
  size: ChartFigure['spec']['size'],
  resolution: Resolution,
): { width: number; height: number } {
  const scale = scaleOf(size, resolution);
  return { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
}

function scaleOf(size: ChartFigure['spec']['size'], resolution: Resolution): number {
  const { screen, print } = FIGURE_RESOLUTIONS;
  return chartScale(size, resolution, { screen: screen.scale, print: print.scale });
}

/** SVG of a figure: type is text, points are one raster layer of print resolution. */
export async function renderSvg(figure: Figure): Promise<string> {
  switch (figure.spec.kind) {
    case 'gene-umap':
    case 'score-umap':
    case 'category-umap':
    case 'highlight-umap':
      return scatterSvg(figure as ScatterFigure, FIGURE_RESOLUTIONS.print.scale);
    case 'gene-violin':
    case 'score-violin':
    case 'dot-plot':
    case 'enrichment-bar':
      return chartSvg(figure as ChartFigure);
  }
}
