import { countText } from '@cellfolio/model';
import type { CommonSpec } from '../drawing/figure.ts';
import { largestOf } from '../drawing/chosen-groups.ts';
import { fittedWith, withMinimumSize } from '../drawing/minimum-size.ts';
import { fileRows, fittedRows, nameMarks } from '../frame/rows.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import { gridLine } from '../drawing/scene/lines.ts';
import type { AreaMark, Mark, Rectangle, TextMark, VectorScene } from '../drawing/scene/scene.ts';
import {
  figureWidth,
  inkColour,
  margin,
  paperColour,
  panelTopEdge,
  smallSize,
  softInk,
  toBaseline,
} from '../drawing/scene/style.ts';
import { ellipsised } from '../drawing/text/fit-text.ts';
import { fittedNames } from '../drawing/text/fitted-names.ts';
import { areTicksClear, fitText, logTicks, tidyTicks, valueText } from '../drawing/text/number-text.ts';
import { widest } from '../drawing/text/text-width.ts';
import { densityPoints } from '../drawing/distributions/density.ts';
import type { QualityDistribution, QualitySpec } from './spec.ts';

type Measure = QualitySpec['measures'][number];

const headHeight = 24;
const footHeight = 56;
const columnGap = 22;
const labelGap = 14;
const minRow = 17;
const maxRow = 240;
const maxOnlyRow = 480;
const minColumn = 96;
const countsFrom = 360;
const halfHeight = 0.4;
/** Width that names share with the violins of a file. */
const labelRoom = 460;
const fittedShare = 0.24;

function heightOfRow(rows: number): number {
  return rows === 1 ? 90 : rows <= 12 ? 40 : rows <= 24 ? 30 : 24;
}

export function qualitySize(names: readonly string[], measures: number): CommonSpec['size'] {
  const { rowHeight } = fileNames(names, measures);
  return {
    width: figureWidth + Math.max(0, measures - 3) * 150,
    height: panelTopEdge + headHeight + Math.max(1, names.length) * rowHeight + footHeight,
  };
}

/** A file's rows, all of one height, are as high as the longest name needs. */
function fileNames(names: readonly string[], measures: number) {
  const { labels, heights, rowHeight } = fileRows(names, {
    rowHeight: heightOfRow(names.length),
    width: maxLabelOf(measures),
    room: labelRoom,
  });
  return { labels, rowHeight: Math.max(rowHeight, ...heights) };
}

function viewNames(names: readonly string[], spec: QualitySpec) {
  const tallest = names.length === 1 ? maxOnlyRow : maxRow;
  const rowHeight = Math.max(minRow, Math.min(tallest, roomFor(spec) / Math.max(1, names.length)));
  return { labels: fittedRows(names, rowHeight, fittedShare * spec.size.width).labels, rowHeight };
}

function maxLabelOf(measures: number): number {
  return measures < 3 ? 230 : 170;
}

export const qualityDrawing = withMinimumSize<QualitySpec>(
  { scene, fit },
  {
    size: { width: 220, height: 150 },
    sentence: ({ measures }) =>
      `Enlarge to see ${measures.length === 1 ? 'the measure' : `${measures.length} measures`} of quality.`,
  },
);

function roomFor(spec: Pick<QualitySpec, 'size' | 'fitted' | 'noteLines'>): number {
  return spec.size.height - panelTop(spec) - headHeight - footHeight;
}

function fit(spec: QualitySpec, size: CommonSpec['size']) {
  const maxRows = Math.max(1, Math.floor(roomFor({ ...spec, size, fitted: { leftOut: '' } }) / minRow));
  const rows = largestOf(spec.groups.keys(), (place) => spec.groups[place]!.cells, maxRows);
  const groups = rows.map((row) => spec.groups[row]!);
  const { left } = labelsOf({ ...spec, groups, size, fitted: { leftOut: '' } });
  const room = size.width - margin - left;
  const columns = Math.max(1, Math.floor((room + columnGap) / (minColumn + columnGap)));
  const shownMeasures = Math.min(columns, spec.measures.length);
  const leftOut = [
    fitText(rows.length, spec.groups.length, 'groups'),
    fitText(shownMeasures, spec.measures.length, 'measures'),
  ]
    .filter((text) => text !== '')
    .join(' and ');
  return {
    spec: {
      ...spec,
      size,
      fitted: fittedWith(leftOut, { 'the counts of cells': size.width >= countsFrom }),
      measures: spec.measures.slice(0, shownMeasures),
      groups,
    },
    isWhole: leftOut === '',
  };
}

