import { countText } from '@cellfolio/model';
import type { CommonSpec } from '../drawing/figure.ts';
import { fittedWith, withMinimumSize } from '../drawing/minimum-size.ts';
import { largestOf } from '../drawing/chosen-groups.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import { gridLine } from '../drawing/scene/lines.ts';
import {
  fileRows,
  fittedRows,
  nameLine,
  nameMarks,
  type NamedRows,
  rowMiddles,
} from '../drawing/scene/named-rows.ts';
import type { Mark, Rectangle, Scene, TextMark } from '../drawing/scene/scene.ts';
import {
  figureWidth,
  inkColour,
  margin,
  panelTopEdge,
  smallSize,
  softInk,
  toBaseline,
} from '../drawing/scene/style.ts';
import { ellipsised, isWhole, wrappedWords } from '../drawing/text/fit-text.ts';
import { fittedLines } from '../drawing/text/fitted-names.ts';
import { fitText, tidyTicks, valueText } from '../drawing/text/number-text.ts';
import { widest } from '../drawing/text/text-width.ts';
import type { CompositionBarSpec } from './bar-spec.ts';

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;
const headHeight = 22;
const footHeight = 52;
const maxLabel = 240;
const legendWidth = 170;
const maxLegend = 240;
const legendGap = 22;
const legendLine = 21;
const swatch = 11;
const swatchGap = 8;
const minLegend = 100;
const gap = 12;
const minRow = 15;
/** Maximum row height with few bars: bars thicken before the gaps grow. */
const maxRow = 240;
const maxThickness = 130;
const wideFigure = figureWidth + legendWidth + legendGap;
const legendFrom = 420;
const countsFrom = 300;

function rowHeightOf(rows: number): number {
  return rows <= 12 ? 32 : rows <= 24 ? 26 : 21;
}

export function compositionSize(spec: Omit<CompositionBarSpec, 'size'>): CommonSpec['size'] {
  const size = { width: wideFigure, height: 0 };
  const rows = Math.max(rowHeightOf(0), rowsOfFile(spec.groups.map(({ label }) => label)).height);
  const legendHeight = legendRows(legendNames({ ...spec, size }, spec.parts)).height + legendLine;
  const body = Math.max(rows + footHeight, legendHeight);
  return { width: wideFigure, height: panelTopEdge + headHeight + body + margin };
}

/** Names and bars share what the legend beside them leaves. */
function rowsOfFile(names: readonly string[]): NamedRows {
  return fileRows(names, { rowHeight: rowHeightOf(names.length), width: maxLabel, room: figureWidth });
}

export const compositionDrawing = withMinimumSize<CompositionBarSpec>(
  { scene, fit },
  {
    size: { width: 200, height: 150 },
    sentence: ({ groups }) =>
      groups.length === 0
        ? nothing
        : `Enlarge to see ${groups.length === 1 ? 'the bar' : `${groups.length} bars`}.`,
  },
);

const nothing = 'None of these cells has both a group and a part, so there is nothing to count.';

function roomFor(spec: Pick<CompositionBarSpec, 'size' | 'fitted' | 'noteLines'>): number {
  return spec.size.height - panelTop(spec) - headHeight - footHeight;
}

function fit(spec: CompositionBarSpec, size: CommonSpec['size']) {
  const maxGroups = Math.max(1, Math.floor(roomFor({ ...spec, size, fitted: { leftOut: '' } }) / minRow));
  const keptGroups = largestOf(spec.groups.keys(), (place) => spec.groups[place]!.cells, maxGroups).map(
    (place) => spec.groups[place]!,
  );
  const leftOut = fitText(keptGroups.length, spec.groups.length, 'groups');
  const hasLegend = size.width >= legendFrom;
  const room = partsThatFit({ ...spec, size, fitted: { leftOut } });
  const unnamed = spec.parts.length - namedParts(spec, room);
  const fitted = fittedWith(leftOut, {
    'the legend': hasLegend,
    [unnamed === 1 ? 'the name of 1 part' : `the names of ${countText(unnamed)} parts`]:
      !hasLegend || unnamed === 0,
    'the counts of cells': size.width >= countsFrom,
  });
  const hasAllParts = hasLegend && unnamed === 0;
  return {
    spec: { ...spec, size, fitted, groups: keptGroups },
    isWhole: leftOut === '' && hasAllParts,
  };
}

