import { curveThrough } from './drawing/scene/lines.ts';
import type { Rectangle, RectangleMark, TextMark, VectorMark } from './drawing/scene/scene.ts';
import { inkColour, paperColour, smallSize, softInk } from './drawing/scene/style.ts';
import { ellipsised } from './drawing/text/fit-text.ts';
import { textWidth } from './drawing/text/text-width.ts';
import type { Scale } from './frame/scales.ts';

/** Where marks are drawn: the scales of both axes, and the panel that they span. */
export interface Plane {
  readonly x: Scale;
  readonly y: Scale;
  readonly panel: Rectangle;
}

/**
 * A mark turns data into primitives of the scene. It is a plain function, so that figures combine marks and write their
 * own in place. Data without a place on the plane (NaN) are not drawn.
 */
export type Mark = (plane: Plane) => readonly VectorMark[];

/** A constant, or a function of a datum. */
type Channel<Datum, Value extends number | string = number> =
  | Value
  | ((datum: Datum, index: number) => Value);

function read<Datum, Value extends number | string>(
  channel: Channel<Datum, Value>,
  datum: Datum,
  index: number,
): Value {
  return typeof channel === 'function' ? channel(datum, index) : channel;
}

/** Share of its row that a bar is thick, and the greatest height of a row that it is thick for. */
const [barPart, maxBarRow] = [0.56, 64];

/** Rectangles between values of both axes, such as bins. */
export function rect<Datum>(
  data: readonly Datum[],
  {
    x1,
    x2,
    y1,
    y2,
    fill,
    inset = 0,
  }: Readonly<Record<'x1' | 'x2' | 'y1' | 'y2', Channel<Datum>>> & {
    readonly fill: Channel<Datum, string>;
    /** Pixels kept free at the left and right. */
    readonly inset?: number;
  },
): Mark {
  return ({ x, y }) =>
    data.flatMap((datum, i) => {
      const [left, right] = [x(read(x1, datum, i)), x(read(x2, datum, i))];
      const [top, bottom] = [y(read(y2, datum, i)), y(read(y1, datum, i))];
      return box(left + inset, top, right - left - 2 * inset, bottom - top, read(fill, datum, i));
    });
}

/** Counts in equal bins of the panel, as shades: column, row from below, count. */
export function binCounts(
  counts: readonly (readonly [column: number, row: number, count: number])[],
  {
    across,
    up,
    fill,
    gap = 0,
  }: {
    /** Number of bins. */
    readonly across: number;
    readonly up: number;
    readonly fill: (count: number) => string;
    /** Pixels between bins. */
    readonly gap?: number;
  },
): Mark {
  return ({ panel }) => {
    const [width, height] = [panel.width / across, panel.height / up];
    const bottom = panel.y + panel.height;
    return counts.flatMap(([column, row, count]) =>
      box(panel.x + column * width, bottom - (row + 1) * height, width - gap, height - gap, fill(count)),
    );
  };
}

/** Lengths along x, one after the other from 0, as the parts of one bar in a row. */
export function stackX(
  lengths: readonly number[],
  {
    row,
    unit,
    fill,
    thickness,
  }: {
    readonly row: number;
    /** Value of a length of 1. */
    readonly unit: number;
    readonly fill: (index: number) => string;
    /** Thickness in a row of this height. */
    readonly thickness: (rowHeight: number) => number;
  },
): Mark {
  return ({ x, y }) => {
    const thick = thickness(y.band);
    const top = y(row) - thick / 2;
    if (Number.isNaN(top)) return [];
    let [left, end] = [x(0), 0];
    return lengths.flatMap((length, i) => {
      const start = left;
      end += length;
      left = x(unit * end);
      return box(start, top, left - start, thick, fill(i));
    });
  };
}

/** A bar from 0 to a value in each row, in the order of the data. */
export function barX<Datum>(
  data: readonly Datum[],
  { x: length, fill }: { readonly x: Channel<Datum>; readonly fill: Channel<Datum, string> },
): Mark {
  return ({ x, y }) =>
    data.flatMap((datum, row) => {
      const [zero, end] = [x(0), x(read(length, datum, row))];
      const thick = barPart * Math.min(y.band, maxBarRow);
      const [left, width] = [Math.min(zero, end), Math.abs(end - zero)];
      return box(left, y(row) - thick / 2, width, thick, read(fill, datum, row));
    });
}

/** A solid line through the panel at a value of x. */
export function lineX(value: number): Mark {
  return ({ x, panel }) => box(x(value) - 0.5, panel.y, 1, panel.height, softInk);
}

