import type { CommonSpec } from '../drawing/figure.ts';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import type { AreaMark, Mark, Rectangle, TextMark, VectorMark, VectorScene } from '../drawing/scene/scene.ts';
import {
  figureWidth,
  gridColour,
  inkColour,
  margin,
  raised,
  significant,
  smallSize,
  softInk,
  zeroLineColour,
} from '../drawing/scene/style.ts';
import { ellipsised, sharedRoom } from '../drawing/text/fit-text.ts';
import { areTicksClear, tidyTicks, valueText } from '../drawing/text/number-text.ts';
import type { RunningScoreSpec } from './running-score-spec.ts';

export const runningScoreSize = { width: figureWidth, height: 580 } as const;

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;
const leftGutter = 56;
const foot = 66;
const tickHeight = 26;
const gap = 8;
const lineWidth = 2;
const metricFrom = 300;

export const runningScoreDrawing = withMinimumSize<RunningScoreSpec>(
  { scene, fit },
  {
    size: { width: 220, height: 180 },
    sentence: ({ summary }) => `Enlarge to see the running score. ${summary}.`,
  },
);

function fit(spec: RunningScoreSpec, size: CommonSpec['size']) {
  // The one line of a figure that the page names: the result before what was ranked.
  const swapped = { subtitle: spec.summary, summary: spec.subtitle };
  return { spec: { ...spec, ...swapped, size, fitted: { leftOut: '' } }, isWhole: size.height >= metricFrom };
}

interface Panels {
  score: Rectangle;
  ticks: Rectangle;
  metric: Rectangle | undefined;
  bottom: number;
}

function panelsOf(spec: RunningScoreSpec): Panels {
  const { size } = spec;
  const top = panelTop(spec) + 6;
  const room = size.height - top - foot;
  const x = margin + leftGutter;
  const width = size.width - margin - x;
  const hasMetric = spec.fitted === undefined || size.height >= metricFrom;
  const metricHeight = hasMetric ? Math.round(0.27 * room) : 0;
  const scoreHeight = room - tickHeight - (hasMetric ? metricHeight + 2 * gap : gap);
  const score = { x, y: top, width, height: scoreHeight };
  const ticks = { x, y: top + scoreHeight + gap, width, height: tickHeight };
  const below = { x, y: ticks.y + tickHeight + gap, width, height: metricHeight };
  return {
    score,
    ticks,
    metric: hasMetric ? below : undefined,
    bottom: hasMetric ? below.y + metricHeight : ticks.y + tickHeight,
  };
}

type Scale = (value: number) => number;

function number(text: string, x: number, y: number, anchor: TextMark['anchor']): TextMark {
  return { ...small, text, x, y, colour: inkColour, anchor };
}

function scene(spec: RunningScoreSpec): VectorScene {
  const panels = panelsOf(spec);
  const { score } = panels;
  const xOf: Scale = (place) => score.x + (place / spec.genes) * score.width;
  const yOf = scoreScale(spec, score);
  const colour = spec.es < 0 ? significant : raised;
  return {
    ...spec.size,
    panel: score,
    marks: [
      ...heading(spec, 'semibold'),
      ...scoreAxis(spec, score, yOf),
      ...peakMarks(spec, score, xOf, yOf),
      curveMark(spec, score, xOf, yOf, colour),
      ...spec.hits.map((place): Mark => ({
        kind: 'rectangle',
        x: xOf(place + 0.5) - 0.5,
        y: panels.ticks.y,
        width: 1,
        height: panels.ticks.height,
        colour: inkColour,
      })),
      ...(panels.metric ? metricMarks(spec, panels.metric, xOf) : []),
      ...placeAxis(spec, panels, xOf),
    ],
  };
}

