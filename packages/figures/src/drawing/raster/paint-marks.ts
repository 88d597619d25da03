import { parseHex } from '../colour/oklab.ts';
import type {
  AreaMark,
  DotMark,
  Mark,
  PixelsMark,
  RectangleMark,
  TextMark,
  TriangleMark,
  VectorMark,
} from '../scene/scene.ts';
import { textBitmaps } from '../text/text-bitmap.ts';
import type { TextBitmap } from '../text/text-bitmap.ts';
import type { PixelImage } from './paint-points.ts';
import type { PixelPalette } from './pixel-palette.ts';

/** Blends one pixel; `cover` is 0 to 1. */
type Dab = (x: number, y: number, cover: number) => void;

/** Paints in one colour. Ignores pixels outside the image. */
export interface Brush {
  dab: Dab;
  /** Covers whole pixels, from `left` and `top` (inclusive) to `right` and `bottom` (exclusive). */
  fill: (left: number, top: number, right: number, bottom: number) => void;
}

/** Paints marks over an indexed image. `scale`: device pixels per CSS pixel. */
export function paintMarks(
  image: PixelImage,
  palette: PixelPalette,
  marks: readonly Mark[],
  scale: number,
): void {
  paintWith((colour) => brushOf(image, palette, colour), marks, scale);
}

export function paintWith(
  brushOf: (colour: string) => Brush,
  marks: readonly VectorMark[],
  scale: number,
): void {
  const dabOf = (colour: string): Dab => brushOf(colour).dab;
  const texts = marks.filter((mark) => mark.kind === 'text');
  const bitmaps = textBitmaps(
    texts.map(({ text, style, size }) => ({ text, style, size: Number((size * scale).toFixed(2)) })),
  );
  let nextText = 0;
  for (const mark of marks) {
    switch (mark.kind) {
      case 'text':
        paintText(mark, bitmaps[nextText++]!, scale, dabOf(mark.colour));
        break;
      case 'rectangle':
        paintRectangle(mark, scale, brushOf(mark.colour));
        break;
      case 'dot':
        if (mark.edge === undefined) paintDot(mark, scale, brushOf(mark.colour));
        else {
          const radius = mark.radius - mark.edge.width;
          paintDot(mark, scale, brushOf(mark.edge.colour));
          paintDot({ ...mark, radius }, scale, brushOf(mark.colour));
        }
        break;
      case 'triangle':
        paintTriangle(mark, scale, dabOf(mark.colour));
        break;
      case 'ramp': {
        const { across, shades, x, y, width, height } = mark;
        const shade = (across === true ? width : height) / shades.length;
        shades.forEach((colour, i) => {
          const band =
            across === true
              ? { x: x + i * shade, y, width: shade, height }
              : { x, y: y + height - (i + 1) * shade, width, height: shade };
          paintBand(band, scale, brushOf(colour));
        });
        break;
      }
      case 'area':
        paintArea(mark, scale, brushOf(mark.colour));
        break;
      case 'pixels':
        paintPixels(mark, scale, brushOf);
    }
  }
}

function brushOf({ pixels, width, height }: PixelImage, palette: PixelPalette, colour: string): Brush {
  const [red, green, blue] = parseHex(colour);
  const { rgb, nearest } = palette;
  return {
    dab: (x, y, cover) => {
      if (x < 0 || y < 0 || x >= width || y >= height) return;
      const at = y * width + x;
      const under = 3 * pixels[at]!;
      pixels[at] = nearest(
        Math.round(rgb[under]! + (red - rgb[under]!) * cover),
        Math.round(rgb[under + 1]! + (green - rgb[under + 1]!) * cover),
        Math.round(rgb[under + 2]! + (blue - rgb[under + 2]!) * cover),
      );
    },
    fill: (left, top, right, bottom) => {
      const [from, to] = [Math.max(0, left), Math.min(width, right)];
      if (from >= to) return;
      const place = nearest(red, green, blue);
      for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
        pixels.fill(place, y * width + from, y * width + to);
      }
    },
  };
}

/** Aligned to whole pixels, so that equal lines are identical. */
function paintText(mark: TextMark, bitmap: TextBitmap, scale: number, dab: Dab): void {
  const { width, height, baseline, start, end, coverage } = bitmap;
  const shift = mark.anchor === 'start' ? 0 : mark.anchor === 'end' ? end - start : (end - start) / 2;
  const x = Math.round(mark.x * scale);
  const y = Math.round(mark.y * scale);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const cover = coverage[row * width + column]!;
      if (cover < 8) continue;
      const along = Math.round(column - start - shift);
      const down = row - baseline;
      // A quarter turn to the left: along the line becomes up, down from the baseline becomes right.
      if (mark.upright === true) dab(x + down, y - along, cover / 255);
      else dab(x + along, y + down, cover / 255);
    }
  }
}

/** Edges snap to whole pixels, so that lines and swatches are crisp. */
function paintRectangle(mark: RectangleMark, scale: number, { fill }: Brush): void {
  const left = Math.round(mark.x * scale);
  const top = Math.round(mark.y * scale);
  const width = Math.max(1, Math.round(mark.width * scale));
  const height = Math.max(1, Math.round(mark.height * scale));
  fill(left, top, left + width, top + height);
}

/** Like a rectangle, but adjacent bands share their edge. */
function paintBand(
  band: { x: number; y: number; width: number; height: number },
  scale: number,
  { fill }: Brush,
): void {
  const left = Math.round(band.x * scale);
  const right = Math.round((band.x + band.width) * scale);
  fill(left, Math.round(band.y * scale), right, Math.round((band.y + band.height) * scale));
}

