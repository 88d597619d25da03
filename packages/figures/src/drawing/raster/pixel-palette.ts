import { parseHex, toOklab } from '../colour/oklab.ts';
import { inkColour, paperColour } from '../scene/style.ts';
import { themedInk, type FigureTheme } from '../themed-ink.ts';

const neutrals = 24;
/** Edges of points are blended in quarters. */
export const coverageSteps = 4;

/**
 * The at most 256 colours of an indexed image, and their blending. Each ink is present at several coverages over the
 * paper, so that soft edges need one byte per pixel instead of four.
 */
export interface PixelPalette {
  /** Red, green, blue of each index. */
  rgb: Uint8Array;
  inkPlace: Uint8Array;
  /**
   * `edge[(ink * 3 + quarters - 1) * 256 + place]` is the index of ink over `place` at one to three quarters of
   * coverage.
   */
  edge: Uint8Array;
  nearest: (red: number, green: number, blue: number) => number;
}

const cache = new Map<string, PixelPalette>();
/** Maximum cached palettes: a server draws one ramp and a few sets of categories repeatedly. */
const cachedPalettes = 12;

/** Palette of a set of inks (at most 232) on a theme's paper, built once and cached. */
export function pixelPalette(inks: readonly string[], theme: FigureTheme = 'light'): PixelPalette {
  const key = `${theme} ${inks.join()}`;
  let palette = cache.get(key);
  if (palette === undefined) {
    if (cache.size >= cachedPalettes) cache.delete(cache.keys().next().value!);
    palette = buildPalette(inks, theme);
  } else cache.delete(key);
  cache.set(key, palette);
  return palette;
}

function buildPalette(inks: readonly string[], theme: FigureTheme): PixelPalette {
  const paper = parseHex(themedInk(paperColour, theme));
  const type = parseHex(themedInk(inkColour, theme));
  const steps = Math.max(1, Math.min(8, Math.floor((256 - neutrals) / Math.max(1, inks.length))));
  const rgb = new Uint8Array(3 * 256);
  let size = 0;
  const add = (red: number, green: number, blue: number): number => {
    rgb.set([red, green, blue], 3 * size);
    return size++;
  };
  for (let i = 0; i < neutrals; i++) {
    const t = i / (neutrals - 1);
    add(mix(paper[0], type[0], t), mix(paper[1], type[1], t), mix(paper[2], type[2], t));
  }
  const inkBytes = inks.map(parseHex);
  const inkPlace = new Uint8Array(inks.length);
  inkBytes.forEach(([red, green, blue], ink) => {
    for (let step = 1; step <= steps; step++) {
      const t = step / steps;
      inkPlace[ink] = add(mix(paper[0], red, t), mix(paper[1], green, t), mix(paper[2], blue, t));
    }
  });
  const used = rgb.slice(0, 3 * size);
  const nearest = nearestPlace(used);
  const edge = new Uint8Array(inks.length * (coverageSteps - 1) * 256);
  inkBytes.forEach(([red, green, blue], ink) => {
    for (let quarters = 1; quarters < coverageSteps; quarters++) {
      const t = quarters / coverageSteps;
      const row = (ink * (coverageSteps - 1) + quarters - 1) * 256;
      for (let place = 0; place < size; place++) {
        edge[row + place] = nearest(
          mix(used[3 * place]!, red, t),
          mix(used[3 * place + 1]!, green, t),
          mix(used[3 * place + 2]!, blue, t),
        );
      }
    }
  });
  return { rgb: used, inkPlace, edge, nearest };
}

/** Nearest in OKLab, computed once per cell of a 32 x 32 x 32 grid: the table of edges needs 40,000 look-ups. */
function nearestPlace(rgb: Uint8Array): (red: number, green: number, blue: number) => number {
  const size = rgb.length / 3;
  const exact = new Map<number, number>();
  const lab = new Float64Array(rgb.length);
  for (let place = 0; place < size; place++) {
    const [red, green, blue] = [rgb[3 * place]!, rgb[3 * place + 1]!, rgb[3 * place + 2]!];
    lab.set(toOklab([red, green, blue]), 3 * place);
    const key = (red << 16) | (green << 8) | blue;
    if (!exact.has(key)) exact.set(key, place);
  }
  const nearestOfCell = new Int16Array(32 * 32 * 32).fill(-1);
  return (red, green, blue) => {
    const same = exact.get((red << 16) | (green << 8) | blue);
    if (same !== undefined) return same;
    const cell = ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
    const cached = nearestOfCell[cell]!;
    if (cached >= 0) return cached;
    // The middle of the grid cell stands for all of it, so that the result does not depend on the order of look-ups.
    const [l, a, b] = toOklab([(red & 248) | 4, (green & 248) | 4, (blue & 248) | 4]);
    let best = 0;
    let minDistance = Infinity;
    for (let place = 0; place < size; place++) {
      const dl = l - lab[3 * place]!;
      const da = a - lab[3 * place + 1]!;
      const db = b - lab[3 * place + 2]!;
      const distance = dl * dl + da * da + db * db;
      if (distance < minDistance) {
        minDistance = distance;
        best = place;
      }
    }
    nearestOfCell[cell] = best;
    return best;
  };
}

function mix(from: number, to: number, t: number): number {
  return Math.round(from + (to - from) * t);
}
