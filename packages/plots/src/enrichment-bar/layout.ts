import type { EnrichmentBarSpec } from './spec.ts';
import { panelTop } from '../drawing/scene/panel.ts';
import type { Rectangle } from '../drawing/scene/scene.ts';
import { figureWidth, margin, smallSize } from '../drawing/scene/style.ts';
import { ellipsisedInside } from '../drawing/text/fit-text.ts';
import { fittedLines, fittedNames } from '../drawing/text/fitted-names.ts';
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
  readonly panel: Rectangle;
  readonly rowHeight: number;
  readonly labels: readonly (readonly string[])[];
  readonly overlaps: readonly string[];
  readonly overlapStarts: readonly number[];
  readonly highest: number;
  readonly line: number;
  readonly xOf: (score: number) => number;
}

export function enrichmentBarSize(terms: number, subtitle: string): { width: number; height: number } {
  const top = panelTop({ subtitle });
  const height =
    terms === 0 ? top + emptyHeight : top + thresholdTop + terms * rowHeightOf(terms) + footHeight + margin;
  return { width: figureWidth, height };
}

const minRow = 16;
const maxRow = 110;
const fittedFoot = 52;
const twoLineRow = 34;

export function termsThatFit(spec: Parameters<typeof fittedRoom>[0]): number {
  return Math.max(1, Math.floor(fittedRoom(spec) / minRow));
}

function fittedRoom({ size, noteLines }: Pick<EnrichmentBarSpec, 'size' | 'noteLines'>): number {
  const top = panelTop({ fitted: { leftOut: '' }, ...(noteLines && { noteLines }) });
  return size.height - top - thresholdTop - fittedFoot;
}

export function enrichmentBarLayout(spec: EnrichmentBarSpec): EnrichmentBarLayout {
  const { terms, fitted, size } = spec;
  const rowHeight =
    fitted === undefined
      ? rowHeightOf(terms.length)
      : Math.max(minRow, Math.min(maxRow, fittedRoom(spec) / Math.max(1, terms.length)));
  const longest = fitted === undefined ? maxTermLength : Math.min(420, 0.42 * size.width);
  const names = terms.map(({ term }) => term);
  const labels =
    rowHeight >= twoLineRow
      ? fittedLines(names, longest, smallSize)
      : fittedNames(names, longest, smallSize).map((name) => [name]);
  const hasOverlaps = fitted === undefined || size.width >= overlapsFrom;
  const overlaps = hasOverlaps
    ? terms.map(({ overlap }) => ellipsisedInside(overlap, maxOverlapLength, smallSize))
    : [];
  const left = Math.ceil(margin + widest(labels.flat()) + labelGap);
  const spare = fitted === undefined ? 0 : Math.max(0, fittedRoom(spec) - terms.length * rowHeight);
  const panel = {
    x: left,
    // What few terms leave of the height is above and below them.
    y: panelTop(spec) + thresholdTop + spare / 2,
    width: spec.size.width - margin - Math.ceil(widest(overlaps)) - overlapGap - left,
    height: terms.length * rowHeight,
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
  return { panel, rowHeight, labels, overlaps, overlapStarts, highest, line, xOf };
}

function rowHeightOf(terms: number): number {
  return terms <= tallTerms ? tallRow : flatRow;
}
