import type { Mark, TextMark } from '../scene/scene.ts';
import { inkColour, legendGrey, margin, smallSize, softInk } from '../scene/style.ts';
import { ellipsised } from '../text/fit-text.ts';
import { valueText } from '../text/number-text.ts';
import { textWidth } from '../text/text-width.ts';
import type { GeneMatrixLayout } from './layout.ts';
import { dotArea, legendFractions, meanColour } from './scales.ts';
import type { GeneMatrixSpec } from './spec.ts';

export const legendLineHeight = 22;
export const maxLineRadius = 10;
const barWidth = 56;
const barHeight = 10;
const gap = 6;
const partGap = 18;
const small = { kind: 'text', size: smallSize, style: 'regular', anchor: 'start' } as const;

interface LinePart {
  width: number;
  marks(x: number): readonly Mark[];
}

export function legendLine(spec: GeneMatrixSpec, { legend, radius, size }: GeneMatrixLayout): Mark[] {
  const middle = legend.y + legendLineHeight / 2;
  const end = size.width - margin;
  const marks: Mark[] = [];
  let { x } = legend;
  const add = ({ width, marks: at }: LinePart): void => {
    marks.push(...at(x));
    x += width;
  };
  if (spec.violins) {
    const { domain, unit } = spec.violins;
    add(textPart(ellipsised(`each column ${endsOf(domain)}, ${unit}`, end - x, smallSize), middle));
    return marks;
  }
  if (spec.marks === undefined) for (const part of sizeParts(spec, radius, middle)) add(part);
  const bar = barPart(spec, middle);
  const text = colourTexts(spec).find((candidate) => x + bar.width + textWidth(candidate, smallSize) <= end);
  if (text !== undefined) for (const part of [bar, textPart(text, middle)]) add(part);
  return marks;
}

function sizeParts({ dotMax }: GeneMatrixSpec, radius: number, middle: number): LinePart[] {
  const all = legendFractions(dotMax);
  const shown = [...new Set([all[Math.floor((all.length - 1) / 2)]!, all.at(-1)!])];
  return shown.flatMap((fraction, i): LinePart[] => {
    const own = radius * Math.sqrt(dotArea(fraction, dotMax));
    const isLast = i === shown.length - 1;
    return [
      {
        width: 2 * own + gap,
        marks: (x) => [
          {
            kind: 'dot',
            x: x + own,
            y: middle,
            radius: own,
            colour: legendGrey,
            edge: { width: Math.min(0.7, 0.3 * own), colour: softInk },
          },
        ],
      },
      textPart(`${Math.round(100 * fraction)}${isLast ? ' % of cells' : ''}`, middle, isLast ? partGap : gap),
    ];
  });
}

function barPart({ colours }: GeneMatrixSpec, middle: number): LinePart {
  const shades = Array.from({ length: 64 }, (_, i) => meanColour((i + 0.5) / 64, [0, 1], colours.ramp));
  const bar = { kind: 'ramp', y: middle - barHeight / 2, width: barWidth, height: barHeight } as const;
  return { width: barWidth + gap, marks: (x) => [{ ...bar, x, shades, across: true }] };
}

function colourTexts({ cells, isScaled, meanDomain }: GeneMatrixSpec): readonly string[] {
  const ends = isScaled ? '0 to 1' : endsOf(meanDomain);
  const prefix = isScaled ? 'each gene ' : '';
  return [
    `${cells ? 'expression' : 'mean'}${isScaled ? ',' : ''} ${prefix}${ends}`,
    `${prefix}${ends}`,
    ends,
  ];
}

function endsOf([low, high]: readonly [number, number]): string {
  return high > low ? `${valueText(low)} to ${valueText(high)}` : valueText(low);
}

function textPart(text: string, middle: number, after = 0): LinePart {
  const y = middle + smallSize * 0.36;
  const mark = (x: number): TextMark => ({ ...small, text, x, y, colour: inkColour });
  return { width: textWidth(text, smallSize) + after, marks: (x) => [mark(x)] };
}
