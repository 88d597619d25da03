import { countText } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure, CommonSpec } from '../drawing/figure.ts';
import {
  sampleHead,
  sampleLabels,
  samplesText,
  type Side,
  sideColours,
} from '../drawing/samples/sample-figure.ts';
import { categoryLabels, cleanLabel, ellipsised } from '../drawing/text/fit-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import { fittedWith, withMinimumSize } from '../drawing/minimum-size.ts';
import { legendLineHeight, sideLegend } from '../drawing/samples/legend-line.ts';
import { sampleMark } from '../drawing/samples/sample-marks.ts';
import { swarm } from '../drawing/samples/swarm.ts';
import { gridLine, lineBetween } from '../drawing/scene/lines.ts';
import { fittedRows, nameMarks } from '../drawing/scene/named-rows.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import type { Mark, Rectangle, TextMark, VectorMark, VectorScene } from '../drawing/scene/scene.ts';
import {
  hairlineColour,
  inkColour,
  margin,
  panelTopEdge,
  smallSize,
  softInk,
  zeroLineColour,
  toBaseline,
} from '../drawing/scene/style.ts';
import { areTicksClear, fitText, valueText } from '../drawing/text/number-text.ts';
import { textWidth, widest } from '../drawing/text/text-width.ts';
import type { compositionDotsContent } from './content.ts';
import type { CompositionDotsInput, CompositionDotsSpec } from './dots-spec.ts';

const maxGroups = 40;

/**
 * Shares of each sample by category, smallest p-values first. Throws FigureInputError if values are not shares, or
 * belong to other samples.
 */
export function compositionDotsFigure(
  input: CompositionDotsInput & Pick<FigureSetting, 'datasetName'>,
): Figure<CompositionDotsSpec> {
  const { samples, categories, pairs, transform, threshold } = input;
  if (samples.length < 2)
    throw new FigureInputError('samples', `${samples.length} samples cannot be compared`);
  for (const { name, shares } of categories) {
    if (shares.length === samples.length && Array.from(shares).every((share) => share >= 0 && share <= 1))
      continue;
    throw new FigureInputError(
      'categories',
      `the shares of ${name} are not those of ${samples.length} samples`,
    );
  }
  const head = sampleHead({ ...input, part: '' }, input.datasetName);
  const shown = categories.slice(0, maxGroups);
  const labels = categoryLabels(shown.map(({ name }) => name));
  const names = sampleLabels(samples);
  const differing = categories.filter(({ adjustedP }) => adjustedP < threshold).length;
  const groups = shown.map(({ shares, effect, adjustedP }, at) => {
    const own = Array.from(shares);
    return {
      label: labels[at]!,
      shares: own,
      means: { a: meanOf(own, samples, 'a'), b: meanOf(own, samples, 'b') },
      effect,
      adjustedP,
    };
  });
  const spec: CompositionDotsSpec = {
    version: 1,
    kind: 'composition-dots',
    ...head,
    summary: [
      `${countText(differing)} of ${countText(categories.length)} categories differ`,
      samplesText(samples, head.sides),
      ...(shown.length < categories.length ? [`the ${maxGroups} of the smallest p-values`] : []),
    ].join(' · '),
    size: compositionDotsSize(groups.length),
    groupTitle: cleanLabel(input.groupTitle),
    transform,
    threshold,
    samples: samples.map(({ side }, at) => ({ label: names[at]!, side })),
    ...(pairs && { pairs }),
    groups,
    groupCount: categories.length,
    differing,
  };
  return { spec, columns: {}, drawing: compositionDotsDrawing };
}

function meanOf(shares: readonly number[], samples: CompositionDotsInput['samples'], side: Side): number {
  const own = shares.filter((_, at) => samples[at]!.side === side);
  return own.length === 0 ? 0 : own.reduce((sum, share) => sum + share, 0) / own.length;
}

export const compositionDots = plot<typeof compositionDotsContent>(
  'composition-dots',
  ({ composition }, { datasetName }) => compositionDotsFigure({ ...composition, datasetName }),
);

type Group = CompositionDotsSpec['groups'][number];

