import { countText } from '@cellfolio/model';
import type { CommonSpec } from '../drawing/figure.ts';
import { legendLine, legendLineHeight, sideItems } from '../drawing/samples/legend-line.ts';
import type { SampleFigureSpec } from '../drawing/samples/sample-figure.ts';
import { countBar, countBarGutter } from '../drawing/scene/count-shades.ts';
import type { Rectangle, VectorMark } from '../drawing/scene/scene.ts';
import { margin, smallSize, softInk } from '../drawing/scene/style.ts';
import { ellipsised, isWhole } from '../drawing/text/fit-text.ts';
import { fittedLines } from '../drawing/text/fitted-names.ts';
import { widest } from '../drawing/text/text-width.ts';
import { box, label } from '../marks.ts';
import { nameLine } from './rows.ts';

export interface LegendPlace extends Pick<Rectangle, 'x' | 'y' | 'width' | 'height'> {
  readonly panel: Rectangle;
  readonly isFile: boolean;
}

/** Explains colours or shapes, right of the panel or above it. */
export interface Legend {
  readonly side: 'right' | 'above';
  /** Its name in the words of a figure without room for it. */
  readonly name: string;
  /** Whether the figure cannot be read without it: it then yields last, and type shrinks to keep it. */
  readonly isNeeded: boolean;
  /** Height of a figure in a page below which it yields. */
  readonly minHeight?: number;
  /** Width that it takes from the panel at its right, or height above it. */
  room(figure: { readonly width: number; readonly isFile: boolean }): number;
  /** Width that a file of rows has for it, and the height below the title that it needs there. */
  file?(): CommonSpec['size'];
  /** The names without room in this height of a page, such as `the names of 3 parts`. */
  without?(height: number): string | undefined;
  marks(place: LegendPlace): readonly VectorMark[];
}

const line = 21;
const swatch = { side: 11, gap: 8 } as const;
const indent = swatch.side + swatch.gap;
const gap = 22;
const width = { min: 100, usual: 170, max: 240, part: 0.26 } as const;

function restText(count: number): string {
  return `and ${countText(count)} more`;
}

/** A square of its colour for each item, below a title. Without room for all, the last line counts the others. */
export function swatches(
  title: string,
  items: readonly { readonly label: string; readonly colour: string }[],
  noun: string,
): Legend {
  // Measured once: many sizes of a figure are tried.
  let needed = 0;
  const widthIn = (figure: { readonly width: number; readonly isFile: boolean }): number => {
    needed ||= Math.max(widest(items.map((item) => item.label)) + indent, widest([title, restText(99)]));
    const [low, high] = figure.isFile
      ? [width.usual, width.max]
      : [0, Math.min(width.usual, Math.max(width.min, width.part * figure.width))];
    return Math.ceil(Math.min(high, Math.max(low, needed)));
  };
  // A file has up to three lines for a name, a page one.
  const linesIn = (shown: typeof items, all: number, isFile: boolean): string[][] =>
    fittedLines(
      shown.map((item) => item.label),
      all - indent,
      smallSize,
      isFile ? 3 : 1,
    );
  const countIn = (height: number): number => {
    const lines = Math.floor(height / line) - 1;
    return items.length <= lines ? items.length : Math.max(0, lines - 1);
  };
  return {
    side: 'right',
    name: 'the legend',
    isNeeded: true,
    room: (figure) => gap + widthIn(figure),
    file() {
      const names = linesIn(items, widthIn({ width: 0, isFile: true }), true);
      const height = names.reduce((sum, { length }) => sum + line + (length - 1) * nameLine, line);
      return { width: gap + width.usual, height };
    },
    without(height) {
      const unnamed = items.length - countIn(height);
      if (unnamed === 0) return undefined;
      return unnamed === 1 ? `the name of 1 ${noun}` : `the names of ${countText(unnamed)} ${noun}s`;
    },
    marks({ x: left, y: top, width: room, height, isFile }) {
      const [x, all] = [left + gap, room - gap];
      const shown = isFile ? items : items.slice(0, countIn(height));
      const names = linesIn(shown, all, isFile);
      const marks: VectorMark[] = [
        label(ellipsised(title, all, smallSize), { x, y: top + 13, colour: softInk }, title),
      ];
      let y = top + 13 + line;
      for (const [i, { label: name, colour }] of shown.entries()) {
        const full = isWhole(names[i]!, name) ? undefined : name;
        for (const [nth, text] of names[i]!.entries())
          marks.push(label(text, { x: x + indent, y: y + nth * nameLine }, full));
        marks.push(...box(x, y - swatch.side, swatch.side, swatch.side, colour));
        y += line + (names[i]!.length - 1) * nameLine;
      }
      if (shown.length < items.length)
        marks.push(label(restText(items.length - shown.length), { x, y, colour: softInk }));
      return marks;
    },
  };
}

/** Shades of counts from 1 to `max`, by their logarithm. */
export function countRamp(max: number, ramp: readonly string[], noun: string): Legend {
  return {
    side: 'right',
    name: 'the bar of counts',
    isNeeded: false,
    minHeight: 220,
    room: () => countBarGutter,
    marks: ({ panel }) => countBar(panel, max, ramp, noun),
  };
}

/** Both sides of a comparison with their colours, on a line above the panel. */
export function sideLine(sides: SampleFigureSpec['sides']): Legend {
  return colourLine(sideItems(sides));
}

/** Colours with their names, on a line above the rows of a figure. */
export function colourLine(items: readonly { readonly label: string; readonly colour: string }[]): Legend {
  const dots = items.map((item) => ({ ...item, shape: 0 as const }));
  return {
    side: 'above',
    name: 'the legend',
    isNeeded: true,
    room: () => legendLineHeight + 2,
    marks: ({ y, width: room }) => legendLine(dots, { x: margin, y: y + 12, width: room }),
  };
}

/** Shapes with their names, on a line above the panel of a plane. */
export function shapeLine(items: Parameters<typeof legendLine>[0]): Legend {
  return {
    side: 'above',
    name: 'the legend',
    isNeeded: true,
    room: () => legendLineHeight + 2,
    marks: ({ panel: { x, y, width: room } }) => legendLine(items, { x, y: y - 10, width: room }),
  };
}
