import { Resvg } from '@resvg/resvg-js';
import type { GeneViolinFigure, ScoreViolinFigure } from '../figure.ts';
import { encodePng } from '../raster/encode-png.ts';
import type { Pixels } from '../raster/paint-scatter.ts';
import { SVG_FONTS } from '../svg/mark-svg.ts';
import { fontFiles } from '../text/font-files.ts';
import { violinVegaSpec } from './violin-spec.ts';

export type ViolinFigure = GeneViolinFigure | ScoreViolinFigure;

/** Drawn by Vega without a browser. Vega is loaded with the first violin: it takes a third of a second. */
export async function violinSvg(figure: ViolinFigure): Promise<string> {
  const { View, parse } = await import('vega');
  const view = new View(parse(violinVegaSpec(figure.spec)), { renderer: 'none' });
  try {
    const svg = await view.toSVG();
    return svg.replaceAll('font-family="Inter"', `font-family="${SVG_FONTS}"`);
  } finally {
    view.finalize();
  }
}

/** The SVG in pixels: true colour, as the edges of the shapes have more than 256 shades. */
export async function violinPng(figure: ViolinFigure, scale: number, dotsPerInch: number): Promise<Pixels> {
  const svg = await violinSvg(figure);
  const image = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: scale },
    background: '#ffffff',
    font: { loadSystemFonts: false, fontFiles: Object.values(fontFiles), defaultFontFamily: 'Inter' },
  }).render();
  const { width, height } = image;
  const rgba = image.pixels;
  const pixels = new Uint8Array(3 * width * height);
  for (let from = 0, to = 0; to < pixels.length; from += 4) {
    pixels[to++] = rgba[from]!;
    pixels[to++] = rgba[from + 1]!;
    pixels[to++] = rgba[from + 2]!;
  }
  return { png: encodePng({ width, height, pixels, dotsPerInch }), width, height };
}
