import type { ScatterSpec } from '../drawing/figure.ts';
import { dotSize, legendEntry, widestCount } from '../drawing/scene/legend-layout.ts';
import { arrowGutter, axisArrows, fittedPanel, heading, isTiny, panelTop } from '../drawing/scene/panel.ts';
import type { Mark, Scene, TextMark } from '../drawing/scene/scene.ts';
import { inkColour, margin, smallSize, softInk } from '../drawing/scene/style.ts';
import { ellipsised, wrappedLines } from '../drawing/text/fit-text.ts';
import { fittedNames } from '../drawing/text/fitted-names.ts';
import { valueText } from '../drawing/text/number-text.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import type { SpecOf } from '../plot-words.ts';
import { pairGroups, pairLevels, pairShade } from './groups.ts';
import type { pairUmapWords } from './words.ts';

export interface PairSide {
  readonly label: string;
  /** Value of the last level; 0 if no cell expresses it. */
  readonly high: number;
  readonly max: number;
  /** True if values above `high` take the last level. */
  readonly clipped: boolean;
  readonly expressing: number;
}

export interface PairUmapSpec extends SpecOf<typeof pairUmapWords, 'first' | 'second', ScatterSpec> {
  readonly first: PairSide;
  readonly second: PairSide;
  readonly colours: { readonly shades: readonly string[]; readonly outside: string };
}

const largestStep = 16;
const smallestStep = 8;
const width = 184;
const gap = 16;
const rowHeight = 20;
const keyTop = 12;

export function pairUmapScene(spec: PairUmapSpec): Scene {
  if (isTiny(spec)) return { ...spec.size, panel: fittedPanel(spec, 0), marks: [] };
  const top = panelTop(spec);
  const panel = {
    x: margin + arrowGutter,
    y: top,
    width: spec.size.width - 2 * margin - arrowGutter - width - gap,
    height: spec.size.height - top - margin - arrowGutter,
  };
  return {
    ...spec.size,
    panel,
    marks: [...heading(spec, 'semibold-italic'), ...axisArrows(panel, spec.axes), ...legend(spec, top)],
  };
}

function legend(spec: PairUmapSpec, top: number): Mark[] {
  const { first, second, size, colours } = spec;
  const groups = pairGroups(spec);
  const unit = wrappedLines(spec.unit, width, smallSize);
  // Below the square: the ends of its scale, the name, the unit and the counts, as far as there is room.
  const below = 2 * rowHeight + unit.length * rowHeight;
  const room = size.height - top - keyTop - margin - below;
  const step = Math.max(smallestStep, Math.min(largestStep, Math.floor(room / pairLevels)));
  const side = step * pairLevels;
  const x = size.width - margin - side;
  const y = top + keyTop;
  const left = size.width - margin - width;
  const squares = Array.from({ length: pairLevels ** 2 }, (_, place): Mark => {
    const [right, up] = [Math.floor(place / pairLevels), place % pairLevels];
    return {
      kind: 'rectangle',
      x: x + right * step,
      y: y + (pairLevels - 1 - up) * step,
      width: step,
      height: step,
      colour: colours.shades[pairShade(right, up)]!,
    };
  });
  const text = { kind: 'text', size: smallSize, style: 'regular', colour: inkColour, anchor: 'end' } as const;
  const name = { ...text, style: 'italic', anchor: 'middle' } as const;
  const bottom = y + side;
  const entriesAt = bottom + below + 6;
  const marks: Mark[] = [
    ...squares,
    { ...text, text: endText(second), x: x - 6, y: y + 11 },
    { ...text, text: '0', x: x - 6, y: bottom + 17 },
    { ...text, text: endText(first), x: x + side, y: bottom + 17 },
    named(second, side + 2 * keyTop, {
      ...name,
      x: x - 6 - Math.max(textWidth(endText(second), smallSize), 24) - 8,
      y: y + side / 2,
      upright: true,
    }),
    named(first, width, { ...name, anchor: 'end', x: size.width - margin, y: bottom + 17 + rowHeight }),
    ...unit.flatMap((line, i): Mark[] => [
      { ...text, text: line, x: size.width - margin, y: bottom + 17 + (2 + i) * rowHeight, colour: softInk },
    ]),
  ];
  if (entriesAt + groups.length * rowHeight > size.height - margin) return marks;
  const labelRoom = width - 2 * dotSize - 18 - widestCount(groups);
  const names = fittedNames(
    groups.map(({ label }) => label),
    labelRoom,
    smallSize,
  );
  return [
    ...marks,
    ...groups.flatMap((group, at) =>
      legendEntry(group, [names[at]!], {
        x: left,
        y: entriesAt + at * rowHeight,
        width,
        height: rowHeight,
      }),
    ),
  ];
}

function named({ label }: PairSide, room: number, mark: Omit<TextMark, 'text' | 'full'>): TextMark {
  const text = ellipsised(label, room, smallSize, mark.style);
  return { ...mark, text, ...(text !== label && { full: label }) };
}

function endText({ high, clipped }: PairSide): string {
  return `${clipped ? '≥ ' : ''}${valueText(high)}`;
}
