import type { CommonSpec } from '../drawing/figure.ts';
import { withLeastSize } from '../drawing/least-size.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import { type PlacedName, placedNames } from '../drawing/scene/placed-names.ts';
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
import { ellipsised } from '../drawing/text/fit-text.ts';
import { areTicksClear, tidyTicks, valueText } from '../drawing/text/number-text.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import type { VolcanoSpec } from './spec.ts';

export const volcanoSize = { width: figureWidth, height: 600 } as const;

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;
const leftGutter = 48;
/** Below the panel: numbers, what they are, and the sides. */
const foot = 66;
/** Above it: the name of the threshold. */
const head = 20;
const dash = { length: 5, pitch: 8 } as const;
const radius = { fails: 1.8, passes: 2.4 } as const;

export const volcanoDrawing = withLeastSize<VolcanoSpec>(
  { scene, fit },
  { size: { width: 220, height: 200 }, sentence: ({ summary }) => `Enlarge to see the genes. ${summary}.` },
);

function fit(spec: VolcanoSpec, size: CommonSpec['size']) {
  const fitted = { ...spec, size, fitted: { leftOut: '' } };
  return { spec: { ...fitted, panel: volcanoPanel(fitted) }, isWhole: true };
}

export function volcanoPanel({
  size,
  ...headed
}: Pick<VolcanoSpec, 'size' | 'subtitle' | 'fitted'>): Rectangle {
  const top = panelTop(headed) + head;
  const left = margin + leftGutter;
  return { x: left, y: top, width: size.width - margin - left, height: size.height - top - foot };
}

const colourOf = (direction: number): string =>
  direction === 0 ? notSignificant : direction > 0 ? raised : significant;

function scene(spec: VolcanoSpec): Scene {
  const { panel, axes } = spec;
  const xOf = (change: number): number => panel.x + ((change / axes.foldChange + 1) / 2) * panel.width;
  const yOf = (score: number): number => panel.y + (1 - score / axes.score) * panel.height;
  const named = spec.named.map((gene) => ({
    name: gene.gene,
    direction: gene.direction,
    x: xOf(gene.foldChange),
    y: yOf(gene.score),
    width: textWidth(gene.gene, smallSize, 'italic'),
  }));
  return {
    ...spec.size,
    description: `${spec.title} in ${spec.datasetName}, ${spec.subtitle}: ${spec.summary}`,
    panel,
    marks: [
      ...heading(spec, 'semibold'),
      ...axisMarks(spec, xOf, yOf),
      ...thresholdMarks(spec, xOf, yOf),
      ...spec.points.map(([change, score, direction]): Mark => ({
        kind: 'dot',
        x: xOf(change),
        y: yOf(score),
        radius: direction === 0 ? radius.fails : radius.passes,
        colour: colourOf(direction),
      })),
      ...named.map(({ x, y, direction }): Mark => ({
        kind: 'dot',
        x,
        y,
        radius: radius.passes + 0.8,
        colour: colourOf(direction),
        edge: { width: 0.8, colour: inkColour },
      })),
      ...placedNames(named, panel).map(nameMark),
    ],
  };
}

function nameMark({ name, left, baseline }: PlacedName): TextMark {
  return { ...small, style: 'italic', text: name, x: left, y: baseline, colour: inkColour, anchor: 'start' };
}

type Scale = (value: number) => number;

function axisMarks({ panel, axes, sides, size }: VolcanoSpec, xOf: Scale, yOf: Scale): Mark[] {
  const bottom = panel.y + panel.height;
  const half = panel.width / 2 - 12;
  const name = (text: string, x: number, y: number, anchor: TextMark['anchor'], room: number): TextMark => {
    const shown = ellipsised(text, room, smallSize);
    return { ...small, text: shown, ...(shown !== text && { full: text }), x, y, colour: softInk, anchor };
  };
  return [
    ...changeTicks(axes.foldChange, xOf).flatMap((tick): Mark[] => [
      {
        kind: 'rectangle',
        x: xOf(tick) - 0.5,
        y: panel.y,
        width: 1,
        height: panel.height,
        colour: tick === 0 ? zeroLineColour : gridColour,
      },
      { ...small, text: valueText(tick), x: xOf(tick), y: bottom + 18, colour: inkColour, anchor: 'middle' },
    ]),
    ...[0, ...tidyTicks(0, axes.score, panel.height < 200 ? 2 : 5)].flatMap((tick): Mark[] => [
      {
        kind: 'rectangle',
        x: panel.x,
        y: yOf(tick) - 0.5,
        width: panel.width,
        height: 1,
        colour: tick === 0 ? softInk : gridColour,
      },
      {
        ...small,
        text: valueText(tick),
        x: panel.x - 8,
        y: yOf(tick) + smallSize * 0.36,
        colour: inkColour,
        anchor: 'end',
      },
    ]),
    name('log₂ fold change', panel.x + panel.width / 2, bottom + 37, 'middle', panel.width),
    name(`higher in ${sides.b}`, panel.x, bottom + 57, 'start', half),
    name(`higher in ${sides.a}`, size.width - margin, bottom + 57, 'end', half),
    {
      ...small,
      text: '−log₁₀ adjusted p',
      x: margin + 8,
      y: panel.y + panel.height / 2,
      colour: softInk,
      anchor: 'middle',
      upright: true,
    },
  ];
}

/** The same on both sides of 0, as many as have room for their numbers. */
function changeTicks(most: number, xOf: Scale): number[] {
  for (let wanted = 4; wanted > 0; wanted--) {
    const right = tidyTicks(0, most, wanted);
    const ticks = [...right.toReversed().map((tick) => -tick), 0, ...right];
    if (areTicksClear(ticks, xOf)) return ticks;
  }
  return [0];
}

/** Dashed lines with their values above the panel and at its right. */
function thresholdMarks({ panel, thresholds, axes, size }: VolcanoSpec, xOf: Scale, yOf: Scale): Mark[] {
  const { foldChange, adjustedP } = thresholds;
  const marks: Mark[] = [];
  const texts: string[] = [];
  if (adjustedP > 0 && adjustedP < 1) {
    const y = yOf(-Math.log10(adjustedP));
    for (let x = panel.x; x < panel.x + panel.width; x += dash.pitch) {
      const width = Math.min(dash.length, panel.x + panel.width - x);
      marks.push({ kind: 'rectangle', x, y: y - 0.5, width, height: 1, colour: softInk });
    }
    texts.push(`adjusted p < ${valueText(adjustedP)}`);
  }
  if (foldChange > 0 && foldChange < axes.foldChange) {
    for (const change of [-foldChange, foldChange]) {
      for (let y = panel.y; y < panel.y + panel.height; y += dash.pitch) {
        const height = Math.min(dash.length, panel.y + panel.height - y);
        marks.push({ kind: 'rectangle', x: xOf(change) - 0.5, y, width: 1, height, colour: softInk });
      }
    }
    texts.push(`|log₂ fold change| ≥ ${valueText(foldChange)}`);
  }
  const text = ellipsised(`Coloured: ${texts.join(', ') || 'all'}`, size.width - 2 * margin, smallSize);
  return [
    ...marks,
    { ...small, text, x: size.width - margin, y: panel.y - 7, colour: softInk, anchor: 'end' },
  ];
}
