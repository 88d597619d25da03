import type { Rectangle, TextMark } from '../drawing/scene/scene.ts';
import { figureWidth, inkColour, margin, smallSize, softInk, toBaseline } from '../drawing/scene/style.ts';
import { ellipsised, isWhole } from '../drawing/text/fit-text.ts';
import { fittedLines } from '../drawing/text/fitted-names.ts';
import { textWidth, widest } from '../drawing/text/text-width.ts';
import { label } from '../marks.ts';
import { bandScale, type Scale } from './scales.ts';

/** An axis of rows; marks name a row by its place. Pages use the `short` label of a row if it has one. */
export interface RowAxis {
  /** One array for all sizes of a figure, by which widths are kept. */
  readonly rows: readonly { readonly label: string; readonly short?: string }[];
  /** Rows of the greatest weight stay where not all have room. */
  weight(row: number): number;
  /** Above the labels. */
  readonly title: string;
  /** Plural noun for the rows, in the note on those without room. */
  readonly noun: string;
  readonly texts?: readonly TextColumn[];
  /** Default that of bars. */
  readonly sizes?: RowSizes;
}

/** A column of short texts beside the labels, or right of the panel. */
export interface TextColumn {
  readonly title: string;
  readonly side: 'left' | 'right';
  /** Its name in the words of a figure without room for it. */
  readonly name: string;
  text(row: number): string;
  isStrong?(row: number): boolean;
}

interface RowSizes {
  /** Height of a row in a file with this many. */
  file(rows: number): number;
  /** Limits of its height in a page. */
  readonly min: number;
  readonly max: number;
  /** Width of labels: pixels in a file, share of the figure in a page. */
  readonly labels: { readonly file: number; readonly part: number };
}

export const barSizes: RowSizes = {
  file: (rows) => (rows <= 12 ? 32 : rows <= 24 ? 26 : 21),
  min: 15,
  // Few bars thicken before the gaps between them grow.
  max: 240,
  labels: { file: 240, part: 0.26 },
};

/** Rows of gene sets, whose names are long. */
export function setRows(rows: RowAxis['rows'], noun: string) {
  const sizes: RowSizes = {
    file: (count) => (count <= 10 ? 37 : 25),
    min: 16,
    max: 110,
    labels: { file: 250, part: 0.42 },
  };
  return { rows, title: '', noun, sizes };
}

/** Names, which in pages are without the beginning up to an underscore that all of them share. */
export function shortNames(names: readonly string[]): { label: string; short?: string }[] {
  const shared = /^[^_]+_/.exec(names[0] ?? '')?.[0];
  if (shared === undefined || names.length < 2 || !names.every((name) => name.startsWith(shared)))
    return names.map((label) => ({ label }));
  return names.map((label) => ({ label, short: `…${label.slice(shared.length)}` }));
}

/** Space between labels, texts and panel. */
const gap = 12;

export interface RowRoom {
  readonly figure: { readonly width: number; readonly isFile: boolean };
  /** Texts that have room. */
  readonly texts: readonly TextColumn[];
}

/** The rows of a file, as high as their labels need. */
export function rowsOfFile({ rows, sizes = barSizes }: RowAxis): NamedRows {
  const labels = rows.map((row) => row.label);
  const rowHeight = sizes.file(rows.length);
  return fileRows(labels, { rowHeight, width: sizes.labels.file, room: figureWidth });
}

function longestLabel({ sizes = barSizes }: RowAxis, { width, isFile }: RowRoom['figure']): number {
  return isFile ? sizes.labels.file : sizes.labels.part * width;
}

/** Widths of a figure's longest label, its title and its texts, measured once: many sizes of it are tried. */
const widths = new WeakMap<RowAxis['rows'], { labels: number; title: number; texts: readonly number[] }>();

function widthsOf(axis: RowAxis) {
  const { rows, title, texts = [] } = axis;
  const measured = widths.get(rows) ?? {
    labels: widest(rows.map(({ label, short = label }) => short)),
    title: textWidth(title, smallSize),
    texts: texts.map((column) => widest([column.title, ...rows.map((_, row) => column.text(row))])),
  };
  widths.set(rows, measured);
  return measured;
}

/** Upper limit of the space that labels and texts take at the left and right, without cutting any label. */
export function rowGutters(axis: RowAxis, { figure, texts }: RowRoom): { left: number; right: number } {
  const longest = longestLabel(axis, figure);
  const { labels, title, texts: ofTexts } = widthsOf(axis);
  const gutters = {
    left: margin + Math.max(Math.min(longest, labels), Math.min(1.2 * longest, title)) + gap,
    right: 0,
  };
  texts.forEach(({ side }, i) => (gutters[side] += gap + ofTexts[i]!));
  return gutters;
}

/** Labels and texts of the rows in `kept`, and the space that they take. */
export function rowsWithTexts(
  axis: RowAxis,
  shownRows: readonly number[],
  room: RowRoom & { height: number },
) {
  const { rows, sizes = barSizes } = axis;
  const longest = longestLabel(axis, room.figure);
  const height = Math.max(sizes.min, Math.min(sizes.max, room.height / Math.max(1, shownRows.length)));
  const named = room.figure.isFile
    ? rowsOfFile(axis)
    : fittedRows(
        shownRows.map((row) => rows[row]!.short ?? rows[row]!.label),
        height,
        longest,
      );
  const title = ellipsised(axis.title, 1.2 * longest, smallSize);
  const labelEnd = Math.ceil(margin + widest([...named.labels.flat(), title]));
  let [left, right] = [labelEnd, 0];
  const columns = room.texts.map((column) => {
    const texts = shownRows.map((row) => column.text(row));
    const width = widest([column.title, ...texts]);
    if (column.side === 'left') left = Math.ceil(left + gap + width);
    else right += gap + Math.ceil(width);
    return { column, texts, end: column.side === 'left' ? left : right };
  });
  return { named, title, labelEnd, columns, left: left + gap, right };
}

/** The scale of rows within their panel. */
export function rowScale(shownRows: readonly number[], named: NamedRows, panel: Rectangle): Scale {
  return bandScale(shownRows, rowMiddles(named, panel.y), named.rowHeight);
}

export function rowMarks(
  axis: RowAxis,
  shownRows: readonly number[],
  { named, title, labelEnd, columns }: ReturnType<typeof rowsWithTexts>,
  { y, panel }: { readonly y: Scale; readonly panel: Rectangle },
): TextMark[] {
  const head = { y: panel.y - 9, anchor: 'end', colour: softInk } as const;
  return [
    ...(title === '' ? [] : [label(title, { ...head, x: labelEnd }, axis.title)]),
    ...shownRows.flatMap((row, i) => nameMarks(named.labels[i]!, axis.rows[row]!.label, labelEnd, y(row))),
    ...columns.flatMap(({ column, texts, end }) => {
      const x = column.side === 'left' ? end : panel.x + panel.width + end;
      return [
        label(column.title, { ...head, x }),
        ...shownRows.map((row, i) => {
          const strong = column.isStrong?.(row) === true;
          const how = strong && ({ colour: inkColour, style: 'semibold' } as const);
          return label(texts[i]!, { ...head, ...how, x, y: y(row) + toBaseline });
        }),
      ];
    }),
  ];
}

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
  const maxWidth = Math.max(width, maxNameShare * room);
  const trials = [0, 0.25, 0.5, 0.75, 1].map((part) => width + part * (maxWidth - width));
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
