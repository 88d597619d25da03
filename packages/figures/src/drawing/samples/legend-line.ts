import type { Mark, TextMark } from '../scene/scene.ts';
import { inkColour, smallSize, softInk } from '../scene/style.ts';
import { ellipsisedInside } from '../text/fit-text.ts';
import { fittedNames } from '../text/fitted-names.ts';
import { textWidth } from '../text/text-width.ts';
import { sideColours, type SampleFigureSpec } from './sample-figure.ts';
import { sampleMark, type SampleShape } from './sample-marks.ts';

export const legendLineHeight = 22;

interface LegendItem {
  label: string;
  shape: SampleShape;
  colour: string;
}

const radius = 5;
const between = 18;

export function sideLegend(
  { sides }: Pick<SampleFigureSpec, 'sides'>,
  place: { x: number; y: number; width: number },
): Mark[] {
  return legendLine(sideItems(sides), place);
}

export function sideItems(sides: SampleFigureSpec['sides']): LegendItem[] {
  return (['a', 'b'] as const).map((side) => ({ label: sides[side], shape: 0, colour: sideColours[side] }));
}

export function legendLine(
  items: readonly LegendItem[],
  { x, y, width, title = '' }: { x: number; y: number; width: number; title?: string },
): Mark[] {
  const markWidth = 2 * radius + 6;
  const shownTitle = ellipsisedInside(title, width / 3, smallSize);
  const lead = shownTitle === '' ? 0 : textWidth(shownTitle, smallSize) + 10;
  const room = width - lead - items.length * markWidth - (items.length - 1) * between;
  const longest = longestFitting(
    items.map(({ label }) => textWidth(label, smallSize)),
    room,
  );
  const marks: Mark[] = shownTitle === '' ? [] : [text(shownTitle, title, x, y, softInk)];
  let at = x + lead;
  const names = fittedNames(
    items.map(({ label }) => label),
    longest,
    smallSize,
  );
  for (const [i, { label, shape, colour }] of items.entries()) {
    const shown = names[i]!;
    marks.push(
      ...sampleMark(shape, { x: at + radius, y: y - smallSize * 0.36, radius, colour }),
      text(shown, label, at + markWidth, y, inkColour),
    );
    at += markWidth + textWidth(shown, smallSize) + between;
  }
  return marks;
}

function longestFitting(widths: readonly number[], room: number): number {
  const rising = widths.toSorted((a, b) => a - b);
  let left = room;
  for (const [at, width] of rising.entries()) {
    const each = left / (rising.length - at);
    if (width > each) return Math.max(0, each);
    left -= width;
  }
  return Infinity;
}

function text(shown: string, full: string, x: number, y: number, colour: string): TextMark {
  return {
    kind: 'text',
    size: smallSize,
    style: 'regular',
    anchor: 'start',
    text: shown,
    ...(shown !== full && { full }),
    x,
    y,
    colour,
  };
}
