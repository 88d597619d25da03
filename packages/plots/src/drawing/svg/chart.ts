import { dotPlotScene } from '../../dot-plot/scene.ts';
import { enrichmentBarScene } from '../../enrichment-bar/scene.ts';
import type { DotPlotFigure, EnrichmentBarFigure, GeneViolinFigure, ScoreViolinFigure } from '../figure.ts';
import { scenePng } from '../raster/paint-scene.ts';
import type { Pixels } from '../raster/paint-scatter.ts';
import type { VectorScene } from '../scene/scene.ts';
import { FIGURE_WIDTH } from '../scene/typography.ts';
import { violinScene } from '../violin/violin-scene.ts';
import { sceneSvg } from './scene-svg.ts';

/** Figures without points, drawn from their spec alone. */
export type ChartFigure = GeneViolinFigure | ScoreViolinFigure | DotPlotFigure | EnrichmentBarFigure;

/** A larger image costs a hundred megabytes on its way and helps nobody: it gets fewer pixels a CSS pixel instead. */
export const MOST_PIXELS = 8_000_000;

export function chartScene({ spec }: ChartFigure): VectorScene {
  switch (spec.kind) {
    case 'gene-violin':
    case 'score-violin':
      return violinScene(spec);
    case 'dot-plot':
      return dotPlotScene(spec);
    case 'enrichment-bar':
      return enrichmentBarScene(spec);
  }
}

export function chartSvg(figure: ChartFigure): string {
  return sceneSvg(chartScene(figure));
}

/** Pixels a CSS pixel in a chart of this size; `scales` are those of a figure of the usual width. */
export function chartScale(
  { width, height }: ChartFigure['spec']['size'],
  resolution: 'screen' | 'print',
  scales: { readonly screen: number; readonly print: number },
): number {
  // On paper a wide figure takes the width of the page as well, on the screen it takes its own; but nobody expects a
  // file for print to have fewer pixels than the one for the screen.
  const wanted =
    resolution === 'print' ? Math.max((scales.print * FIGURE_WIDTH) / width, scales.screen) : scales.screen;
  return Math.min(wanted, Math.sqrt(MOST_PIXELS / (width * height)));
}

export function chartPng(figure: ChartFigure, scale: number, dotsPerInch: number): Pixels {
  return scenePng(chartScene(figure), scale, dotsPerInch);
}
