import type { CommonSpec, Drawing } from '../figure.ts';
import { fittedWith, withMinimumSize } from '../minimum-size.ts';
import { largestWithin } from '../chosen-groups.ts';
import { nameMarks } from '../../frame/rows.ts';
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
  toBaseline,
} from '../scene/style.ts';
import { ellipsised, wrappedWords } from '../text/fit-text.ts';
import { fitText, valueText } from '../text/number-text.ts';
import { textWidth } from '../text/text-width.ts';
import { densityPoints, spikeHeight, swarmOffsets } from './density.ts';
import { rowsByGroup, type ViolinRowGroup, type ViolinSpec } from './violin-groups.ts';
import {
  cellsHead,
  countsFrom,
  shareHead,
  sharesFrom,
  violinLayout,
  violinsThatFit,
  type ViolinLayout,
} from './violin-layout.ts';
import { cellPoints, sampleDots } from './violin-points.ts';

type Marks = (Mark | AreaMark)[];

/** Share of the row height that the thickest part of a violin takes, to each side. */
const halfHeight = 0.43;
const ridgeHeight = 1.3;
const pointRadius = 3;
const halfBox = 5.5;
const flatReach = 5.5;
const roomyHalf = 22;
const minSize = { width: 200, height: 150 } as const;
/** Keeps the thin tails of a violin in one piece. */
const minHalfHeight = 0.5;
const minBody = 5;

/**
 * One row per group: name, cells, violin with quartiles (bar) and median (dot), and the share of cells that express a
 * gene. A group with one value is a stroke; one of few cells shows its cells and a stroke at their median. In little
 * room the largest groups stay.
 */