/** Number of parts that a legend with this many lines names: if there are more, the last line counts the rest. */
function namedParts({ parts }: Pick<CompositionBarSpec, 'parts'>, room: number): number {
  return parts.length <= room ? parts.length : Math.max(0, room - 1);
}

function partsThatFit(spec: Pick<CompositionBarSpec, 'size' | 'fitted' | 'noteLines'>): number {
  return Math.floor((spec.size.height - panelTop(spec) - margin) / legendLine) - 1;
}

function scene(spec: CompositionBarSpec): Scene {
  const { size, groups, fitted } = spec;
  const top = panelTop(spec);
  const hasLegend = size.width >= legendFrom;
  const hasCounts = size.width >= countsFrom;
  const besideBars = hasLegend ? legendWidthOf(spec) : 0;
  const longest = fitted === undefined ? maxLabel : 0.26 * size.width;
  const names = groups.map(({ label }) => label);
  const rowHeight = Math.max(minRow, Math.min(maxRow, roomFor(spec) / Math.max(1, names.length)));
  const rows = fitted === undefined ? rowsOfFile(names) : fittedRows(names, rowHeight, longest);
  const counts = hasCounts ? groups.map(({ cells }) => countText(cells)) : [];
  const title = ellipsised(spec.groupTitle, 1.2 * longest, smallSize);
  const labelEnd = Math.ceil(margin + widest([...rows.labels.flat(), title]));
  const countEnd = hasCounts ? Math.ceil(labelEnd + gap + widest(['cells', ...counts])) : labelEnd;
  // What few bars leave of the height is above and below them.
  const spare = fitted === undefined ? 0 : Math.max(0, roomFor(spec) - rows.height);
  const panel = {
    x: countEnd + gap,
    y: top + headHeight + spare / 2,
    width: size.width - margin - countEnd - gap - (hasLegend ? besideBars + legendGap : 14),
    height: rows.height,
  };
  const middles = rowMiddles(rows, panel.y);
  const longestBar = Math.max(1, ...groups.map(({ cells }) => cells));
  const head = { y: panel.y - 9, colour: softInk, anchor: 'end' } as const;
  const body: Mark[] =
    groups.length === 0
      ? wrappedWords(nothing, size.width - 2 * margin, smallSize).flatMap((text, i): Mark[] => [
          { ...small, text, x: margin, y: top + 22 + 20 * i, colour: inkColour, anchor: 'start' },
        ])
      : [
          {
            ...small,
            text: title,
            ...(title !== spec.groupTitle && { full: spec.groupTitle }),
            ...head,
            x: labelEnd,
          },
          ...(hasCounts ? [{ ...small, text: 'cells', ...head, x: countEnd }] : []),
          ...axis(spec, panel, longestBar),
          ...groups.flatMap((group, i): Mark[] => {
            const middle = middles[i]!;
            return [
              ...nameMarks(rows.labels[i]!, group.label, labelEnd, middle),
              ...(hasCounts
                ? [
                    {
                      ...small,
                      text: counts[i]!,
                      x: countEnd,
                      y: middle + toBaseline,
                      colour: softInk,
                      anchor: 'end',
                    } as const,
                  ]
                : []),
              ...bar(spec, group, panel, {
                middle,
                thickness: Math.min(maxThickness, 0.76 * rows.rowHeight),
                longestBar,
              }),
            ];
          }),
          ...(hasLegend ? legend(spec, size.width - margin - besideBars, top) : []),
        ];
  return {
    ...size,
    panel: groups.length === 0 ? { ...panel, width: 0, height: 0 } : panel,
    marks: [...heading(spec, 'semibold'), ...body],
  };
}