const fullRow = 46;
const minRow = 26;
const maxRow = 110;
const head = 24;
const foot = 54;
const gap = 12;
const width = 760;
const pValuesFrom = 330;
const pValuesTitle = 'adjusted p';
const subtitleLine = 20;

const compositionDotsDrawing = withMinimumSize<CompositionDotsSpec>(
  { scene, fit },
  {
    size: { width: 240, height: 190 },
    sentence: ({ groupCount }) => `Enlarge to see the shares of ${countText(groupCount)} categories.`,
  },
);

function compositionDotsSize(groups: number): CommonSpec['size'] {
  const height =
    panelTopEdge + subtitleLine + legendLineHeight + head + Math.max(1, groups) * fullRow + foot + margin;
  return { width, height };
}

function roomFor(spec: Pick<CompositionDotsSpec, 'size' | 'subtitle' | 'fitted' | 'noteLines'>): number {
  return spec.size.height - panelTop(spec) - legendLineHeight - head - foot;
}

function fit(spec: CompositionDotsSpec, size: CommonSpec['size']) {
  const maxGroups = Math.max(1, Math.floor(roomFor({ ...spec, size, fitted: { leftOut: '' } }) / minRow));
  const groups = spec.groups.slice(0, maxGroups);
  const leftOut = fitText(groups.length, spec.groups.length, 'categories');
  const fitted = fittedWith(leftOut, { 'p-values': size.width >= pValuesFrom });
  return { spec: { ...spec, size, fitted, groups }, isWhole: leftOut === '' };
}

function small(text: string, how: Partial<TextMark> & Pick<TextMark, 'x' | 'y'>, full = text): TextMark {
  return {
    kind: 'text',
    size: smallSize,
    style: 'regular',
    anchor: 'start',
    colour: inkColour,
    text,
    ...(text !== full && { full }),
    ...how,
  };
}

function scene(spec: CompositionDotsSpec): VectorScene {
  const { size, groups, fitted } = spec;
  const top = panelTop(spec) + 12;
  const rowHeight =
    fitted === undefined
      ? fullRow
      : Math.max(minRow, Math.min(maxRow, roomFor(spec) / Math.max(1, groups.length)));
  const longest = fitted === undefined ? 200 : 0.3 * size.width;
  const names = groups.map(({ label }) => label);
  const { labels } = fittedRows(names, rowHeight, longest);
  const title = ellipsised(spec.groupTitle, 1.2 * longest, smallSize);
  const labelEnd = Math.ceil(margin + widest([title, ...labels.flat()]));
  const hasPs = size.width >= pValuesFrom;
  const ps = hasPs ? groups.map(({ adjustedP }) => valueText(adjustedP)) : [];
  const beside = hasPs ? Math.ceil(widest([pValuesTitle, ...ps])) + gap : 8;
  const panel = {
    x: labelEnd + gap,
    y: top + legendLineHeight + head - 12,
    width: size.width - margin - beside - labelEnd - gap,
    height: groups.length * rowHeight,
  };
  const maxShare = Math.max(0.01, ...groups.flatMap(({ shares }) => shares));
  const xOf = (share: number): number => panel.x + Math.sqrt(share / maxShare) * (panel.width - 8) + 4;
  const right = size.width - margin;
  return {
    ...size,
    panel,
    marks: [
      ...heading(spec, 'semibold'),
      ...sideLegend(spec, { x: margin, y: top, width: size.width - 2 * margin }),
      small(title, { x: labelEnd, y: panel.y - 8, anchor: 'end', colour: softInk }, spec.groupTitle),
      ...(hasPs ? [small(pValuesTitle, { x: right, y: panel.y - 8, anchor: 'end', colour: softInk })] : []),
      ...axis(panel, maxShare, xOf),
      ...groups.flatMap((group, row) => {
        const y = panel.y + row * rowHeight;
        const p = hasPs ? { text: ps[row]!, right } : undefined;
        return rowMarks(spec, group, { lines: labels[row]!, labelEnd, y, rowHeight, panel, xOf, p });
      }),
    ],
  };
}

