import { isWhole } from '../text/fit-text.ts';
import { fittedLines } from '../text/fitted-names.ts';
import type { TextMark } from './scene.ts';
import { inkColour, smallSize, toBaseline } from './style.ts';

/** Rows of bars or dots with their names at the left, each on one or more lines. */
export interface NamedRows {
  labels: readonly (readonly string[])[];
  heights: readonly number[];
  /** Height of a row whose name is on one line, which bars and dots are drawn for. */
  rowHeight: number;
  /** Height of all rows. */
  height: number;
}

/** Distance between the lines of a name. */
export const nameLine = 16;
const maxFileLines = 6;
const maxFittedLines = 4;
/** Maximum share of their common room that names take, so that half is left for the values. */
const maxNameShare = 0.5;

/**
 * Rows of a file, which may be as high as it needs. Names are wrapped at words within `width`. Only if six lines are too
 * few for one, all names get more of the `room` that they share with the plot, up to its half; what is still longer is
 * cut.
 */
export function fileRows(
  names: readonly string[],
  { rowHeight, width, room }: { rowHeight: number; width: number; room: number },
): NamedRows {
  const most = Math.max(width, maxNameShare * room);
  const trials = [0, 0.25, 0.5, 0.75, 1].map((part) => width + part * (most - width));
  const areWhole = (labels: NamedRows['labels']) => labels.every((lines, i) => isWhole(lines, names[i]!));
  let labels: NamedRows['labels'] = [];
  for (const trial of trials) {
    labels = fittedLines(names, trial, smallSize, maxFileLines);
    if (areWhole(labels)) break;
  }
  return namedRows(labels, rowHeight, ({ length }) => Math.max(rowHeight, length * nameLine + 5));
}

/** Rows of a figure in a page, all of the same height; names have as many lines as that has room for. */
export function fittedRows(names: readonly string[], rowHeight: number, width: number): NamedRows {
  const lines = Math.max(1, Math.min(maxFittedLines, Math.floor((rowHeight - 2) / nameLine)));
  return namedRows(fittedLines(names, width, smallSize, lines), rowHeight, () => rowHeight);
}

function namedRows(
  labels: NamedRows['labels'],
  rowHeight: number,
  heightOf: (lines: readonly string[]) => number,
): NamedRows {
  const heights = labels.map(heightOf);
  return { labels, heights, rowHeight, height: heights.reduce((sum, height) => sum + height, 0) };
}

/** Vertical middle of each row below `top`. */
export function rowMiddles({ heights }: NamedRows, top: number): number[] {
  let bottom = top;
  return heights.map((height) => (bottom += height) - height / 2);
}

/** The lines of a name, right-aligned at `x` around `middle`. */
export function nameMarks(lines: readonly string[], full: string, x: number, middle: number): TextMark[] {
  const isCut = !isWhole(lines, full);
  return lines.map((text, i) => ({
    kind: 'text',
    size: smallSize,
    style: 'regular',
    anchor: 'end',
    colour: inkColour,
    text,
    ...(isCut && { full }),
    x,
    y: middle + toBaseline + (i - (lines.length - 1) / 2) * nameLine,
  }));
}
