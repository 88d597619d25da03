import type { CommonSpec, Drawing } from '../figure.ts';
import { withLeastSize } from '../least-size.ts';
import { centredWithin, heading } from '../scene/panel.ts';
import type { AreaMark, Mark, TextMark, VectorScene } from '../scene/scene.ts';
import {
  gridColour,
  inkColour,
  paperColour,
  softInk,
  zeroLineColour,
  margin,
  smallSize,
} from '../scene/style.ts';
import { ellipsised, wrappedWords } from '../text/fit-text.ts';
import { fitText, valueText } from '../text/number-text.ts';
import { textWidth } from '../text/text-width.ts';
import { densityPoints, swarmOffsets } from './density.ts';
import type { ViolinGroup, ViolinSpec } from './violin-groups.ts';
import { cellsHead, shareHead, violinLayout, violinsThatFit } from './violin-layout.ts';
import type { ViolinLayout } from './violin-layout.ts';

type Marks = (Mark | AreaMark)[];

const labelLine = 16;
/** From the middle of a line of type down to its baseline. */
const toBaseline = smallSize * 0.36;
/** Part of the height of a row that the thickest place of a violin takes, to each side. */
const halfHeight = 0.43;
const pointRadius = 3;
/** Two rows, and shapes as wide as a word. */
const leastSize = { width: 200, height: 150 } as const;
/** Keeps the thin tails of a violin in one piece. */
const minHalfHeight = 0.5;

/**
 * A row for each group: name, cells, its violin with the quartiles (bar) and the median (dot) inside, and the share
 * of cells that express a gene. A group of one value is a stroke, one of few cells its cells and a stroke at their
 * median. In little room the largest groups stay.
 */
export function violinDrawing<Spec extends ViolinSpec>(of: 'gene' | 'score'): Drawing<Spec> {
  return withLeastSize<Spec>(
    { scene: (spec) => violinScene(spec, of), fit: fitViolins },
    {
      size: leastSize,
      sentence: ({ groups }) =>
        groups.length === 0
          ? 'No cell has a value.'
          : `Enlarge to see ${groups.length === 1 ? 'the distribution' : `the distributions of ${groups.length} groups`}.`,
    },
  );
}

function violinScene(spec: ViolinSpec, of: 'gene' | 'score'): VectorScene {
  const layout = violinLayout(spec, of === 'gene');
  const isEmpty = spec.groups.length === 0;
  return {
    ...spec.size,
    description: `${spec.title} by ${spec.groupTitle} in ${spec.datasetName}: ${spec.summary}`,
    panel: isEmpty ? { ...layout.panel, width: 0, height: 0 } : layout.panel,
    marks: [
      ...heading(spec, of === 'gene' ? 'semibold-italic' : 'semibold'),
      ...(isEmpty
        ? emptySentence(spec, layout)
        : [
            ...columnHeads(spec, layout),
            ...axis(spec, layout),
            ...spec.groups.flatMap((group, i) => row(group, layout, i, spec.domain)),
          ]),
    ],
  };
}

function fitViolins<Spec extends ViolinSpec>(spec: Spec, size: CommonSpec['size']) {
  const { groups } = spec;
  const most = violinsThatFit(size.height);
  const kept = Array.from(groups.keys())
    .sort((a, b) => groups[b]!.cells - groups[a]!.cells || a - b)
    .slice(0, most)
    .sort((a, b) => a - b)
    .map((place) => groups[place]!);
  const leftOut = fitText(kept.length, groups.length, 'groups');
  return { spec: { ...spec, size, fitted: { leftOut }, groups: kept }, isWhole: leftOut === '' };
}

function row(group: ViolinGroup, layout: ViolinLayout, i: number, domain: readonly [number, number]): Marks {
  const middle = layout.panel.y + (i + 0.5) * layout.rowHeight;
  return [...shape(group, layout, middle, domain), ...rowTexts(group, layout, i, middle)];
}

function emptySentence({ fitted, size }: ViolinSpec, { panel }: ViolinLayout): TextMark[] {
  const y = panel.y + panel.height / 2 + toBaseline;
  const text = 'No cell of these groups has a value, so there is no distribution to show.';
  const lines = fitted === undefined ? [text] : wrappedWords(text, size.width - 2 * margin, smallSize);
  return lines.map((line, i) =>
    small(line, { x: margin, y: y + i * 20, anchor: 'start', colour: inkColour }),
  );
}

/**
 * Violin, cells or stroke of one group. Of values beyond the ends of the axis there is no mark: a shape ends at the
 * axis, a median or a cell out there is left out.
 */