function labelsOf(spec: QualitySpec) {
  const { groups, groupTitle, measures, size, fitted } = spec;
  const names = groups.map(({ label }) => label);
  const { labels, rowHeight } =
    fitted === undefined ? fileNames(names, measures.length) : viewNames(names, spec);
  const longest = fitted === undefined ? maxLabelOf(measures.length) : fittedShare * size.width;
  const title = ellipsised(groupTitle, 1.2 * longest, smallSize);
  const labelEnd = Math.ceil(margin + widest([title, ...labels.flat()]));
  const counts = size.width >= countsFrom ? groups.map(({ cells }) => countText(cells)) : [];
  const countEnd =
    counts.length > 0 ? Math.ceil(labelEnd + labelGap + widest(['cells', ...counts])) : labelEnd;
  return { labels, rowHeight, title, labelEnd, counts, countEnd, left: countEnd + labelGap };
}

function scene(spec: QualitySpec): VectorScene {
  const { size, groups, measures, fitted } = spec;
  const texts = labelsOf(spec);
  const { rowHeight } = texts;
  const height = Math.max(1, groups.length) * rowHeight;
  // What few rows leave of the height is above and below them.
  const spare = fitted === undefined ? 0 : Math.max(0, roomFor(spec) - height);
  const top = panelTop(spec) + headHeight + spare / 2;
  const width = (size.width - margin - texts.left + columnGap) / measures.length - columnGap;
  const panel = {
    x: texts.left,
    y: top,
    width: size.width - margin - texts.left,
    height,
  };
  const columns = measures.map((measure, place) => {
    const box = { ...panel, x: texts.left + place * (width + columnGap), width };
    return { measure, place, box, xOf: placesOf(measure, box) };
  });
  const belowTexts = axisTexts(measures, width + columnGap - 8);
  return {
    ...size,
    panel: groups.length === 0 ? { ...panel, width: 0, height: 0 } : panel,
    marks:
      groups.length === 0
        ? [...heading(spec, 'semibold'), small('None of these cells has a group.', { x: margin, y: top })]
        : [
            ...heading(spec, 'semibold'),
            ...rowTexts(spec, texts, panel),
            ...columns.flatMap(({ measure, place, box, xOf }) => axis(measure, box, xOf, belowTexts[place]!)),
            ...columns.flatMap(({ measure, place, box, xOf }) =>
              groups.flatMap(({ distributions, colour }, row) =>
                violin(distributions[place] ?? null, {
                  measure,
                  xOf,
                  colour,
                  middle: box.y + (row + 0.5) * rowHeight,
                  half: rowHeight * halfHeight,
                }),
              ),
            ),
          ],
  };
}

function small(text: string, how: Partial<TextMark> & Pick<TextMark, 'x' | 'y'>): TextMark {
  return {
    kind: 'text',
    size: smallSize,
    style: 'regular',
    anchor: 'start',
    colour: inkColour,
    text,
    ...how,
  };
}

function rowTexts(
  { groups, groupTitle }: QualitySpec,
  { labels, rowHeight, title, labelEnd, counts, countEnd }: ReturnType<typeof labelsOf>,
  panel: Rectangle,
): Mark[] {
  const head = { y: panel.y - 9, anchor: 'end', colour: softInk } as const;
  return [
    ...(title === ''
      ? []
      : [small(title, { ...head, x: labelEnd, ...(title !== groupTitle && { full: groupTitle }) })]),
    ...(counts.length > 0 ? [small('cells', { ...head, x: countEnd })] : []),
    ...groups.flatMap(({ label }, row): Mark[] => {
      const middle = panel.y + (row + 0.5) * rowHeight;
      const count = { x: countEnd, y: middle + toBaseline, anchor: 'end', colour: softInk } as const;
      return [
        ...nameMarks(labels[row]!, label, labelEnd, middle),
        ...(counts[row] === undefined ? [] : [small(counts[row], count)]),
      ];
    }),
  ];
}

function placesOf({ domain: [low, high], log }: Measure, { x, width }: Rectangle): (value: number) => number {
  const place = log ? Math.log1p : (value: number): number => value;
  const [from, to] = [place(low), place(high)];
  return (value) => (to > from ? x + ((place(value) - from) / (to - from)) * width : x + width / 2);
}