interface Row {
  lines: readonly string[];
  labelEnd: number;
  y: number;
  rowHeight: number;
  panel: Rectangle;
  xOf: (share: number) => number;
  /** Adjusted p and the right edge of its text; absent without room. */
  p: { text: string; right: number } | undefined;
}

function rowMarks(spec: CompositionDotsSpec, group: Group, row: Row): VectorMark[] {
  const { lines, labelEnd, y, rowHeight, panel, p } = row;
  const line = y + rowHeight / 2 + toBaseline;
  const marks: VectorMark[] = nameMarks(lines, group.label, labelEnd, y + rowHeight / 2);
  if (p) {
    const isClear = group.adjustedP < spec.threshold;
    const how = isClear
      ? ({ colour: inkColour, style: 'semibold' } as const)
      : ({ colour: softInk, style: 'regular' } as const);
    marks.push(small(p.text, { x: p.right, y: line, anchor: 'end', ...how }));
  }
  if (y > panel.y) {
    marks.push({
      kind: 'rectangle',
      x: panel.x,
      y: y - 0.5,
      width: panel.width,
      height: 1,
      colour: hairlineColour,
    });
  }
  return marks.concat(dots(spec, group, row));
}

function dots(
  { samples, pairs = [] }: CompositionDotsSpec,
  { shares, means }: Group,
  { y, rowHeight, xOf }: Pick<Row, 'y' | 'rowHeight' | 'xOf'>,
): VectorMark[] {
  const radius = Math.min(samples.length > 60 ? 2.5 : 4, rowHeight / 9);
  const ys = new Array<number>(samples.length).fill(0);
  const middleOf = (side: Side): number => y + rowHeight * (side === 'a' ? 0.28 : 0.72);
  for (const side of ['a', 'b'] as const) {
    const own = [...samples.keys()].filter((place) => samples[place]!.side === side);
    const moved = swarm(
      own.map((place) => xOf(shares[place]!)),
      radius + 0.5,
      Math.max(0, 0.19 * rowHeight - radius),
    );
    own.forEach((place, rank) => (ys[place] = middleOf(side) + moved[rank]!));
  }
  const at = (place: number) => [xOf(shares[place]!), ys[place]!] as const;
  const reach = 0.2 * rowHeight;
  return [
    ...pairs.map(([one, other]) => lineBetween(at(one), at(other), { width: 1, colour: zeroLineColour })),
    ...samples.flatMap(({ side }, place) => {
      const [x, up] = at(place);
      return sampleMark(0, { x, y: up, radius, colour: sideColours[side] });
    }),
    ...(['a', 'b'] as const).map((side): Mark => ({
      kind: 'rectangle',
      x: xOf(means[side]) - 1,
      y: middleOf(side) - reach,
      width: 2,
      height: 2 * reach,
      colour: inkColour,
    })),
  ];
}

const axisNames = [
  'Share of the cells of a sample (%), root scale',
  'Share of cells (%), root scale',
  'Share (%), root scale',
] as const;

/** Shares in per cent on a root scale: rare categories have room beside common ones. */
function axis(panel: Rectangle, maxShare: number, xOf: (share: number) => number): Mark[] {
  const bottom = panel.y + panel.height;
  const inside = [1, 0.75, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001].filter(
    (share) => share <= maxShare,
  );
  let ticks = [0];
  // The largest first, then each that keeps clear of those before it.
  for (const share of inside) {
    const more = [...ticks, share].sort((a, b) => a - b);
    if (
      areTicksClear(
        more.map((tick) => 100 * tick),
        (percent) => xOf(percent / 100),
      )
    )
      ticks = more;
  }
  const full = axisNames.find((name) => textWidth(name, smallSize) <= panel.width) ?? axisNames.at(-1)!;
  return [
    ...ticks.flatMap((share): Mark[] => [
      gridLine(xOf(share), panel),
      small(valueText(100 * share), { x: xOf(share), y: bottom + 14 + toBaseline, anchor: 'middle' }),
    ]),
    small(
      ellipsised(full, panel.width, smallSize),
      { x: panel.x + panel.width / 2, y: bottom + 36 + toBaseline, anchor: 'middle', colour: softInk },
      full,
    ),
  ];
}
