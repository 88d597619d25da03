import { dotPlotScene } from '../dot-plot/dot-plot-scene.ts';
import { enrichmentBarScene } from '../enrichment-bar/enrichment-bar-scene.ts';
import type { DotPlotFigure, EnrichmentBarFigure } from '../figure.ts';
import type { Pixels } from '../raster/paint-scatter.ts';
import type { Scene } from '../scene/scene.ts';
import { FIGURE_WIDTH } from '../scene/typography.ts';
import { sceneSvg } from './scene-svg.ts';
import { svgPng } from './svg-png.ts';

/** Figures without points, drawn from their spec alone. */
export type ChartFigure = DotPlotFigure | EnrichmentBarFigure;

/** A larger image costs a hundred megabytes on its way and helps nobody: it gets fewer pixels a CSS pixel instead. */
export const MOST_PIXELS = 12_000_000;

export function chartScene(figure: ChartFigure): Scene {
  return figure.spec.kind === 'dot-plot' ? dotPlotScene(figure.spec) : enrichmentBarScene(figure.spec);
}

export function chartSvg(figure: ChartFigure): string {
  return sceneSvg(chartScene(figure));
}

/** `scale` is that of a figure of the usual width. */
export function chartPng(
  figure: ChartFigure,
  resolution: 'screen' | 'print',
  { scale, dotsPerInch }: { readonly scale: number; readonly dotsPerInch: number },
): Pixels {
  const { width, height } = figure.spec.size;
  // On paper a wide figure takes the width of the page as well, on the screen it takes its own.
  const wanted = resolution === 'print' ? (scale * FIGURE_WIDTH) / width : scale;
  return svgPng(chartSvg(figure), Math.min(wanted, Math.sqrt(MOST_PIXELS / (width * height))), dotsPerInch);
}