function shape(
  group: ViolinGroup,
  layout: ViolinLayout,
  middle: number,
  [low, high]: readonly [number, number],
): Marks {
  const { range, density, points, quartiles, colour } = group;
  if (range === null || quartiles === null) return [];
  const half = layout.rowHeight * halfHeight;
  const isFlat = high <= low;
  const isInside = (value: number): boolean => isFlat || (value >= low && value <= high);
  const xOf = (value: number): number => layout.xOf(isFlat ? value : Math.min(high, Math.max(low, value)));
  const [first, median, third] = quartiles.map(xOf) as [number, number, number];
  const hasMedian = isInside(quartiles[1]);
  const upright = (x: number, width: number, reach: number, ink: string): Mark => ({
    kind: 'rectangle',
    x: x - width / 2,
    y: middle - reach,
    width,
    height: 2 * reach,
    colour: ink,
  });
  if (points !== null) {
    const places = points.filter(isInside).map(layout.xOf);
    const offsets = swarmOffsets(places, pointRadius, half - pointRadius);
    return [
      ...(hasMedian ? [upright(median, 1.5, half, inkColour)] : []),
      ...places.map((x, i): Mark => ({
        kind: 'dot',
        x,
        y: middle + offsets[i]!,
        radius: pointRadius + 0.5,
        colour,
        edge: { width: 0.8, colour: paperColour },
      })),
    ];
  }
  if (density === null) return hasMedian ? [upright(median, 2.5, half, colour)] : [];
  if (range[1] < low || range[0] > high) return [];
  const hasBox = quartiles[2] >= low && quartiles[0] <= high;
  const step = (range[1] - range[0]) / (densityPoints - 1);
  const reaches = density.map((thickness) => Math.max(minHalfHeight, half * thickness));
  const bar = (reach: number, ink: string): Mark => ({
    kind: 'rectangle',
    x: first - (reach - 2),
    y: middle - reach,
    width: third - first + 2 * (reach - 2),
    height: 2 * reach,
    colour: ink,
  });
  return [
    {
      kind: 'area',
      xs: density.map((_, k) => xOf(range[0] + k * step)),
      tops: reaches.map((reach) => middle - reach),
      bottoms: reaches.map((reach) => middle + reach),
      colour,
    },
    // A white rim, as ink alone would vanish in the dark colours.
    ...(hasBox ? [bar(3, paperColour), bar(2, inkColour)] : []),
    ...(hasMedian ? [medianDot(median, middle)] : []),
  ];
}

function medianDot(x: number, y: number): Mark {
  return { kind: 'dot', x, y, radius: 4, colour: paperColour, edge: { width: 1.25, colour: inkColour } };
}

/** Name on one or two lines, count of cells, and the share of expressing ones. */
function rowTexts(group: ViolinGroup, layout: ViolinLayout, i: number, middle: number): Marks {
  const { lines, cells, share } = layout.rows[i]!;
  const baseline = middle + toBaseline;
  // Lines that were only broken hold every letter of the label.
  const isShortened = lines.join('').replace(/\s/g, '') !== group.label.replace(/\s/g, '');
  const top = baseline - ((lines.length - 1) * labelLine) / 2;
  const soft = { y: baseline, anchor: 'end', colour: softInk } as const;
  return [
    ...lines.map((line, k) =>
      small(line, {
        x: layout.labelEnd,
        y: top + k * labelLine,
        anchor: 'end',
        colour: inkColour,
        ...(isShortened && k === 0 && { full: group.label }),
      }),
    ),
    ...(cells === undefined ? [] : [small(cells, { ...soft, x: layout.cellsEnd })]),
    ...(share === undefined ? [] : [small(share, { ...soft, x: layout.shareEnd })]),
  ];
}

function small(
  text: string,
  place: Pick<TextMark, 'x' | 'y' | 'anchor' | 'colour'> & { readonly full?: string | undefined },
): TextMark {
  const { full, ...rest } = place;
  const whole = full === undefined || full === text ? {} : { full };
  return { kind: 'text', text, size: smallSize, style: 'regular', ...whole, ...rest };
}

function columnHeads(spec: ViolinSpec, layout: ViolinLayout): Marks {
  const { panel, rows, labelEnd, labelWidth, cellsEnd, shareEnd } = layout;
  const head = { y: panel.y - 9, anchor: 'end', colour: softInk } as const;
  const title = ellipsised(spec.groupTitle, labelWidth, smallSize);
  return [
    small(title, { ...head, x: labelEnd, full: spec.groupTitle }),
    ...(rows[0]?.cells === undefined ? [] : [small(cellsHead, { ...head, x: cellsEnd })]),
    ...(rows[0]?.share === undefined ? [] : [small(shareHead, { ...head, x: shareEnd })]),
  ];
}

/** Lines through the violins, their numbers, and what they measure. */
function axis({ domain, unit, size: { width } }: ViolinSpec, layout: ViolinLayout): Marks {
  const { panel, ticks, xOf } = layout;
  const bottom = panel.y + panel.height;
  const marks: Marks = [];
  for (const tick of ticks) {
    const x = xOf(tick);
    const colour = tick === 0 && domain[0] < 0 && domain[1] > 0 ? zeroLineColour : gridColour;
    marks.push(
      { kind: 'rectangle', x: x - 0.5, y: panel.y, width: 1, height: panel.height + 4, colour },
      small(valueText(tick), { x, y: bottom + 15 + toBaseline, anchor: 'middle', colour: inkColour }),
    );
  }
  const text = ellipsised(unit, Math.max(panel.width, 0.8 * (width - 2 * margin)), smallSize);
  const x = centredWithin(textWidth(text, smallSize), panel, width);
  marks.push(small(text, { x, y: bottom + 38 + toBaseline, anchor: 'middle', colour: softInk, full: unit }));
  return marks;
}