function bar(
  { show, parts }: CompositionBarSpec,
  { cells, counts }: CompositionBarSpec['groups'][number],
  { x, width }: Rectangle,
  { middle, thickness, longestBar }: { middle: number; thickness: number; longestBar: number },
): Mark[] {
  const whole = show === 'share' ? cells : longestBar;
  let before = 0;
  return counts.flatMap((count, i): Mark[] => {
    const [from, to] = [before / whole, (before + count) / whole];
    before += count;
    if (count === 0) return [];
    return [
      {
        kind: 'rectangle',
        x: x + from * width,
        y: middle - thickness / 2,
        width: (to - from) * width,
        height: thickness,
        colour: parts[i]!.colour,
      },
    ];
  });
}

function axis({ show }: CompositionBarSpec, panel: Rectangle, longestBar: number): Mark[] {
  const high = show === 'share' ? 100 : longestBar;
  const ticks =
    show === 'share'
      ? panel.width < 240
        ? [0, 50, 100]
        : [0, 25, 50, 75, 100]
      : [0, ...tidyTicks(0, high, panel.width < 240 ? 2 : 4)];
  const bottom = panel.y + panel.height;
  return [
    ...ticks.flatMap((tick): Mark[] => {
      const x = panel.x + (tick / high) * panel.width;
      return [
        gridLine(x, panel),
        {
          ...small,
          text: valueText(tick),
          x,
          y: bottom + 15 + toBaseline,
          colour: inkColour,
          anchor: 'middle',
        },
      ];
    }),
    {
      ...small,
      text: show === 'share' ? 'Share of cells (%)' : 'Cells',
      x: panel.x + panel.width / 2,
      y: bottom + 36 + toBaseline,
      colour: softInk,
      anchor: 'middle',
    },
  ];
}

function legendWidthOf({ fitted, size, parts, partTitle }: CompositionBarSpec): number {
  const names = widest(parts.map(({ label }) => label)) + swatch + swatchGap;
  const needed = Math.max(names, widest([partTitle, restText(99)]));
  if (fitted === undefined) return Math.ceil(Math.min(maxLegend, Math.max(legendWidth, needed)));
  return Math.ceil(Math.min(legendWidth, Math.max(minLegend, 0.26 * size.width), needed));
}

function restText(parts: number): string {
  return `and ${countText(parts)} more`;
}

/** In a file a name has up to three lines, in a page one. */
function legendNames(spec: CompositionBarSpec, shown: CompositionBarSpec['parts']): string[][] {
  const names = shown.map(({ label }) => label);
  const width = legendWidthOf(spec) - swatch - swatchGap;
  return fittedLines(names, width, smallSize, spec.fitted === undefined ? 3 : 1);
}

/** Distance of each entry of the legend from the first, and the height of all. */
function legendRows(names: readonly (readonly string[])[]) {
  let height = 0;
  const tops = names.map((lines) => {
    const top = height;
    height += legendLine + (lines.length - 1) * nameLine;
    return top;
  });
  return { tops, height };
}

function legend(spec: CompositionBarSpec, x: number, top: number): Mark[] {
  // The file is as high as its legend.
  const room = spec.fitted === undefined ? spec.parts.length : partsThatFit(spec);
  const shown = spec.parts.slice(0, namedParts(spec, room));
  const hidden = spec.parts.length - shown.length;
  const title = ellipsised(spec.partTitle, legendWidthOf(spec), smallSize);
  const names = legendNames(spec, shown);
  const { tops, height } = legendRows(names);
  const first = top + 13;
  const text = (words: string, y: number, indent: number, full = words, colour = inkColour): TextMark => ({
    ...small,
    text: words,
    ...(full !== words && { full }),
    x: x + indent,
    y,
    colour,
    anchor: 'start',
  });
  return [
    text(title, first, 0, spec.partTitle, softInk),
    ...shown.flatMap(({ label, colour }, i): Mark[] => {
      const y = first + legendLine + tops[i]!;
      const lines = names[i]!;
      const full = isWhole(lines, label) ? undefined : label;
      const marks: Mark[] = lines.map((line, nth) =>
        text(line, y + nth * nameLine, swatch + swatchGap, full),
      );
      return marks.concat({ kind: 'rectangle', x, y: y - swatch, width: swatch, height: swatch, colour });
    }),
    ...(hidden > 0 ? [text(restText(hidden), first + legendLine + height, 0, undefined, softInk)] : []),
  ];
}