interface AxisText {
  label: string;
  text: string;
}

function axisTexts(measures: readonly Measure[], width: number): AxisText[] {
  const texts = measures.map(({ title, axis: titled, log }) => {
    // What stands above is not said again: `Genes`, and below it `detected, log`.
    const rest = titled.startsWith(title) ? titled.slice(title.length).trim() : titled;
    return [...(rest === '' ? [] : [rest]), ...(log ? ['log'] : [])].join(', ');
  });
  return fittedNames(texts, width, smallSize).map((text, place) => ({ label: texts[place]!, text }));
}

function axis(
  { title, ...measure }: Measure,
  box: Rectangle,
  xOf: (value: number) => number,
  { label, text: below }: AxisText,
): Mark[] {
  const bottom = box.y + box.height;
  const middle = box.x + box.width / 2;
  const name = ellipsised(title, box.width, smallSize);
  return [
    small(name, { x: middle, y: box.y - 9, anchor: 'middle', ...(name !== title && { full: title }) }),
    ...ticksOf(measure, xOf).flatMap((tick): Mark[] => [
      gridLine(xOf(tick), box),
      small(valueText(tick), { x: xOf(tick), y: bottom + 14 + toBaseline, anchor: 'middle' }),
    ]),
    small(below, {
      x: middle,
      y: bottom + 36 + toBaseline,
      anchor: 'middle',
      colour: softInk,
      ...(below !== label && { full: label }),
    }),
  ];
}

function ticksOf(
  { domain: [low, high], log }: Omit<Measure, 'title'>,
  xOf: (value: number) => number,
): number[] {
  if (!(high > low)) return [low];
  if (log) {
    // The roundest first; each that keeps clear of those before it.
    const ticks: number[] = [];
    for (const tick of logTicks(low, high)) {
      const more = [...ticks, tick].sort((a, b) => a - b);
      if (more.length <= 5 && areTicksClear(more, xOf)) ticks.push(tick);
    }
    return ticks.sort((a, b) => a - b);
  }
  for (let count = 4; count > 1; count--) {
    const ticks = [...(low === 0 ? [0] : []), ...tidyTicks(low, high, count)];
    if (ticks.length > 0 && areTicksClear(ticks, xOf)) return ticks;
  }
  return [];
}

interface ViolinPlace {
  measure: Measure;
  xOf: (value: number) => number;
  colour: string;
  middle: number;
  half: number;
}

function violin(
  distribution: QualityDistribution | null,
  { measure: { domain, log }, xOf, colour, middle, half }: ViolinPlace,
): (Mark | AreaMark)[] {
  if (distribution === null) return [];
  const { density, range, quartiles, bounds } = distribution;
  const [first, median, third] = quartiles.map(xOf) as [number, number, number];
  const [left, right] = range.map(xOf) as [number, number];
  const upright = (x: number, reach: number, width: number, ink: string): Mark => ({
    kind: 'rectangle',
    x: x - width / 2,
    y: middle - reach,
    width,
    height: 2 * reach,
    colour: ink,
  });
  const bar = (reach: number, ink: string): Mark => ({
    kind: 'rectangle',
    x: first - (reach - 2),
    y: middle - reach,
    width: third - first + 2 * (reach - 2),
    height: 2 * reach,
    colour: ink,
  });
  const limits = (bounds ?? [])
    .filter((bound) => bound > domain[0] && bound < domain[1])
    .map((bound) => upright(xOf(bound), half, 1.5, inkColour));
  if (density === null) {
    return [upright(median, half, 2.5, colour), ...limits];
  }
  const reaches = density.map((thickness) => Math.max(0.5, half * thickness));
  const area: AreaMark = {
    kind: 'area',
    // Even steps of the axis, also where it is one of logarithms.
    xs: reaches.map((_, i) => left + (i / (densityPoints - 1)) * (right - left)),
    tops: reaches.map((reach) => middle - reach),
    bottoms: reaches.map((reach) => middle + reach),
    colour,
  };
  return [
    area,
    ...limits,
    bar(3, paperColour),
    bar(2, inkColour),
    {
      kind: 'dot',
      x: median,
      y: middle,
      radius: log || half > 10 ? 4 : 3,
      colour: paperColour,
      edge: { width: 1.25, colour: inkColour },
    },
  ];
}