/** Coverage from the distance to the rim: accurate to a twentieth, since there may be thousands of dots. */
function paintDot(mark: DotMark, scale: number, { dab, fill }: Brush): void {
  const [x, y, radius] = [mark.x * scale, mark.y * scale, mark.radius * scale];
  // A dot smaller than a pixel covers part of it only.
  const maxCoverage = Math.min(1, 2 * radius);
  for (let row = Math.floor(y - radius - 0.5); row <= y + radius + 0.5; row++) {
    const down = row + 0.5 - y;
    const rim = (from: number, to: number): void => {
      for (let column = from; column < to; column++) {
        const inside = radius + 0.5 - Math.hypot(column + 0.5 - x, down);
        if (inside > 0) dab(column, row, Math.min(maxCoverage, inside));
      }
    };
    // Most pixels of a row are covered whole: those half a pixel and more from the rim.
    const half = Math.sqrt(Math.max(0, radius - 0.5) ** 2 - down * down);
    const from = half > 0 ? Math.ceil(x - half - 0.5) : Math.floor(x);
    const to = half > 0 ? Math.max(from, Math.floor(x + half + 0.5)) : from;
    rim(Math.floor(x - radius - 0.5), from);
    fill(from, row, to, row + 1);
    rim(to, Math.floor(x + radius + 0.5) + 1);
  }
}

/** Rows that share a pixel are averaged, so that each of them counts. */
function paintPixels(mark: PixelsMark, scale: number, brushOf: (colour: string) => Brush): void {
  const { columns, rows, levels, shades } = mark;
  const brushes = new Array<Brush | undefined>(shades.length);
  const [left, right] = [Math.round(mark.x * scale), Math.round((mark.x + mark.width) * scale)];
  const [top, bottom] = [Math.round(mark.y * scale), Math.round((mark.y + mark.height) * scale)];
  // The first pixel whose middle is in the column.
  const starts = Array.from(
    { length: columns + 1 },
    (_, column) => left + Math.ceil((column * (right - left)) / columns),
  );
  const sums = new Uint32Array(columns);
  for (let y = top; y < bottom; y++) {
    const from = Math.floor(((y - top) / (bottom - top)) * rows);
    const to = Math.max(from + 1, Math.ceil(((y + 1 - top) / (bottom - top)) * rows));
    // Once for each column, which is many pixels wide.
    sums.fill(0);
    for (let row = from; row < to; row++) {
      for (let column = 0; column < columns; column++) sums[column]! += levels[row * columns + column]!;
    }
    for (let column = 0; column < columns; column++) {
      const level = Math.round(sums[column]! / (to - from));
      const brush = (brushes[level] ??= brushOf(shades[level]!));
      brush.fill(starts[column]!, y, starts[column + 1]!, y + 1);
    }
  }
}

/** Column by column: coverage of each pixel between the two lines, measured in the middle of the column. */
function paintArea({ xs, tops, bottoms }: AreaMark, scale: number, { dab, fill }: Brush): void {
  const [left, right] = [xs[0]! * scale, xs.at(-1)! * scale];
  let i = 0;
  for (let column = Math.floor(left); column < right; column++) {
    const across = Math.min(right, column + 1) - Math.max(left, column);
    const at = Math.min(right, Math.max(left, column + 0.5)) / scale;
    while (i < xs.length - 2 && xs[i + 1]! < at) i++;
    const [from, to] = [xs[i]!, xs[i + 1] ?? xs[i]!];
    const part = to > from ? (at - from) / (to - from) : 0;
    const between = (line: readonly number[]): number =>
      (line[i]! + ((line[i + 1] ?? line[i]!) - line[i]!) * part) * scale;
    const [top, bottom] = [between(tops), between(bottoms)];
    const soften = (from: number, to: number): void => {
      for (let row = from; row < to; row++) {
        const cover = (Math.min(bottom, row + 1) - Math.max(top, row)) * across;
        if (cover > 0) dab(column, row, cover);
      }
    };
    const [first, end] = [Math.floor(top), Math.ceil(bottom)];
    const [whole, rest] = across === 1 ? [Math.ceil(top), Math.floor(bottom)] : [end, end];
    if (whole >= rest) soften(first, end);
    else {
      soften(first, whole);
      fill(column, whole, column + 1, rest);
      soften(rest, end);
    }
  }
}

function paintTriangle(mark: TriangleMark, scale: number, dab: Dab): void {
  const [ax, ay, bx, by, cx, cy] = mark.corners.map((value) => value * scale) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const side = (x: number, y: number, px: number, py: number, qx: number, qy: number): number =>
    (qx - px) * (y - py) - (qy - py) * (x - px);
  const box: Box = [Math.min(ax, bx, cx), Math.min(ay, by, cy), Math.max(ax, bx, cx), Math.max(ay, by, cy)];
  paintShape(box, dab, (x, y) => {
    const [p, q, r] = [side(x, y, ax, ay, bx, by), side(x, y, bx, by, cx, cy), side(x, y, cx, cy, ax, ay)];
    return (p >= 0 && q >= 0 && r >= 0) || (p <= 0 && q <= 0 && r <= 0);
  });
}

type Box = readonly [left: number, top: number, right: number, bottom: number];

/** Coverage by 4 x 4 samples per pixel. */
function paintShape(box: Box, dab: Dab, isInside: (x: number, y: number) => boolean): void {
  for (let y = Math.floor(box[1]); y < box[3]; y++) {
    for (let x = Math.floor(box[0]); x < box[2]; x++) {
      let inside = 0;
      for (let s = 0; s < 16; s++) {
        if (isInside(x + ((s & 3) + 0.5) / 4, y + ((s >> 2) + 0.5) / 4)) inside++;
      }
      if (inside > 0) dab(x, y, inside / 16);
    }
  }
}
