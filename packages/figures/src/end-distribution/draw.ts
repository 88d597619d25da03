import type { EndCounts } from '@cellfolio/analysis';
import { countText } from '@cellfolio/model';
import { z } from 'zod';
import { endsText } from '../decile-input.ts';
import { FigureInputError } from '../drawing/checked-input.ts';
import { sideColours } from '../drawing/samples/sample-figure.ts';
import { notSignificant, paperColour, smallSize } from '../drawing/scene/style.ts';
import { cleanLabel, ellipsised } from '../drawing/text/fit-text.ts';
import { valueText } from '../drawing/text/number-text.ts';
import { figureKind } from '../figure-kind.ts';
import type { Chart } from '../frame/frame.ts';
import { shapeLine } from '../frame/legend.ts';
import { box, label, type Mark, type Plane } from '../marks.ts';
import type { InputValues } from '../plot.ts';
import { common, count, number, type SpecOf, text } from '../plot-words.ts';
import { endDistribution } from './declare.ts';

const end = z.object({ cells: count, share: z.number(), tied: count });
const counts = z.tuple([count, count, count]);

const numbers = z.object({
  kind: z.literal('end-distribution'),
  ...common,
  subtitle: text,
  /** Requested per cent. */
  share: z.number(),
  high: end,
  low: end,
  range: z.tuple([number, number]),
  floor: z.object({ value: number, cells: counts }).optional(),
});

export type Numbers = z.output<typeof numbers>;

/** Number of cells in the lowest end, in neither, and in the highest. */
type EndCells = readonly [low: number, other: number, high: number];

export interface Spec extends SpecOf<{ numbers: typeof numbers }, 'range' | 'floor'> {
  subtitle: string;
  range: readonly [number, number];
  bins: readonly EndCells[];
  /** The minimum, if many cells share it; those are not in any bin. */
  floor?: { value: number; cells: EndCells };
}

/** Cells by value, with both ends marked. Throws FigureInputError if no cell was ranked. */
function decide({ ends }: Pick<InputValues, 'ends'>) {
  const { high, low, histogram, share } = ends;
  const { range, bins, floor } = histogram;
  if (bins.length === 0 && !floor) throw new FigureInputError('histogram', 'no cell has a value');
  return {
    title: cleanLabel(ends.title),
    subtitle: cleanLabel(endsText(ends)),
    summary: `${countText(high.cells)} cells in the highest end, ${countText(low.cells)} in the lowest`,
    share,
    high,
    low,
    range,
    bins: bins.map(endCells),
    ...(floor && { floor: { value: floor.value, cells: endCells(floor.counts) } }),
  };
}

function endCells({ low, other, high }: EndCounts): EndCells {
  return [low, other, high];
}

const colours = [sideColours.b, notSignificant, sideColours.a] as const;
/** A bar at the floor that is higher than the highest other bar by this factor is cut. */
const cutFrom = 2;

const cellsOf = (bin: EndCells): number => bin[0] + bin[1] + bin[2];

function chart({ title, bins, floor, range }: Spec): Chart {
  const highest = Math.max(1, ...bins.map(cellsOf));
  const atFloor = floor ? cellsOf(floor.cells) : 0;
  const isCut = bins.length > 0 && atFloor > cutFrom * highest;
  const width = (range[1] - range[0]) / Math.max(1, bins.length) || 1;
  const stepIn = ({ x }: Plane): number => x(range[0] + width) - x(range[0]);
  const marks: Mark[] = [
    (plane) => {
      const step = stepIn(plane);
      return bins.flatMap((bin, i) => stackedBar(bin, plane.x(range[0]) + i * step, step, plane.y));
    },
  ];
  if (floor) {
    marks.push((plane) => {
      const step = stepIn(plane);
      const x = plane.x(floor.value) - step;
      if (!isCut) return stackedBar(floor.cells, x, step, plane.y);
      const { y, height } = plane.panel;
      // The parts of a bar that is cut share the height of the panel.
      const up = (cells: number): number => y + height - (cells / atFloor) * height;
      return [
        ...stackedBar(floor.cells, x, step, up),
        ...cutMarks(`${countText(atFloor)} cells at ${valueText(floor.value)}`, x, step, plane),
      ];
    });
  }
  return {
    x: { domain: [floor ? floor.value - 1.5 * width : range[0], range[1]], name: title },
    // A bar that is cut leaves room above the others for its text.
    y: { domain: [0, isCut ? 1.2 * highest : 1.05 * Math.max(highest, atFloor)], name: 'cells' },
    legend: shapeLine([
      { label: 'highest end', shape: 1, colour: sideColours.a },
      { label: 'lowest end', shape: 1, colour: sideColours.b },
      { label: 'others', shape: 1, colour: notSignificant },
    ]),
    marks,
  };
}

/** Pixels of a bar in bins of this width. */
const barWidth = (step: number): number => Math.max(1, step - 1);

function stackedBar(cells: EndCells, x: number, step: number, up: (cells: number) => number) {
  let below = 0;
  return cells.flatMap((count, part) => {
    const bottom = up(below);
    below += count;
    return box(x, up(below), barWidth(step), bottom - up(below), colours[part]!);
  });
}

/** Two gaps near the top of a bar, and its text. */
function cutMarks(caption: string, x: number, step: number, { panel }: Plane) {
  const width = barWidth(step);
  const room = panel.width - (x - panel.x) - width - 8;
  const shown = ellipsised(caption, room, smallSize);
  return [
    ...[12, 17].flatMap((down) => box(x - 2, panel.y + down, width + 4, 2, paperColour)),
    label(shown, { x: x + width + 7, y: panel.y + 15 }, caption),
  ];
}

export const figure = figureKind<Spec, typeof endDistribution>(endDistribution, {
  numbers,
  decide,
  chart,
  file: { height: 470 },
  sentence: ({ summary }) => `Enlarge to see ${summary}.`,
});
