import { countText } from '@cellfolio/model';
import type { Mark, Rectangle, TextMark } from './scene.ts';
import { inkColour, smallSize, softInk } from './style.ts';

const barWidth = 12;
const clearance = 20;
export const countBarGutter = 84;

/** Shade of a count on a logarithmic scale, since most places have few. */
export function countShade(count: number, maxCount: number, ramp: readonly string[]): string {
  const part = maxCount > 1 ? Math.log(count) / Math.log(maxCount) : 1;
  return ramp[Math.round(Math.min(1, part) * (ramp.length - 1))]!;
}

export function countBar(
  panel: Rectangle,
  maxCount: number,
  shades: readonly string[],
  noun: string,
): Mark[] {
  const x = panel.x + panel.width + 18;
  const y = panel.y + 30;
  const height = Math.min(140, panel.height - 44);
  const ends = maxCount > 1 ? [1, ...powers(maxCount, height), maxCount] : [1];
  const of = (count: number): number => (maxCount > 1 ? Math.log(count) / Math.log(maxCount) : 0);
  return [
    text(noun, x, y - 16, softInk),
    { kind: 'ramp', x, y, width: barWidth, height, shades },
    ...ends.map((count) =>
      text(countText(count), x + barWidth + 6, y + height - of(count) * height + smallSize * 0.36, inkColour),
    ),
  ];
}

function text(content: string, x: number, y: number, colour: string): TextMark {
  return { kind: 'text', size: smallSize, style: 'regular', anchor: 'start', text: content, x, y, colour };
}

function powers(maxCount: number, height: number): number[] {
  const digits = Math.log10(maxCount);
  const stride = Math.max(1, Math.ceil((clearance * digits) / height));
  const all: number[] = [];
  for (let power = stride; ((digits - power) / digits) * height >= clearance; power += stride)
    all.push(10 ** power);
  return all;
}
