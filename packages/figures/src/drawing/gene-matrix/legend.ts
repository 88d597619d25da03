import type { GeneMatrixSpec } from './spec.ts';
import type { Mark } from '../scene/scene.ts';
import { inkColour, legendGrey, softInk, smallSize } from '../scene/style.ts';
import { valueText } from '../text/number-text.ts';
import { isWhole, wrappedLines } from '../text/fit-text.ts';
import { textWidth } from '../text/text-width.ts';
import { legendGap, legendHeightOf } from './layout.ts';
import type { GeneMatrixLayout } from './layout.ts';
import { legendLine } from './legend-line.ts';
import { lineHeight } from './name-setting.ts';
import { legendTitle, rampLegend } from './ramp-legend.ts';
import { dotArea, legendFractions } from './scales.ts';

const tickLength = 4;
const greyEdge = { width: 0.7, colour: softInk } as const;
const colourHeight = 82;
const small = { kind: 'text', size: smallSize, style: 'regular' } as const;

export function geneMatrixLegend(spec: GeneMatrixSpec, layout: GeneMatrixLayout): Mark[] {
  const { x, y, width, place } = layout.legend;
  if (place === 'none') return [];
  if (place === 'line') return legendLine(spec, layout);
  if (spec.violins !== undefined) return axisLegend(spec.violins, layout);
  if (spec.marks === 'tiles' || spec.cells) return colourLegend(spec, x, y, width);
  const sizes = sizeLegend(spec, layout, x, y);
  return place === 'beside'
    ? [...sizes, ...colourLegend(spec, x, y + legendHeightOf(layout.radius) - colourHeight, width)]
    : [...sizes, ...colourLegend(spec, x + width + legendGap, y, width)];
}

function axisLegend(
  { domain: [low, high], unit }: NonNullable<GeneMatrixSpec['violins']>,
  { legend: { x, y, width } }: GeneMatrixLayout,
): Mark[] {
  const length = Math.min(110, width - 16);
  const top = y + 2 * lineHeight + 10;
  const titleLines = wrappedLines(unit, width, smallSize);
  const end = (value: number, at: number): Mark[] => [
    { kind: 'rectangle', x: at - 0.5, y: top, width: 1, height: tickLength + 2, colour: softInk },
    {
      ...small,
      text: valueText(value),
      x: at,
      y: top + tickLength + 17,
      colour: inkColour,
      anchor: 'middle',
    },
  ];
  return [
    ...legendTitle(['Every column;', 'line = median'], x, y),
    { kind: 'rectangle', x, y: top, width: length, height: 1, colour: softInk },
    ...end(low, x + 0.5),
    ...(high > low ? end(high, x + length - 0.5) : []),
    ...titleLines.flatMap((text, i): Mark[] => [
      {
        ...small,
        text,
        ...(!isWhole(titleLines, unit) && { full: unit }),
        x,
        y: top + tickLength + 38 + i * lineHeight,
        colour: softInk,
        anchor: 'start',
      },
    ]),
  ];
}

function sizeLegend(
  spec: GeneMatrixSpec,
  { radius, legend }: GeneMatrixLayout,
  x: number,
  y: number,
): Mark[] {
  const all = legendFractions(spec.dotMax);
  const pitch = Math.max(2 * radius + 5, textWidth('100', smallSize) + 4);
  // Every second or third of them where all would need more than the legend has, the largest always.
  const stride = Math.ceil((all.length * pitch - 4) / legend.width);
  const fractions = all.filter((_, i) => (all.length - 1 - i) % stride === 0);
  const middle = y + 2 * lineHeight + 4 + radius;
  return [
    ...legendTitle(['Fraction of cells', 'in group (%)'], x, y),
    ...fractions.flatMap((fraction, i): Mark[] => {
      const at = x + radius + i * pitch;
      return [
        {
          kind: 'dot',
          x: at,
          y: middle,
          radius: radius * Math.sqrt(dotArea(fraction, spec.dotMax)),
          colour: legendGrey,
          edge: greyEdge,
        },
        {
          ...small,
          text: String(Math.round(100 * fraction)),
          x: at,
          y: middle + radius + 17,
          colour: inkColour,
          anchor: 'middle',
        },
      ];
    }),
  ];
}

function colourTitle({ cells, isScaled }: GeneMatrixSpec): readonly [string, string] {
  if (cells) return isScaled ? ['Each gene', 'from 0 to 1'] : ['Expression', 'of a cell'];
  return isScaled ? ['Mean, each gene', 'from 0 to 1'] : ['Mean expression', 'in group'];
}

function colourLegend(spec: GeneMatrixSpec, x: number, y: number, width: number): Mark[] {
  const { meanDomain: domain, colours } = spec;
  return rampLegend({ title: colourTitle(spec), domain, ramp: colours.ramp, x, y, width });
}
