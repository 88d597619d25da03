import { ellipsised } from '../text/fit-text.ts';
import { areTicksClear, tidyTicks, valueText } from '../text/number-text.ts';
import { gridLine } from './lines.ts';
import type { Mark, Rectangle, TextMark } from './scene.ts';
import { gridColour, inkColour, smallSize, softInk } from './style.ts';

export const axisGutter = { left: 62, bottom: 48 } as const;

export interface PlaneAxis {
  domain: readonly [number, number];
  name: Pick<TextMark, 'text' | 'style'>;
  ticks?: readonly number[];
}

const small = { kind: 'text', size: smallSize, colour: inkColour } as const;

/** Position of a value within a panel; a range without width is at its lower left. */
export function scalesOf({ x, y, width, height }: Rectangle, across: Domain, up: Domain) {
  const part = (value: number, [low, high]: Domain): number =>
    high > low ? (value - low) / (high - low) : 0;
  return {
    xOf: (value: number) => x + part(value, across) * width,
    yOf: (value: number) => y + height - part(value, up) * height,
  };
}

type Domain = readonly [number, number];

export function planeAxes(panel: Rectangle, { x, y }: { x: PlaneAxis; y: PlaneAxis }): Mark[] {
  const { xOf } = scalesOf(panel, x.domain, y.domain);
  const bottom = panel.y + panel.height;
  return [
    ...upAxis(panel, y),
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
  const { yOf } = scalesOf(panel, [0, 0], y.domain);
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
