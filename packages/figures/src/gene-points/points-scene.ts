import type { CommonSpec } from '../drawing/figure.ts';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import { edgeBetween } from '../drawing/scene/lines.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import type { Mark, Rectangle, Scene, TextMark } from '../drawing/scene/scene.ts';
import {
  figureWidth,
  gridColour,
  inkColour,
  margin,
  notSignificant,
  raised,
  significant,
  smallSize,
  softInk,
  zeroLineColour,
} from '../drawing/scene/style.ts';
import { ellipsised, sharedRoom } from '../drawing/text/fit-text.ts';
import { areTicksClear, tidyTicks, valueText } from '../drawing/text/number-text.ts';
import { textWidth, widest } from '../drawing/text/text-width.ts';
import type { ComparedGene, Thresholds } from './compared-genes.ts';
import { type PlacedName, placedNames } from '../drawing/scene/placed-names.ts';
import type { PointsSpec } from './points-spec.ts';

export const pointsSize = { width: figureWidth, height: 600 } as const;

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;
const leftGutter = 48;
const foot = 66;
const head = 20;
const sideGap = 24;
const nothingTested = 'No gene was tested.';
const dash = { length: 5, pitch: 8 } as const;
const radius = { fails: 1.8, passes: 2.4 } as const;
const nameHalf = 3.5;
/** Maximum distance of a name from its point: beyond it a leader is hard to follow. */
const leaderReach = 90;

interface PointsLayout<Spec extends PointsSpec> {
  axes(spec: Spec): { x: PointsAxis; y: PointsAxis };
  place(gene: Spec['named'][number], spec: Spec): readonly [x: number, y: number];
  ends(spec: Spec): readonly [string, string];
}

interface PointsAxis {
  title: string;
  range: readonly [low: number, high: number];
  isSigned?: true;
  lines: readonly number[];
}

export function pointsDrawing<Spec extends PointsSpec>(layout: PointsLayout<Spec>) {
  return withMinimumSize<Spec>(
    { scene: (spec) => scene(spec, layout), fit },
    { size: { width: 220, height: 200 }, sentence: ({ summary }) => `Enlarge to see the genes. ${summary}.` },
  );
}

function fit<Spec extends PointsSpec>(spec: Spec, size: CommonSpec['size']) {
  const fitted = { ...spec, size, fitted: { leftOut: '' } };
  return { spec: { ...fitted, panel: pointsPanel(fitted) }, isWhole: true };
}

export function pointsPanel({
  size,
  ...headed
}: Pick<PointsSpec, 'size' | 'subtitle' | 'fitted' | 'noteLines'>): Rectangle {
  const top = panelTop(headed) + head;
  const left = margin + leftGutter;
  return { x: left, y: top, width: size.width - margin - left, height: size.height - top - foot };
}

const colourOf = (direction: number): string =>
  direction === 0 ? notSignificant : direction > 0 ? raised : significant;

type Scale = (value: number) => number;

function scene<Spec extends PointsSpec>(spec: Spec, layout: PointsLayout<Spec>): Scene {
  const { panel } = spec;
  if (spec.tested === 0) {
    const { x, y } = panel;
    const nothing = {
      ...small,
      text: nothingTested,
      x,
      y: y + 22,
      colour: inkColour,
      anchor: 'start',
    } as const;
    return { ...spec.size, panel, marks: [...heading(spec, 'semibold'), nothing] };
  }
  const { x, y } = layout.axes(spec);
  const part = (value: number, [low, high]: PointsAxis['range']): number => (value - low) / (high - low);
  const xOf: Scale = (value) => panel.x + part(value, x.range) * panel.width;
  const yOf: Scale = (value) => panel.y + (1 - part(value, y.range)) * panel.height;
  const named = spec.named.map((gene: ComparedGene) => {
    const [atX, atY] = layout.place(gene, spec);
    const width = textWidth(gene.gene, smallSize, 'italic');
    return { ...gene, name: gene.gene, x: xOf(atX), y: yOf(atY), width };
  });
  return {
    ...spec.size,
    panel,
    marks: [
      ...heading(spec, 'semibold'),
      ...gridMarks(panel, { axis: x, of: xOf }, { axis: y, of: yOf }),
      ...titleMarks(spec, [x.title, y.title], layout.ends(spec)),
      ...thresholdMarks(
        panel,
        x.lines.map(xOf),
        y.lines.map((line) => yOf(line)),
      ),
      thresholdText(spec),
      ...spec.points.map(([atX, atY, direction]): Mark => ({
        kind: 'dot',
        x: xOf(atX),
        y: yOf(atY),
        radius: direction === 0 ? radius.fails : radius.passes,
        colour: colourOf(direction),
      })),
      ...named.map((gene): Mark => ({
        kind: 'dot',
        x: gene.x,
        y: gene.y,
        radius: radius.passes + 0.8,
        colour: colourOf(gene.direction),
        edge: { width: 0.8, colour: inkColour },
      })),
      ...placedNames(named, panel, nameHalf, leaderReach).flatMap(nameMarks),
    ],
  };
}

