import { countText } from '@cellfolio/model';
import { darkExpressionRamp } from '../drawing/colour/ramps.ts';
import { withLeastSize } from '../drawing/least-size.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import type { Mark, Rectangle, Scene, TextMark } from '../drawing/scene/scene.ts';
import { figureWidth, gridColour, inkColour, margin, smallSize, softInk } from '../drawing/scene/style.ts';
import { ellipsised } from '../drawing/text/fit-text.ts';
import { tidyTicks, valueText } from '../drawing/text/number-text.ts';
import { type GeneAxis, type GeneScatterSpec, scatterBins } from './spec.ts';

export const scatterSize = { width: figureWidth, height: 560 } as const;

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;
const leftGutter = 62;
const bottomGutter = 48;
/** Beside the squares: the colour bar with its numbers. */
const barGutter = 84;
const barWidth = 12;
/** Between the numbers of the bar. */
const clearance = 20;
/** Smaller figures have no colour bar. */
const barFrom = { width: 300, height: 220 } as const;

export const geneScatterDrawing = withLeastSize<GeneScatterSpec>(
  {
    scene,
    fit: (spec, size) => ({ spec: { ...spec, size, fitted: { leftOut: '' } }, isWhole: true }),
    dark: () => ({ colours: { ramp: darkExpressionRamp } }),
  },
  { size: { width: 200, height: 160 }, sentence: ({ cells }) => `Enlarge to see ${countText(cells)} cells.` },
);

/** Shade of a number of cells: by its logarithm, as most cells express neither gene. */
function shadeOf(cells: number, most: number, ramp: readonly string[]): string {
  const part = most > 1 ? Math.log(cells) / Math.log(most) : 1;
  return ramp[Math.round(Math.min(1, part) * (ramp.length - 1))]!;
}

function scene(spec: GeneScatterSpec): Scene {
  const { size } = spec;
  const top = panelTop(spec);
  const hasBar = size.width >= barFrom.width && size.height >= barFrom.height && spec.cells > 0;
  const side = Math.min(
    size.width - margin - leftGutter - (hasBar ? barGutter : 8) - margin,
    size.height - top - bottomGutter - margin / 2,
  );
  const panel = { x: margin + leftGutter, y: top + 6, width: side, height: side };
  const most = spec.squares.reduce((greatest, [, , cells]) => Math.max(greatest, cells), 1);
  const step = side / scatterBins;
  return {
    ...size,
    description: `${spec.title} in ${spec.datasetName}: ${spec.summary}`,
    panel,
    marks: [
      ...heading(spec, spec.both === undefined ? 'semibold' : 'semibold-italic'),
      ...axes(spec, panel),
      ...spec.squares.map(([column, row, cells]): Mark => ({
        kind: 'rectangle',
        x: panel.x + column * step,
        y: panel.y + (scatterBins - 1 - row) * step,
        width: step - 0.4,
        height: step - 0.4,
        colour: shadeOf(cells, most, spec.colours.ramp),
      })),
      ...(hasBar ? colourBar(panel, most, spec.colours.ramp) : []),
    ],
  };
}

function axes({ x, y }: GeneScatterSpec, panel: Rectangle): Mark[] {
  const bottom = panel.y + panel.height;
  const wanted = panel.width < 200 ? 2 : 4;
  const at = (value: number, [low, high]: readonly [number, number]): number =>
    high > low ? (value - low) / (high - low) : 0;
  const ticks = ([low, high]: readonly [number, number]): number[] =>
    high > low ? [...(low === 0 ? [0] : []), ...tidyTicks(low, high, wanted)] : [low];
  const name = (
    { symbol, expressing }: GeneAxis,
    room: number,
  ): Pick<TextMark, 'text' | 'style' | 'full'> => {
    // As in print, symbols of genes alone are in italics.
    const style = expressing === undefined ? 'regular' : 'italic';
    const text = ellipsised(symbol, room, smallSize, style);
    return { text, style, ...(text !== symbol && { full: symbol }) };
  };
  return [
    { kind: 'rectangle', x: panel.x - 1, y: panel.y, width: 1, height: panel.height, colour: softInk },
    { kind: 'rectangle', x: panel.x - 1, y: bottom, width: panel.width + 1, height: 1, colour: softInk },
    ...ticks(x.domain).flatMap((tick): Mark[] => {
      const left = panel.x + at(tick, x.domain) * panel.width;
      return [
        {
          kind: 'rectangle',
          x: left - 0.5,
          y: panel.y,
          width: 1,
          height: panel.height + 4,
          colour: gridColour,
        },
        { ...small, text: valueText(tick), x: left, y: bottom + 18, colour: inkColour, anchor: 'middle' },
      ];
    }),
    ...ticks(y.domain).flatMap((tick): Mark[] => {
      const height = bottom - at(tick, y.domain) * panel.height;
      return [
        {
          kind: 'rectangle',
          x: panel.x - 4,
          y: height - 0.5,
          width: panel.width + 4,
          height: 1,
          colour: gridColour,
        },
        {
          ...small,
          text: valueText(tick),
          x: panel.x - 8,
          y: height + smallSize * 0.36,
          colour: inkColour,
          anchor: 'end',
        },
      ];
    }),
    {
      ...small,
      ...name(x, panel.width),
      x: panel.x + panel.width / 2,
      y: bottom + 40,
      colour: inkColour,
      anchor: 'middle',
    },
    {
      ...small,
      ...name(y, panel.height),
      x: margin + 12,
      y: panel.y + panel.height / 2,
      colour: inkColour,
      anchor: 'middle',
      upright: true,
    },
  ];
}

function colourBar(panel: Rectangle, most: number, shades: readonly string[]): Mark[] {
  const x = panel.x + panel.width + 18;
  const y = panel.y + 30;
  const height = Math.min(140, panel.height - 44);
  const ends = most > 1 ? [1, ...powers(most, height), most] : [1];
  const of = (cells: number): number => (most > 1 ? Math.log(cells) / Math.log(most) : 0);
  return [
    { ...small, text: 'cells', x, y: y - 16, colour: softInk, anchor: 'start' },
    { kind: 'ramp', x, y, width: barWidth, height, shades },
    ...ends.map((cells): TextMark => ({
      kind: 'text',
      size: smallSize,
      style: 'regular',
      text: countText(cells),
      x: x + barWidth + 6,
      y: y + height - of(cells) * height + smallSize * 0.36,
      colour: inkColour,
      anchor: 'start',
    })),
  ];
}

/** Powers of ten between 1 and the most that keep clear of both and of each other, in a bar of this height. */
function powers(most: number, height: number): number[] {
  const digits = Math.log10(most);
  const stride = Math.max(1, Math.ceil((clearance * digits) / height));
  const all: number[] = [];
  for (let power = stride; ((digits - power) / digits) * height >= clearance; power += stride)
    all.push(10 ** power);
  return all;
}