export function violinDrawing<Spec extends ViolinSpec>(of: 'gene' | 'score'): Drawing<Spec> {
  return withMinimumSize<Spec>(
    { scene: (spec) => violinScene(spec, of), fit: (spec, size) => fitViolins(spec, size, of) },
    {
      size: minSize,
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
    panel: isEmpty ? { ...layout.panel, width: 0, height: 0 } : layout.panel,
    marks: [
      ...heading(spec, of === 'gene' ? 'semibold-italic' : 'semibold'),
      ...(isEmpty
        ? emptySentence(spec, layout)
        : [
            ...columnHeads(spec, layout),
            ...axis(spec, layout),
            ...groupLines(spec, layout),
            ...areasFirst(spec.groups.flatMap((group, i) => row(group, layout, i, spec))),
          ]),
    ],
  };
}

function fitViolins<Spec extends ViolinSpec>(spec: Spec, size: CommonSpec['size'], of: 'gene' | 'score') {
  const groups = rowsByGroup(spec.groups);
  const keptPlaces = largestWithin(
    [...groups.keys()],
    {
      sizeOf: (place) => groups[place]!.reduce((sum, { cells }) => sum + cells, 0),
      rowsOf: (place) => groups[place]!.length,
    },
    violinsThatFit({ ...spec, size }),
  );
  const leftOut = fitText(keptPlaces.length, groups.length, 'groups');
  const rows = keptPlaces.flatMap((place) => groups[place]!);
  const fitted = fittedWith(leftOut, {
    'the shares of expressing cells': of === 'score' || size.width >= sharesFrom,
    'the counts of cells': size.width >= countsFrom,
  });
  return { spec: { ...spec, size, fitted, groups: rows }, isWhole: leftOut === '' };
}

function row(group: ViolinRowGroup, layout: ViolinLayout, i: number, { domain }: ViolinSpec): Marks {
  const middle = layout.panel.y + (i + 0.5) * layout.rowHeight;
  return [
    ...shape(group, layout, middle, domain),
    ...rowTexts(group, layout, i, middle),
    ...label(group, layout, i),
  ];
}

/** Ridges reach over the rows before them, but not over their text. */
function areasFirst(marks: Marks): Marks {
  return [...marks.filter(({ kind }) => kind === 'area'), ...marks.filter(({ kind }) => kind !== 'area')];
}

function groupLines({ split, size }: ViolinSpec, { panel, rowHeight, rows }: ViolinLayout): Mark[] {
  if (split === undefined) return [];
  return rows.flatMap(({ rowsOfGroup }, i): Mark[] =>
    i === 0 || rowsOfGroup === 0
      ? []
      : [
          {
            kind: 'rectangle',
            x: margin,
            y: panel.y + i * rowHeight - 0.5,
            width: size.width - 2 * margin,
            height: 1,
            colour: gridColour,
          },
        ],
  );
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
 * Violin, cells or stroke of one group. Values beyond the ends of the axis are not drawn: a shape ends at the axis, and
 * a median or cell outside is left out.
 */
function shape(
  group: ViolinRowGroup,
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
  if (density === null) {
    // One value has no shape: a stroke as high as a violin would look like many values.
    const flat = Math.min(half, flatReach);
    return hasMedian
      ? [upright(median, 2.5, flat, colour), medianDot(median, middle, group.half === undefined ? 4 : 3)]
      : [];
  }
  if (range[1] < low || range[0] > high) return [];
  // The next ridge would cover it.
  const hasBox = group.half !== 'ridge' && quartiles[2] >= low && quartiles[0] <= high;
  const step = (range[1] - range[0]) / (densityPoints - 1);
  const thin = group.half !== undefined && layout.rowHeight < roomyHalf;
  const xs = density.map((_, k) => xOf(range[0] + k * step));
  const { above, below, box } = sidesOf(group.half, middle, layout.rowHeight);
  const height = spikeHeight(density, xs, minBody);
  const edge = (reach: number): number[] =>
    density.map((thickness) => Math.max(minHalfHeight, height * reach * thickness));
  const bar = (reach: number, ink: string): Mark => ({
    kind: 'rectangle',
    x: first - (reach - 2),
    y: box - reach,
    width: third - first + 2 * (reach - 2),
    height: 2 * reach,
    colour: ink,
  });
  const area: AreaMark = {
    kind: 'area',
    xs,
    tops: above.reach === 0 ? density.map(() => above.y) : edge(above.reach).map((reach) => above.y - reach),
    bottoms:
      below.reach === 0 ? density.map(() => below.y) : edge(below.reach).map((reach) => below.y + reach),
    colour,
  };
  return [
    // A rim parts a ridge from the one behind it.
    ...(group.half === 'ridge'
      ? [{ ...area, tops: area.tops.map((top) => top - 1.5), colour: paperColour }]
      : []),
    area,
    ...cellPoints(group, { above, below }, layout.rowHeight, { xOf, isInside }),
    // A white rim, as ink alone would vanish in the dark colours.
    ...(hasBox ? [bar(thin ? 2.4 : 3, paperColour), bar(thin ? 1.4 : 2, inkColour)] : []),
    ...(hasMedian ? [medianDot(median, box, thin ? 3 : 4)] : []),
    ...sampleDots(group, { middle, rowHeight: layout.rowHeight }, { xOf, isInside }),
  ];
}

function sidesOf(half: ViolinRowGroup['half'], middle: number, rowHeight: number) {
  const reach = 2 * halfHeight * rowHeight;
  if (half === undefined) {
    const side = { y: middle, reach: rowHeight * halfHeight };
    return { above: side, below: side, box: middle };
  }
  if (half === 'ridge') {
    const y = middle + 0.4 * rowHeight;
    return {
      above: { y, reach: ridgeHeight * rowHeight },
      below: { y, reach: 0 },
      box: y,
    };
  }
  // The halves of a pair meet where their rows do.
  const base = half === 'upper' ? middle + rowHeight / 2 : middle - rowHeight / 2;
  const away = Math.min(halfBox, 0.3 * rowHeight);
  const box = half === 'upper' ? base - away : base + away;
  return {
    above: { y: base, reach: half === 'upper' ? reach : 0 },
    below: { y: base, reach: half === 'lower' ? reach : 0 },
    box,
  };
}

function medianDot(x: number, y: number, radius: number): Mark {
  return { kind: 'dot', x, y, radius, colour: paperColour, edge: { width: 1.25, colour: inkColour } };
}

function label(group: ViolinRowGroup, layout: ViolinLayout, i: number): Marks {
  const { lines, rowsOfGroup } = layout.rows[i]!;
  if (rowsOfGroup === 0) return [];
  const middle = layout.panel.y + (i + rowsOfGroup / 2) * layout.rowHeight;
  return nameMarks(lines, group.label, layout.labelEnd, middle);
}

function rowTexts({ part = '' }: ViolinRowGroup, layout: ViolinLayout, i: number, middle: number): Marks {
  const { partLines = [], cells, share } = layout.rows[i]!;
  const soft = { y: middle + toBaseline, anchor: 'end', colour: softInk } as const;
  return [
    ...nameMarks(partLines, part, layout.partEnd, middle),
    ...(cells === undefined ? [] : [small(cells, { ...soft, x: layout.cellsEnd })]),
    ...(share === undefined ? [] : [small(share, { ...soft, x: layout.shareEnd })]),
  ];
}

function small(
  text: string,
  place: Pick<TextMark, 'x' | 'y' | 'anchor' | 'colour'> & { full?: string | undefined },
): TextMark {
  const { full, ...rest } = place;
  const whole = full === undefined || full === text ? {} : { full };
  return { kind: 'text', text, size: smallSize, style: 'regular', ...whole, ...rest };
}

function columnHeads(spec: ViolinSpec, layout: ViolinLayout): Marks {
  const { panel, rows, labelEnd, labelWidth, partEnd, cellsEnd, shareEnd } = layout;
  const head = { y: panel.y - 9, anchor: 'end', colour: softInk } as const;
  const title = ellipsised(spec.groupTitle, labelWidth, smallSize);
  const { split } = spec;
  const partHead =
    split === undefined
      ? []
      : [
          small(ellipsised(split.title, partEnd - labelEnd, smallSize), {
            ...head,
            x: partEnd,
            full: split.title,
          }),
        ];
  return [
    small(title, { ...head, x: labelEnd, full: spec.groupTitle }),
    ...partHead,
    ...(rows[0]?.cells === undefined ? [] : [small(cellsHead, { ...head, x: cellsEnd })]),
    ...(rows[0]?.share === undefined ? [] : [small(shareHead, { ...head, x: shareEnd })]),
  ];
}

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