function nameMarks({ name, left, baseline, leader }: PlacedName): Mark[] {
  return [
    ...(leader ? edgeBetween(leader.from, leader.to, { width: 0.8, colour: softInk }) : []),
    { ...small, style: 'italic', text: name, x: left, y: baseline, colour: inkColour, anchor: 'start' },
  ];
}

interface Scaled {
  axis: PointsAxis;
  of: Scale;
}

function gridMarks(panel: Rectangle, x: Scaled, y: Scaled): Mark[] {
  const bottom = panel.y + panel.height;
  return [
    ...xTicks(x).flatMap((tick): Mark[] => [
      {
        kind: 'rectangle',
        x: x.of(tick) - 0.5,
        y: panel.y,
        width: 1,
        height: panel.height,
        colour: tick === 0 && x.axis.isSigned ? zeroLineColour : gridColour,
      },
      { ...small, text: valueText(tick), x: x.of(tick), y: bottom + 18, colour: inkColour, anchor: 'middle' },
    ]),
    ...yTicks(y.axis, panel.height < 200 ? 2 : 5).flatMap((tick): Mark[] => [
      {
        kind: 'rectangle',
        x: panel.x,
        y: y.of(tick) - 0.5,
        width: panel.width,
        height: 1,
        colour: tick !== 0 ? gridColour : y.axis.isSigned ? zeroLineColour : softInk,
      },
      {
        ...small,
        text: valueText(tick),
        x: panel.x - 8,
        y: y.of(tick) + smallSize * 0.36,
        colour: inkColour,
        anchor: 'end',
      },
    ]),
  ];
}

function xTicks({ axis, of }: Scaled): number[] {
  const [low, high] = axis.range;
  for (let count = axis.isSigned ? 4 : 6; count > 0; count--) {
    const ticks = axis.isSigned ? mirrored(tidyTicks(0, high, count)) : tidyTicks(low, high, count);
    if (areTicksClear(ticks, of)) return ticks;
  }
  return axis.isSigned ? [0] : [];
}

function mirrored(right: readonly number[]): number[] {
  return [...right.toReversed().map((tick) => -tick), 0, ...right];
}

function yTicks({ range: [low, high] }: PointsAxis, count: number): number[] {
  return low === 0 ? [0, ...tidyTicks(0, high, count)] : tidyTicks(low, high, count);
}

function titleMarks(
  { panel, size }: PointsSpec,
  [xTitle, yTitle]: readonly [string, string],
  [start, end]: readonly [string, string],
): Mark[] {
  const bottom = panel.y + panel.height;
  const right = size.width - margin;
  // Long names may begin below the axis as well.
  const left = widest([start]) + widest([end]) + sideGap > panel.width ? margin : panel.x;
  const [startRoom, endRoom] = sharedRoom([start, end], right - left);
  const name = (text: string, x: number, y: number, anchor: TextMark['anchor'], room: number): TextMark => {
    const shown = ellipsised(text, room, smallSize);
    return { ...small, text: shown, ...(shown !== text && { full: text }), x, y, colour: softInk, anchor };
  };
  return [
    name(xTitle, panel.x + panel.width / 2, bottom + 37, 'middle', panel.width),
    name(start, left, bottom + 57, 'start', startRoom),
    name(end, right, bottom + 57, 'end', endRoom),
    {
      ...small,
      text: ellipsised(yTitle, panel.height, smallSize),
      x: margin + 8,
      y: panel.y + panel.height / 2,
      colour: softInk,
      anchor: 'middle',
      upright: true,
    },
  ];
}

function thresholdMarks(panel: Rectangle, upright: readonly number[], level: readonly number[]): Mark[] {
  const marks: Mark[] = [];
  for (const y of level) {
    for (let x = panel.x; x < panel.x + panel.width; x += dash.pitch) {
      const width = Math.min(dash.length, panel.x + panel.width - x);
      marks.push({ kind: 'rectangle', x, y: y - 0.5, width, height: 1, colour: softInk });
    }
  }
  for (const x of upright) {
    for (let y = panel.y; y < panel.y + panel.height; y += dash.pitch) {
      const height = Math.min(dash.length, panel.y + panel.height - y);
      marks.push({ kind: 'rectangle', x: x - 0.5, y, width: 1, height, colour: softInk });
    }
  }
  return marks;
}

function thresholdText({ thresholds, size, panel }: PointsSpec): Mark {
  const { adjustedP, foldChange } = thresholds;
  const texts = [
    ...(adjustedP > 0 && adjustedP < 1 ? [`adjusted p < ${valueText(adjustedP)}`] : []),
    ...(foldChange > 0 ? [`|log₂ fold change| ≥ ${valueText(foldChange)}`] : []),
  ];
  const text = ellipsised(`Colored: ${texts.join(', ') || 'all'}`, size.width - 2 * margin, smallSize);
  return { ...small, text, x: size.width - margin, y: panel.y - 7, colour: softInk, anchor: 'end' };
}

export function foldChangeLines({ foldChange }: Thresholds, maxChange: number): number[] {
  return foldChange > 0 && foldChange < maxChange ? [-foldChange, foldChange] : [];
}
