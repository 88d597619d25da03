import { parseHex } from '../colour/oklab.ts';
import type { VectorScene } from '../scene/scene.ts';
import { paperColour } from '../scene/style.ts';
import { encodePng, createScratch } from './encode-png.ts';
import { paintWith } from './paint-marks.ts';
import type { Brush } from './paint-marks.ts';
import type { Pixels } from './paint-scatter.ts';

const scratchPixels = createScratch();
/** From this number of pixels on, copying the row above is faster than writing them one by one. */
const longRun = 16;

/**
 * A scene without points as a true-colour PNG, since the edges of its shapes have more than 256 shades. `scale`: device
 * pixels per CSS pixel.
 */
export function scenePng(
  scene: VectorScene,
  scale: number,
  dotsPerInch: number,
  paper: string = paperColour,
): Pixels {
  const width = Math.round(scene.width * scale);
  const height = Math.round(scene.height * scale);
  const pixels = onPaper(scratchPixels(3 * width * height), paper);
  paintWith((colour) => brushOf(pixels, width, height, colour), scene.marks, scale);
  return { png: encodePng({ width, height, pixels, dotsPerInch }), width, height };
}

function onPaper(pixels: Uint8Array, paper: string): Uint8Array {
  const [red, green, blue] = parseHex(paper);
  if (red === green && green === blue) return pixels.fill(red);
  for (let at = 0; at < pixels.length; at += 3) {
    pixels[at] = red;
    pixels[at + 1] = green;
    pixels[at + 2] = blue;
  }
  return pixels;
}

function brushOf(pixels: Uint8Array, width: number, height: number, colour: string): Brush {
  const [red, green, blue] = parseHex(colour);
  return {
    dab: (x, y, cover) => {
      if (x < 0 || y < 0 || x >= width || y >= height) return;
      const at = 3 * (y * width + x);
      pixels[at] = Math.round(pixels[at]! + (red - pixels[at]!) * cover);
      pixels[at + 1] = Math.round(pixels[at + 1]! + (green - pixels[at + 1]!) * cover);
      pixels[at + 2] = Math.round(pixels[at + 2]! + (blue - pixels[at + 2]!) * cover);
    },
    fill: (left, top, right, bottom) => {
      const [from, to] = [Math.max(0, left), Math.min(width, right)];
      const [first, end] = [Math.max(0, top), Math.min(height, bottom)];
      if (from >= to || first >= end) return;
      for (let y = first; y < end; y++) {
        const start = 3 * (y * width + from);
        const stop = start + 3 * (to - from);
        if (y > first && to - from >= longRun) {
          pixels.copyWithin(start, start - 3 * width, stop - 3 * width);
          continue;
        }
        for (let at = start; at < stop; at += 3) {
          pixels[at] = red;
          pixels[at + 1] = green;
          pixels[at + 2] = blue;
        }
      }
    },
  };
}
