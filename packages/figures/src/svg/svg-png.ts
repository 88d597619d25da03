import { Resvg } from '@resvg/resvg-js';
import { encodePng } from '../raster/encode-png.ts';
import type { Pixels } from '../raster/paint-scatter.ts';
import { fontFiles } from '../text/font-files.ts';

/** An SVG in pixels, with the bundled fonts: true colour, as the edges of shapes have more than 256 shades. */
export function svgPng(svg: string, scale: number, dotsPerInch: number): Pixels {
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
