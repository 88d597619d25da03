import { gridLine } from '../drawing/scene/lines.ts';
import { centredWithin } from '../drawing/scene/panel.ts';
import type { Mark, Rectangle, TextMark } from '../drawing/scene/scene.ts';
import { gridColour, inkColour, margin, smallSize, softInk, toBaseline } from '../drawing/scene/style.ts';
import { ellipsised, ellipsisedInside } from '../drawing/text/fit-text.ts';
import { areTicksClear, tidyTicks, valueText } from '../drawing/text/number-text.ts';
import type { FontStyle } from '../drawing/text/svg-text.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import { box, label } from '../marks.ts';
import { type Domain, numberScale, type Scale } from './scales.ts';

/** An axis of numbers. */
export interface NumberAxis {
  readonly domain: Domain;
  /** Several names say the same, the longest first; the first with room is shown. */
  readonly name: string | readonly string[];
  /** Default regular; of a plane alone. */
  readonly style?: FontStyle;
  /** Bends the axis, such as `Math.sqrt`; default linear. */
  readonly place?: (value: number) => number;
  /** Numbers of an axis of this length; default about four round ones. */
  readonly ticks?: (length: number, scale: Scale) => readonly number[];
  /** Pixels between the ends of the axis and of the panel; default 0. */
  readonly inset?: number;
}

/** An axis of columns; marks name a column by its place. */
export interface ColumnAxis {
  readonly columns: readonly { readonly label: string; readonly below: string }[];
}

export const axisGutter = { left: 62, bottom: 48 } as const;

export interface PlaneAxis {
  domain: readonly [number, number];
  name: Pick<TextMark, 'text' | 'style'>;
  ticks?: readonly number[];
  /** Default linear. */
  scale?: Scale;
}

const small = { kind: 'text', size: smallSize, colour: inkColour } as const;

export function planeAxes(panel: Rectangle, { x, y }: { x: PlaneAxis; y: PlaneAxis }): Mark[] {
  return [...upAxis(panel, y), ...acrossAxis(panel, x)];
}

export function acrossAxis(panel: Rectangle, x: PlaneAxis): Mark[] {
  const xOf = x.scale ?? numberScale(x.domain, [panel.x, panel.x + panel.width]);
  const bottom = panel.y + panel.height;
  return [
    { kind: 'rectangle', x: panel.x - 1, y: bottom, width: panel.width + 1, height: 1, colour: softInk },
    ...clearTicks(x, panel.width, xOf).flatMap((tick): Mark[] => {
      const left = xOf(tick);
      return [
        gridLine(left, panel),
        { ...small, style: 'regular', text: valueText(tick), x: left, y: bottom + 18, anchor: 'middle' },
      ];
    }),
    {
      ...small,
      ...shownName(x.name, panel.width),
      x: panel.x + panel.width / 2,
      y: bottom + 40,
      anchor: 'middle',
    },
  ];
}

export function upAxis(panel: Rectangle, y: PlaneAxis): Mark[] {
  const yOf = y.scale ?? numberScale(y.domain, [panel.y + panel.height, panel.y]);
  return [
    { kind: 'rectangle', x: panel.x - 1, y: panel.y, width: 1, height: panel.height, colour: softInk },
    ...(y.ticks ?? ticksIn(y.domain, panel.height < 200 ? 2 : 4)).flatMap((tick): Mark[] => [
      {
        kind: 'rectangle',
        x: panel.x - 4,
        y: yOf(tick) - 0.5,
        width: panel.width + 4,
        height: 1,
        colour: gridColour,
      },
      {
        ...small,
        style: 'regular',
        text: valueText(tick),
        x: panel.x - 8,
        y: yOf(tick) + smallSize * 0.36,
        anchor: 'end',
      },
    ]),
    {
      ...small,
      ...shownName(y.name, panel.height),
      x: panel.x - axisGutter.left + 12,
      y: panel.y + panel.height / 2,
      anchor: 'middle',
      upright: true,
    },
  ];
}

function clearTicks(
  { domain, ticks }: PlaneAxis,
  width: number,
  xOf: (value: number) => number,
): readonly number[] {
  if (ticks) return ticks;
  for (let count = width < 200 ? 2 : 4; count > 1; count--) {
    const candidates = ticksIn(domain, count);
    if (areTicksClear(candidates, xOf)) return candidates;
  }
  return ticksIn(domain, 1).slice(0, 1);
}

function ticksIn([low, high]: Domain, count: number): number[] {
  return high > low ? [...(low === 0 ? [0] : []), ...tidyTicks(low, high, count)] : [low];
}

function shownName({ text, style }: PlaneAxis['name'], room: number) {
  const shown = ellipsised(text, room, smallSize, style);
  return { text: shown, style, ...(shown !== text && { full: text }) };
}

/** Height of the axis below rows; it is nearer to them than to a plane, since rows have no line at their foot. */
export const rowFoot = 52;

/** The axis below rows: numbers with lines through all rows, and its name. */
export function axisBelowRows(axis: NumberAxis, x: Scale, panel: Rectangle, figureWidth: number): Mark[] {
  const bottom = panel.y + panel.height;
  const ticks = axis.ticks?.(panel.width, x) ?? ticksIn(axis.domain, panel.width < 240 ? 2 : 4);
  const names = typeof axis.name === 'string' ? [axis.name] : axis.name;
  const room = Math.max(panel.width, 0.8 * (figureWidth - 2 * margin));
  const full = names.find((name) => textWidth(name, smallSize) <= panel.width) ?? names.at(-1)!;
  const shown = ellipsised(full, room, smallSize);
  const middle = centredWithin(textWidth(shown, smallSize), panel, figureWidth);
  return [
    ...ticks.flatMap((tick): Mark[] => [
      gridLine(x(tick), panel),
      label(valueText(tick), { x: x(tick), y: bottom + 15 + toBaseline, anchor: 'middle' }),
    ]),
    label(shown, { x: middle, y: bottom + 36 + toBaseline, anchor: 'middle', colour: softInk }, full),
  ];
}

/** The axis below columns: a line, the label of each column, and a text below it. */
export function axisBelowColumns({ columns }: ColumnAxis, x: Scale, panel: Rectangle): Mark[] {
  const bottom = panel.y + panel.height;
  return [
    ...box(panel.x - 1, bottom, panel.width + 1, 1, softInk),
    ...columns.flatMap((column, place): Mark[] => [
      label(
        ellipsisedInside(column.label, x.band - 8, smallSize),
        { x: x(place), y: bottom + 20, anchor: 'middle' },
        column.label,
      ),
      label(column.below, { x: x(place), y: bottom + 40, anchor: 'middle', colour: softInk }),
    ]),
  ];
}
