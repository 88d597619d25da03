import type { EnrichmentBarSpec } from './spec.ts';
import { panelTop } from '../drawing/scene/panel.ts';
import { fileRows, fittedRows, type NamedRows, rowMiddles } from '../frame/rows.ts';
import type { Rectangle } from '../drawing/scene/scene.ts';
import { figureWidth, margin, smallSize } from '../drawing/scene/style.ts';
import { ellipsisedInside } from '../drawing/text/fit-text.ts';
import { textWidth, widest } from '../drawing/text/text-width.ts';

const thresholdTop = 22;
const footHeight = 48;
const tallTerms = 20;
const tallRow = 37;
const flatRow = 24;
const emptyHeight = 70;
const maxTermLength = 250;
const maxOverlapLength = 90;
export const labelGap = 10;
const overlapGap = 7;
export const overlapsFrom = 320;

export interface EnrichmentBarLayout {
  panel: Rectangle;
  rows: NamedRows;
  middles: readonly number[];
  overlaps: readonly string[];
  overlapStarts: readonly number[];
  highest: number;
  line: number;
  xOf: (score: number) => number;
}

export function enrichmentBarSize(
  terms: readonly string[],
  subtitle: string,
): { width: number; height: number } {
  const top = panelTop({ subtitle });
  const rows = rowsOfFile(terms).height;
  const height = terms.length === 0 ? top + emptyHeight : top + thresholdTop + rows + footHeight + margin;
  return { width: figureWidth, height };
}

function rowsOfFile(terms: readonly string[]): NamedRows {
  const rowHeight = terms.length <= tallTerms ? tallRow : flatRow;
  return fileRows(terms, { rowHeight, width: maxTermLength, room: figureWidth });
}

const minRow = 16;
const maxRow = 110;
const fittedFoot = 52;

export function termsThatFit(spec: Parameters<typeof fittedRoom>[0]): number {
  return Math.max(1, Math.floor(fittedRoom(spec) / minRow));
}

function fittedRoom({ size, noteLines }: Pick<EnrichmentBarSpec, 'size' | 'noteLines'>): number {
  const top = panelTop({ fitted: { leftOut: '' }, ...(noteLines && { noteLines }) });
  return size.height - top - thresholdTop - fittedFoot;
}

export function enrichmentBarLayout(spec: EnrichmentBarSpec): EnrichmentBarLayout {
  const { terms, fitted, size } = spec;
  const names = terms.map(({ term }) => term);
  const rowHeight = Math.max(minRow, Math.min(maxRow, fittedRoom(spec) / Math.max(1, names.length)));
  const rows =
    fitted === undefined ? rowsOfFile(names) : fittedRows(names, rowHeight, Math.min(420, 0.42 * size.width));
  const hasOverlaps = fitted === undefined || size.width >= overlapsFrom;
  const overlaps = hasOverlaps
    ? terms.map(({ overlap }) => ellipsisedInside(overlap, maxOverlapLength, smallSize))
    : [];
  const left = Math.ceil(margin + widest(rows.labels.flat()) + labelGap);
  const spare = fitted === undefined ? 0 : Math.max(0, fittedRoom(spec) - rows.height);
  const panel = {
    x: left,
    // What few terms leave of the height is above and below them.
    y: panelTop(spec) + thresholdTop + spare / 2,
    width: spec.size.width - margin - Math.ceil(widest(overlaps)) - overlapGap - left,
    height: rows.height,
  };
  const cut = -Math.log10(spec.threshold);
  // The threshold is always in sight, and bars that all are shorter than a power of ten still have a scale.
  const highest = Math.max(1, 1.12 * cut, ...terms.map((term) => term.score));
  const xOf = (score: number): number => panel.x + (score / highest) * panel.width;
  const line = xOf(cut);
  const ends = terms.map((term) => xOf(term.score));
  // Where the line of the threshold would cross one overlap, those of all bars before it stand after it.
  const isBefore = (end: number): boolean => end < line + 2;
  const isCrossed = overlaps.some(
    (overlap, i) => isBefore(ends[i]!) && ends[i]! + overlapGap + textWidth(overlap, smallSize) > line - 3,
  );
  const overlapStarts = ends.map((end) => (isCrossed && isBefore(end) ? line : end) + overlapGap);
  const middles = rowMiddles(rows, panel.y);
  return { panel, rows, middles, overlaps, overlapStarts, highest, line, xOf };
}
