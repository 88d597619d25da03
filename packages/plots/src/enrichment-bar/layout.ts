import type { EnrichmentBarSpec } from './spec.ts';
import { panelTop } from '../drawing/scene/panel.ts';
import type { Rectangle } from '../drawing/scene/scene.ts';
import { FIGURE_WIDTH, MARGIN, SMALL_SIZE } from '../drawing/scene/style.ts';
import { ellipsisedInside, wrappedOnTwo } from '../drawing/text/fit-text.ts';
import { textWidth } from '../drawing/text/text-width.ts';

/** Above the bars: the name of the threshold. */
const THRESHOLD_TOP = 22;
/** Below the bars: numbers of the axis and what they are. */
const FOOT = 48;
/** Terms that may take two lines each. */
const TALL_TERMS = 20;
const TALL_ROW = 37;
const FLAT_ROW = 24;
/** Where the sentence of a figure without terms stands. */
const EMPTY_HEIGHT = 70;
const LONGEST_TERM = 250;
const LONGEST_OVERLAP = 90;
export const LABEL_GAP = 10;
const OVERLAP_GAP = 7;

/** Where everything of a bar plot goes, in CSS pixels. */
export interface EnrichmentBarLayout {
  /** Where the bars lie. */
  readonly panel: Rectangle;
  readonly rowHeight: number;
  /** Each term on one or two lines. */
  readonly labels: readonly (readonly string[])[];
  readonly overlaps: readonly string[];
  /** Where each overlap begins. */
  readonly overlapStarts: readonly number[];
  /** Score at the right edge of the panel. */
  readonly highest: number;
  /** Of the threshold. */
  readonly line: number;
  readonly xOf: (score: number) => number;
}

export function enrichmentBarSize(terms: number, subtitle: string): { width: number; height: number } {
  const top = panelTop({ subtitle });
  const height =
    terms === 0 ? top + EMPTY_HEIGHT : top + THRESHOLD_TOP + terms * rowHeightOf(terms) + FOOT + MARGIN;
  return { width: FIGURE_WIDTH, height };
}

/** Of a figure that has to fit: a row for one line of type, and the axis without the space below it. */
const LEAST_ROW = 16;
const MOST_ROW = 54;
const FITTED_FOOT = 52;
/** A term may take two lines from here on. */
const TWO_LINE_ROW = 34;

/** Terms that have a row of their own in a figure of this height. */
export function termsThatFit(height: number): number {
  return Math.max(1, Math.floor(fittedRoom(height) / LEAST_ROW));
}

function fittedRoom(height: number): number {
  return height - panelTop({ fitted: { leftOut: '' } }) - THRESHOLD_TOP - FITTED_FOOT;
}

export function enrichmentBarLayout(spec: EnrichmentBarSpec): EnrichmentBarLayout {
  const { terms, fitted, size } = spec;
  const rowHeight =
    fitted === undefined
      ? rowHeightOf(terms.length)
      : Math.max(LEAST_ROW, Math.min(MOST_ROW, fittedRoom(size.height) / Math.max(1, terms.length)));
  const longest = fitted === undefined ? LONGEST_TERM : Math.min(420, 0.42 * size.width);
  const labels = terms.map(({ term }) =>
    rowHeight >= TWO_LINE_ROW
      ? wrappedOnTwo(term, longest, SMALL_SIZE)
      : [ellipsisedInside(term, longest, SMALL_SIZE)],
  );
  const overlaps = terms.map(({ overlap }) => ellipsisedInside(overlap, LONGEST_OVERLAP, SMALL_SIZE));
  const left = Math.ceil(MARGIN + widest(labels.flat()) + LABEL_GAP);
  const panel = {
    x: left,
    y: panelTop(spec) + THRESHOLD_TOP,
    width: spec.size.width - MARGIN - Math.ceil(widest(overlaps)) - OVERLAP_GAP - left,
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
  const isCrossed = ends.some(
    (end, i) => isBefore(end) && end + OVERLAP_GAP + textWidth(overlaps[i]!, SMALL_SIZE) > line - 3,
  );
  const overlapStarts = ends.map((end) => (isCrossed && isBefore(end) ? line : end) + OVERLAP_GAP);
  return { panel, rowHeight, labels, overlaps, overlapStarts, highest, line, xOf };
}

function rowHeightOf(terms: number): number {
  return terms <= TALL_TERMS ? TALL_ROW : FLAT_ROW;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text, SMALL_SIZE)), 0);
}
