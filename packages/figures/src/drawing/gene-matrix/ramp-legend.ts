import type { Mark } from '../scene/scene.ts';
import { inkColour, smallSize, softInk } from '../scene/style.ts';
import { tidyTicks, valueText } from '../text/number-text.ts';
import { textWidth } from '../text/text-width.ts';
import { lineHeight } from './name-setting.ts';
import { meanColour } from './scales.ts';

const barHeight = 12;
const tickLength = 4;
const small = { kind: 'text', size: smallSize, style: 'regular' } as const;

export function legendTitle(lines: readonly string[], x: number, y: number): Mark[] {
  return lines.map((text, i) => ({
    ...small,
    text,
    x,
    y: y + 11 + i * lineHeight,
    colour: inkColour,
    anchor: 'start',
  }));
}

interface RampLegend {
  title: readonly string[];
  domain: readonly [number, number];
  ramp: readonly string[];
  x: number;
  y: number;
  width: number;
}

export function rampLegend({ title, domain, ramp, x, y, width: legendWidth }: RampLegend): Mark[] {
  const [low, high] = domain;
  const top = y + 2 * lineHeight + 4;
  const shades = Array.from({ length: 64 }, (_, i) => meanColour((i + 0.5) / 64, [0, 1], ramp));
  const width = legendWidth - 16;
  const marks: Mark[] = [
    ...legendTitle(title, x, y),
    { kind: 'ramp', x, y: top, width, height: barHeight, shades, across: true },
  ];
  // Next to a range of several units, a value of a thousandth of one is none.
  const textOf = (value: number): string => valueText(Math.abs(value) < (high - low) / 500 ? 0 : value);
  const labelled = (text: string, at: number): void => {
    const half = textWidth(text, smallSize) / 2;
    marks.push(
      { kind: 'rectangle', x: at - 0.5, y: top + barHeight, width: 1, height: tickLength, colour: softInk },
      {
        ...small,
        text,
        // Its ends stand within the bar.
        x: Math.min(Math.max(at, x + half), x + width - half),
        y: top + barHeight + tickLength + 14,
        colour: inkColour,
        anchor: 'middle',
      },
    );
  };
  if (high === low) {
    labelled(textOf(low), x + width / 2);
    return marks;
  }
  labelled(textOf(low), x + 0.5);
  labelled(textOf(high), x + width - 0.5);
  // Numbers between the ends only where they do not touch those.
  let occupied = textWidth(textOf(low), smallSize) + 8;
  const end = width - textWidth(textOf(high), smallSize) - 8;
  for (const tick of tidyTicks(low, high, 3)) {
    const at = ((tick - low) / (high - low)) * width;
    const half = textWidth(textOf(tick), smallSize) / 2;
    if (at - half < occupied || at + half > end) continue;
    labelled(textOf(tick), x + at);
    occupied = at + half + 8;
  }
  return marks;
}
