import { Resvg } from '@resvg/resvg-js';
import { escapeXml, fontAttributes, fontFiles, type FontStyle } from './svg-text.ts';
import { textWidth } from './text-width.ts';

interface TextRun {
  text: string;
  style: FontStyle;
  /** Device pixels. */
  size: number;
}

/** Coverage, 0 to 255, of one line of text. */
export interface TextBitmap {
  width: number;
  height: number;
  baseline: number;
  start: number;
  coverage: Uint8Array;
  /** Column after the last inked one: the visible end of the text. */
  end: number;
}

/** Maximum cached lines: ticks, units and legends recur in figure after figure, titles do not. */
const cachedLines = 600;
const sheetWidth = 1600;
const cache = new Map<string, TextBitmap>();

/**
 * Bitmaps of many lines at once. New lines are laid out in a single small SVG: setting up the renderer costs 2 to 3 ms,
 * mostly for reading fonts, each further line little.
 */
export function textBitmaps(runs: readonly TextRun[]): TextBitmap[] {
  const missing = new Map<string, TextRun>();
  for (const run of runs) {
    const key = keyOf(run);
    const cached = cache.get(key);
    if (cached === undefined) missing.set(key, run);
    else {
      cache.delete(key);
      cache.set(key, cached);
    }
  }
  const rendered = missing.size > 0 ? draw([...missing.values()]) : [];
  const fresh = new Map([...missing.keys()].map((key, i) => [key, rendered[i]!]));
  const bitmaps = runs.map((run) => fresh.get(keyOf(run)) ?? cache.get(keyOf(run))!);
  for (const [key, bitmap] of fresh) cache.set(key, bitmap);
  for (const key of cache.keys()) {
    if (cache.size <= cachedLines) break;
    cache.delete(key);
  }
  return bitmaps;
}

function draw(runs: readonly TextRun[]): TextBitmap[] {
  // Room around each line: italics and marks reach beyond their advance, and kerning may widen a line.
  const boxes = runs.map(({ text, size, style }) => ({
    width: Math.ceil(textWidth(text, size, style) * 1.05 + size),
    height: Math.ceil(size * 1.6),
    baseline: Math.round(size * 1.15),
    start: Math.ceil(size * 0.25),
  }));
  // Side by side in rows: below one another, one long line would make the sheet as wide for all the short ones.
  const total = boxes.reduce((sum, box) => sum + box.width, 0);
  const width = Math.max(Math.min(sheetWidth, total), ...boxes.map((box) => box.width));
  let [x, y, rowHeight] = [0, 0, 0];
  const corners = boxes.map((box) => {
    if (x + box.width > width) {
      y += rowHeight;
      [x, rowHeight] = [0, 0];
    }
    const corner = { x, y };
    x += box.width;
    rowHeight = Math.max(rowHeight, box.height);
    return corner;
  });
  const height = y + rowHeight;
  const lines = runs.map(({ text, size, style }, i) => {
    const at = `x="${corners[i]!.x + boxes[i]!.start}" y="${corners[i]!.y + boxes[i]!.baseline}"`;
    return `<text ${at} font-size="${size}" ${fontAttributes[style]}>${escapeXml(text)}</text>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Inter">${lines.join('')}</svg>`;
  const styles = [...new Set(runs.map((run) => run.style))];
  const rgba = new Resvg(svg, {
    font: {
      loadSystemFonts: false,
      fontFiles: styles.map((style) => fontFiles[style]),
      defaultFontFamily: 'Inter',
    },
  }).render().pixels;
  return boxes.map(({ width: boxWidth, height: boxHeight, baseline, start }, i) => {
    const coverage = new Uint8Array(boxWidth * boxHeight);
    let end = start;
    for (let row = 0; row < boxHeight; row++) {
      const from = (corners[i]!.y + row) * width + corners[i]!.x;
      for (let column = 0; column < boxWidth; column++) {
        const alpha = rgba[4 * (from + column) + 3]!;
        coverage[row * boxWidth + column] = alpha;
        if (alpha > 64 && column >= end) end = column + 1;
      }
    }
    return { width: boxWidth, height: boxHeight, baseline, start, coverage, end };
  });
}

function keyOf({ text, style, size }: TextRun): string {
  return `${style} ${size} ${text}`;
}