function scoreScale({ curve }: RunningScoreSpec, panel: Rectangle): Scale & { ends: [number, number] } {
  let [low, high] = [0, 0];
  for (const [, score] of curve) [low, high] = [Math.min(low, score), Math.max(high, score)];
  const space = 0.05 * Math.max(1e-9, high - low);
  const ends: [number, number] = [low - space, high + space];
  const scale = (value: number): number =>
    panel.y + (1 - (value - ends[0]) / (ends[1] - ends[0])) * panel.height;
  return Object.assign(scale, { ends });
}

function scoreAxis(
  spec: RunningScoreSpec,
  panel: Rectangle,
  yOf: Scale & { ends: [number, number] },
): Mark[] {
  const tickCount = panel.height < 90 ? 2 : panel.height < 160 ? 3 : 5;
  const [low, high] = yOf.ends;
  const ticks = [...new Set([0, ...tidyTicks(low, high, tickCount)])].filter(
    (tick) => tick === 0 || Math.abs(yOf(tick) - yOf(0)) > smallSize,
  );
  return [
    ...ticks.flatMap((tick): Mark[] => [
      {
        kind: 'rectangle',
        x: panel.x,
        y: yOf(tick) - 0.5,
        width: panel.width,
        height: 1,
        colour: tick === 0 ? zeroLineColour : gridColour,
      },
      number(valueText(tick), panel.x - 8, yOf(tick) + smallSize * 0.36, 'end'),
    ]),
    upright(spec, 'running score', panel),
  ];
}

function upright({ size }: RunningScoreSpec, text: string, panel: Rectangle): TextMark {
  const middle = panel.y + panel.height / 2;
  const room = 2 * Math.min(middle, size.height - middle) - 12;
  const shown = ellipsised(text, Math.min(room, panel.height + 40), smallSize);
  return {
    ...small,
    text: shown,
    x: margin + 8,
    y: middle,
    colour: softInk,
    anchor: 'middle',
    upright: true,
  };
}

function peakMarks({ curve, es }: RunningScoreSpec, panel: Rectangle, xOf: Scale, yOf: Scale): Mark[] {
  const peak = curve.reduce((best, corner) =>
    Math.abs(corner[1] - es) < Math.abs(best[1] - es) ? corner : best,
  );
  const [x, from, to] = [xOf(peak[0]), Math.min(yOf(0), yOf(peak[1])), Math.max(yOf(0), yOf(peak[1]))];
  const dashes = Math.max(0, Math.ceil((to - from) / 8));
  return Array.from({ length: dashes }, (_, i) => ({
    kind: 'rectangle',
    x: Math.min(panel.x + panel.width - 1, Math.max(panel.x, x - 0.5)),
    y: from + 8 * i,
    width: 1,
    height: Math.min(5, to - from - 8 * i),
    colour: softInk,
  }));
}

/**
 * The line as an area: at each half pixel from its lowest to its highest point nearby, so that a vertical step is as
 * wide as the line.
 */
function curveMark(
  { curve }: RunningScoreSpec,
  panel: Rectangle,
  xOf: Scale,
  yOf: Scale,
  colour: string,
): AreaMark {
  const columns = Math.max(2, Math.ceil(2 * panel.width));
  const lows = new Float64Array(columns + 1).fill(Infinity);
  const highs = new Float64Array(columns + 1).fill(-Infinity);
  const at = (x: number): number => ((x - panel.x) / panel.width) * columns;
  const cover = (column: number, y: number): void => {
    if (column < 0 || column > columns) return;
    lows[column] = Math.min(lows[column]!, y);
    highs[column] = Math.max(highs[column]!, y);
  };
  let last: readonly [number, number] | undefined;
  for (const [place, score] of curve) {
    const [x, y] = [at(xOf(place)), yOf(score)];
    const [fromX, fromY] = last ?? [x, y];
    for (let column = Math.ceil(fromX); column <= Math.floor(x); column++) {
      cover(column, x === fromX ? y : fromY + ((y - fromY) * (column - fromX)) / (x - fromX));
    }
    cover(Math.floor(x), y);
    cover(Math.ceil(x), y);
    last = [x, y];
  }
  const filledColumns = Array.from(lows.keys()).filter((column) => lows[column]! <= highs[column]!);
  return {
    kind: 'area',
    xs: filledColumns.map((column) => panel.x + (column / columns) * panel.width),
    tops: filledColumns.map((column) => lows[column]! - lineWidth / 2),
    bottoms: filledColumns.map((column) => highs[column]! + lineWidth / 2),
    colour,
  };
}