/** Dots; `dx` and `dy` move them by pixels, `rim` sets them apart from those below by a line of the background. */
export function dot<Datum>(
  data: readonly Datum[],
  {
    x,
    y,
    dx = 0,
    dy = 0,
    radius,
    fill,
    rim = 0,
  }: Readonly<Record<'x' | 'y', Channel<Datum>>> & {
    readonly dx?: Channel<Datum>;
    readonly dy?: Channel<Datum>;
    readonly radius: number;
    readonly fill: Channel<Datum, string>;
    readonly rim?: number;
  },
): Mark {
  return (plane) =>
    data.flatMap((datum, i): readonly VectorMark[] => {
      const place = {
        x: plane.x(read(x, datum, i)) + read(dx, datum, i),
        y: plane.y(read(y, datum, i)) + read(dy, datum, i),
      };
      if (!Number.isFinite(place.x + place.y)) return [];
      const edge = rim > 0 && { edge: { width: rim, colour: paperColour } };
      return [{ kind: 'dot', ...place, radius: radius + rim, colour: read(fill, datum, i), ...edge }];
    });
}

/** A curve through data with rising x, with a rim of the background that sets it apart from what it crosses. */
export function line<Datum>(
  data: readonly Datum[],
  {
    x,
    y,
    width,
    rim,
  }: Readonly<Record<'x' | 'y', Channel<Datum>>> & { readonly width: number; readonly rim: number },
): Mark {
  return (plane) => {
    if (data.length < 2) return [];
    const xs = data.map((datum, i) => plane.x(read(x, datum, i)));
    const ys = data.map((datum, i) => plane.y(read(y, datum, i)));
    return [curveThrough(xs, ys, width + 2 * rim, paperColour), curveThrough(xs, ys, width, inkColour)];
  };
}

/** Rectangles of `width` by `height` pixels around points, such as the strokes of means. */
export function stroke<Datum>(
  data: readonly Datum[],
  {
    x,
    y,
    dy = 0,
    width,
    height,
  }: Readonly<Record<'x' | 'y', Channel<Datum>>> & {
    readonly dy?: Channel<Datum>;
    readonly width: number;
    readonly height: number;
  },
): Mark {
  return (plane) =>
    data.flatMap((datum, i) => {
      const middle = plane.y(read(y, datum, i)) + read(dy, datum, i);
      return box(plane.x(read(x, datum, i)) - width / 2, middle - height / 2, width, height, inkColour);
    });
}

const dash = { length: 6, pitch: 10 } as const;

function dashes(start: number, length: number): (readonly [start: number, length: number])[] {
  return Array.from({ length: Math.ceil(length / dash.pitch) }, (_, i) => {
    const from = i * dash.pitch;
    return [start + from, Math.min(dash.length, length - from)];
  });
}

/** A dashed line through the panel at a value of y. */
export function dashedY(value: number, width: number): Mark {
  return ({ y, panel }) => {
    const top = y(value) - width / 2;
    return dashes(panel.x, panel.width).flatMap(([left, length]) => box(left, top, length, width, inkColour));
  };
}

/** The same at a value of x; its name is above the panel. */
export function dashedX(value: number, width: number, name?: string): Mark {
  return ({ x, panel }) => {
    const left = x(value) - width / 2;
    const marks = dashes(panel.y, panel.height).flatMap(([top, length]) =>
      box(left, top, width, length, inkColour),
    );
    if (name === undefined) return marks;
    const shown = ellipsised(name, panel.width, smallSize);
    const half = textWidth(shown, smallSize) / 2;
    const middle = Math.min(panel.x + panel.width - half, Math.max(panel.x + half, x(value)));
    return [...marks, label(shown, { x: middle, y: panel.y - 9, anchor: 'middle' }, name)];
  };
}

export function box(x: number, y: number, width: number, height: number, colour: string): RectangleMark[] {
  return Number.isFinite(x + y) && width > 0 && height > 0
    ? [{ kind: 'rectangle', x, y, width, height, colour }]
    : [];
}

/** One line of small type; `full` is the text that it was cut from. */
export function label(
  text: string,
  place: Pick<TextMark, 'x' | 'y'> & Partial<Pick<TextMark, 'colour' | 'anchor' | 'style'>>,
  full = text,
): TextMark {
  return {
    kind: 'text',
    size: smallSize,
    style: 'regular',
    colour: inkColour,
    anchor: 'start',
    text,
    ...(full !== text && { full }),
    ...place,
  };
}
