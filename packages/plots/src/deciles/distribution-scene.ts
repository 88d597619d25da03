import { countText } from '@cellfolio/model';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import { legendLine } from '../drawing/samples/legend-line.ts';
import { sideColours } from '../drawing/samples/sample-figure.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import { axisGutter, planeAxes, scalesOf } from '../drawing/scene/plane-axes.ts';
import type { Mark, Rectangle, Scene } from '../drawing/scene/scene.ts';
import {
  figureWidth,
  inkColour,
  margin,
  notSignificant,
  paperColour,
  smallSize,
} from '../drawing/scene/style.ts';
import { ellipsised } from '../drawing/text/fit-text.ts';
import { valueText } from '../drawing/text/number-text.ts';
import type { SpecOf } from '../plot-words.ts';
import type { endDistributionWords } from './words.ts';

/** Number of cells in the lowest end, in neither, and in the highest. */
export type EndCells = readonly [low: number, other: number, high: number];

export interface EndDistributionSpec extends SpecOf<typeof endDistributionWords, 'range' | 'floor'> {
  range: readonly [number, number];
  bins: readonly EndCells[];
  /** The minimum, if many cells share it; those are not in any bin. */
  floor?: { value: number; cells: EndCells };
}

export const endDistributionSize = { width: figureWidth, height: 470 } as const;

const head = 30;
const cutFrom = 2;
const colours = [sideColours.b, notSignificant, sideColours.a] as const;

export const endDistributionDrawing = withMinimumSize<EndDistributionSpec>(
  { scene, fit: (spec, size) => ({ spec: { ...spec, size, fitted: { leftOut: '' } }, isWhole: true }) },
  { size: { width: 240, height: 190 }, sentence: ({ summary }) => `Enlarge to see ${summary}.` },
);

const cellsOf = (bin: EndCells): number => bin[0] + bin[1] + bin[2];

function scene(spec: EndDistributionSpec): Scene {
  const { size, bins, floor, range } = spec;
  const top = panelTop(spec) + head;
  const left = margin + axisGutter.left;
  const panel = {
    x: left,
    y: top,
    width: size.width - margin - left - 8,
    height: size.height - top - axisGutter.bottom - margin / 2,
  };
  const highest = Math.max(1, ...bins.map(cellsOf));
  const atFloor = floor ? cellsOf(floor.cells) : 0;
  const isCut = bins.length > 0 && atFloor > cutFrom * highest;
  // Room above the bars for the words about the one that is cut.
  const up = [0, isCut ? 1.2 * highest : 1.05 * Math.max(highest, atFloor)] as const;
  const width = (range[1] - range[0]) / Math.max(1, bins.length) || 1;
  const across = [floor ? floor.value - 1.5 * width : range[0], range[1]] as const;
  const { xOf } = scalesOf(panel, across, up);
  const step = xOf(width) - xOf(0);
  const bar = { panel, up, width: Math.max(1, step - 1) };
  return {
    ...size,
    panel,
    marks: [
      ...heading(spec, 'semibold'),
      ...legendLine(
        [
          { label: 'highest end', shape: 1, colour: sideColours.a },
          { label: 'lowest end', shape: 1, colour: sideColours.b },
          { label: 'others', shape: 1, colour: notSignificant },
        ],
        { x: panel.x, y: panel.y - 10, width: panel.width },
      ),
      ...planeAxes(panel, {
        x: { domain: across, name: { text: spec.title, style: 'regular' } },
        y: { domain: up, name: { text: 'cells', style: 'regular' } },
      }),
      ...bins.flatMap((bin, at) => stackedBar(bin, xOf(range[0]) + at * step, bar)),
      ...(floor ? floorBar(floor, xOf(floor.value) - step, bar, isCut) : []),
    ],
  };
}

interface Bar {
  panel: Rectangle;
  up: readonly [number, number];
  width: number;
}

function stackedBar(bin: EndCells, x: number, { panel, up, width }: Bar): Mark[] {
  const { yOf } = scalesOf(panel, [0, 1], up);
  let below = 0;
  return bin.flatMap((cells, part): Mark[] => {
    const from = below;
    below += cells;
    if (cells === 0) return [];
    const y = yOf(below);
    return [{ kind: 'rectangle', x, y, width, height: yOf(from) - y, colour: colours[part]! }];
  });
}

function floorBar(
  { value, cells }: NonNullable<EndDistributionSpec['floor']>,
  x: number,
  bar: Bar,
  isCut: boolean,
): Mark[] {
  if (!isCut) return stackedBar(cells, x, bar);
  const { panel, width } = bar;
  const all = cellsOf(cells);
  const caption = `${countText(all)} cells at ${valueText(value)}`;
  const room = panel.width - (x - panel.x) - width - 8;
  return [
    ...stackedBar(cells, x, { ...bar, up: [0, all] }),
    ...[12, 17].map((down): Mark => ({
      kind: 'rectangle',
      x: x - 2,
      y: panel.y + down,
      width: width + 4,
      height: 2,
      colour: paperColour,
    })),
    {
      kind: 'text',
      size: smallSize,
      style: 'regular',
      text: ellipsised(caption, room, smallSize),
      x: x + width + 7,
      y: panel.y + 15,
      colour: inkColour,
      anchor: 'start',
    },
  ];
}