function metricMarks(spec: RunningScoreSpec, panel: Rectangle, xOf: Scale): VectorMark[] {
  const { metric, metricName, zeroAt } = spec;
  const high = Math.max(0, ...metric.map(([, value]) => value));
  const low = Math.min(0, ...metric.map(([, value]) => value));
  const span = Math.max(1e-300, high - low);
  const yOf: Scale = (value) => panel.y + (1 - (value - low) / span) * panel.height;
  const side = (keep: (value: number) => number, colour: string): AreaMark => ({
    kind: 'area',
    xs: metric.map(([place]) => xOf(place + 0.5)),
    tops: metric.map(([, value]) => Math.min(yOf(keep(value)), yOf(0))),
    bottoms: metric.map(([, value]) => Math.max(yOf(keep(value)), yOf(0))),
    colour,
  });
  const ends = [...new Set([high, low])].filter((end) => end !== 0);
  const zero = zeroAt === undefined ? [] : zeroMarks(spec, panel, xOf(zeroAt), yOf(0));
  return [
    side((value) => Math.max(0, value), raised),
    side((value) => Math.min(0, value), significant),
    { kind: 'rectangle', x: panel.x, y: yOf(0) - 0.5, width: panel.width, height: 1, colour: zeroLineColour },
    ...ends.map((end) =>
      number(
        valueText(Number(end.toPrecision(2))),
        panel.x - 8,
        Math.min(panel.y + panel.height, Math.max(panel.y + smallSize * 0.7, yOf(end) + smallSize * 0.36)),
        'end',
      ),
    ),
    ...zero,
    upright(spec, metricName, panel),
  ];
}

function zeroMarks(spec: RunningScoreSpec, panel: Rectangle, x: number, y: number): Mark[] {
  const text = `0 at ${spec.zeroAt!.toLocaleString('en-US')}`;
  if (y - panel.y < 24) return [];
  const isLeft = x > panel.x + panel.width - 130;
  return [
    { kind: 'rectangle', x: x - 0.5, y: panel.y, width: 1, height: y - panel.y, colour: zeroLineColour },
    {
      ...small,
      text,
      x: isLeft ? x - 6 : x + 6,
      y: panel.y + smallSize * 0.9,
      colour: softInk,
      anchor: isLeft ? 'end' : 'start',
    },
  ];
}

function placeAxis({ genes, sides, size }: RunningScoreSpec, { score, bottom }: Panels, xOf: Scale): Mark[] {
  const ticks =
    [5, 4, 3, 2, 1].map((count) => tidyTicks(0, genes, count)).find((some) => areTicksClear(some, xOf)) ?? [];
  const [topRoom, endRoom] = sharedRoom([sides.top, sides.end], size.width - 2 * margin);
  const name = (text: string, x: number, y: number, anchor: TextMark['anchor'], room: number): TextMark => {
    const shown = ellipsised(text, room, smallSize);
    return { ...small, text: shown, ...(shown !== text && { full: text }), x, y, colour: softInk, anchor };
  };
  return [
    ...ticks.map((tick) =>
      number(
        tick.toLocaleString('en-US'),
        Math.min(xOf(tick), score.x + score.width - 14),
        bottom + 19,
        'middle',
      ),
    ),
    name('place in the ranking', score.x + score.width / 2, bottom + 38, 'middle', score.width),
    name(sides.top, margin, bottom + 58, 'start', topRoom),
    name(sides.end, size.width - margin, bottom + 58, 'end', endRoom),
  ];
}
