import { descriptionOf } from '../words-of-file.ts';
import type { CommonSpec, Figure } from './figure.ts';
import { pointsPng, type ScatterFigure } from './raster/paint-scatter.ts';
import { parseHex } from './colour/oklab.ts';
import { encodePng } from './raster/encode-png.ts';
import type { PixelsMark, Rectangle, VectorMark, VectorScene } from './scene/scene.ts';
import { paperColour } from './scene/style.ts';
import { escapeXml, fontAttributes } from './text/svg-text.ts';
import { themedInk, themedMarks, type FigureTheme } from './themed-ink.ts';

interface SvgSetting {
  zoom: number;
  theme: FigureTheme;
  /** Width in millimetres instead of CSS pixels. */
  widthMm?: number | undefined;
}

export const onPaper: SvgSetting = { zoom: 1, theme: 'light' };

export function sceneSvg({ spec, drawing }: Figure, setting: SvgSetting = onPaper): string {
  const scene = drawing.scene(spec);
  const marks = themedMarks(scene.marks, setting.theme);
  return document(
    spec,
    scene,
    marks.map((mark, i) => markSvg(mark, `ramp-${i}`)),
    setting,
  );
}

/** Points are one embedded PNG at `scale` pixels per scene unit; everything else is vector. */
export function scatterSvg(figure: ScatterFigure, scale: number, setting: SvgSetting = onPaper): string {
  const scene = figure.drawing.scene(figure.spec);
  const { panel } = scene;
  const contents = [
    imageElement(panel, pointsPng(figure, scene, scale, setting.theme)),
    ...themedMarks(scene.marks, setting.theme).map((mark) => markSvg(mark)),
  ];
  return document(figure.spec, scene, contents, setting);
}

function document(
  spec: CommonSpec,
  { width, height }: VectorScene,
  contents: readonly string[],
  { zoom, theme, widthMm }: SvgSetting,
): string {
  const [w, h] = [short(width), short(height)];
  const side = (length: number): string =>
    widthMm === undefined ? short(length * zoom) : `${short((length / width) * widthMm)}mm`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${side(width)}" height="${side(height)}" role="img" font-family="${svgFonts}">`,
    ...headOf(spec),
    `<rect width="${w}" height="${h}" fill="${themedInk(paperColour, theme)}"/>`,
    ...contents,
    '</svg>',
    '',
  ].join('\n');
}

function headOf({ title, datasetName, summary, words }: CommonSpec): string[] {
  if (words === undefined) return [`<title>${escapeXml(`${title} in ${datasetName}: ${summary}`)}</title>`];
  return [`<title>${escapeXml(words.title)}</title>`, `<desc>${escapeXml(descriptionOf(words))}</desc>`];
}

/** Text stays text, whether or not Inter is installed. */
const svgFonts = 'Inter, Helvetica, Arial, sans-serif';

/** One mark as an SVG element. `id`, for ramps, must be unique in the document. */
function markSvg(mark: VectorMark, id = 'ramp'): string {
  switch (mark.kind) {
    case 'text': {
      const at = `x="${short(mark.x)}" y="${short(mark.y)}"`;
      const turn = mark.upright === true ? ` transform="rotate(-90 ${short(mark.x)} ${short(mark.y)})"` : '';
      const anchor = mark.anchor === 'start' ? '' : ` text-anchor="${mark.anchor}"`;
      const whole = mark.full === undefined ? '' : `<title>${escapeXml(mark.full)}</title>`;
      return `<text ${at}${turn}${anchor} font-size="${mark.size}" ${fontAttributes[mark.style]} fill="${mark.colour}">${whole}${escapeXml(mark.text)}</text>`;
    }
    case 'rectangle':
      return `<rect x="${short(mark.x)}" y="${short(mark.y)}" width="${short(mark.width)}" height="${short(mark.height)}" fill="${mark.colour}"/>`;
    case 'dot': {
      const { edge } = mark;
      if (edge === undefined) return circle(mark.x, mark.y, mark.radius, `fill="${mark.colour}"`);
      // SVG strokes the middle of the rim; the edge belongs inside. A dot smaller than its edge is all edge.
      const width = Math.min(edge.width, mark.radius);
      const paint = `fill="${mark.colour}" stroke="${edge.colour}" stroke-width="${short(width)}"`;
      return circle(mark.x, mark.y, mark.radius - width / 2, paint);
    }
    case 'triangle':
      return `<polygon points="${mark.corners.map(short).join(' ')}" fill="${mark.colour}"/>`;
    case 'ramp': {
      const stops = mark.shades.map(
        (shade, i) => `<stop offset="${short(i / (mark.shades.length - 1))}" stop-color="${shade}"/>`,
      );
      const direction = mark.across === true ? 'x1="0" y1="0" x2="1" y2="0"' : 'x1="0" y1="1" x2="0" y2="0"';
      return `<defs><linearGradient id="${id}" ${direction}>${stops.join('')}</linearGradient></defs><rect x="${short(mark.x)}" y="${short(mark.y)}" width="${short(mark.width)}" height="${short(mark.height)}" fill="url(#${id})"/>`;
    }
    case 'area': {
      const there = mark.xs.map((x, i) => `${brief(x)} ${brief(mark.tops[i]!)}`);
      const back = mark.xs.map((x, i) => `${brief(x)} ${brief(mark.bottoms[i]!)}`).toReversed();
      return `<polygon points="${[...there, ...back].join(' ')}" fill="${mark.colour}"/>`;
    }
    case 'pixels':
      return imageElement(mark, pixelsPng(mark));
  }
}

function imageElement({ x, y, width, height }: Rectangle, png: Uint8Array): string {
  const data = Buffer.from(png).toString('base64');
  return `<image x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" preserveAspectRatio="none" href="data:image/png;base64,${data}"/>`;
}

/** Each level is a block of pixels, because viewers blur the edges when they enlarge an image. */
export function pixelsPng({ columns, rows, levels, shades, width, height }: PixelsMark): Uint8Array {
  const across = Math.ceil((4 * width) / columns);
  const down = Math.ceil((4 * height) / rows);
  const pixels = new Uint8Array(columns * across * rows * down);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const from = at;
    for (let column = 0; column < columns; column++) {
      pixels.fill(levels[row * columns + column]!, at, at + across);
      at += across;
    }
    for (let copy = 1; copy < down; copy++) {
      pixels.copyWithin(at, from, from + columns * across);
      at += columns * across;
    }
  }
  const palette = Uint8Array.from(shades.flatMap((shade) => [...parseHex(shade)]));
  return encodePng({ width: columns * across, height: rows * down, pixels, palette });
}

function circle(x: number, y: number, radius: number, paint: string): string {
  return `<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius)}" ${paint}/>`;
}

function short(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** For outlines of many points, which dominate a file: a hundredth of a pixel is invisible even in print. */
function brief(value: number): string {
  return String(Math.round(value * 100) / 100);
}
