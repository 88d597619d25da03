import { fittedWith } from '../minimum-size.ts';
import { legendGap } from '../gene-matrix/layout.ts';
import { panelTop } from '../scene/panel.ts';
import { figureWidth, margin, smallSize } from '../scene/style.ts';
import { ellipsised } from '../text/fit-text.ts';
import { fittedNames } from '../text/fitted-names.ts';
import { fitText } from '../text/number-text.ts';
import type { FontStyle } from '../text/svg-text.ts';
import { textWidth, widest } from '../text/text-width.ts';
import { cutGrid, type LabelGridSpec } from './spec.ts';

export interface LabelGridLayout {
  size: { width: number; height: number };
  left: number;
  top: number;
  rowPitch: number;
  columnPitch: number;
  radius: number;
  rowLabels: readonly string[];
  columnLabels: readonly string[];
  legend?: { x: number; y: number; width: number };
}

export const labelGap = 12;
const titleHeight = 24;
export const arrow = ' → ';
const legendWidth = 186;
const legendHeight = 190;
const longest = { row: 270, column: 230 } as const;
const pitches = { dot: 26, tile: 34, plain: 18, min: 18, minPlain: 5 } as const;
const roomy = { dots: { row: 64, column: 84 }, tiles: { row: 80, column: 120 } } as const;
const maxDot = 16;

export function labelGridLayout(spec: LabelGridSpec): LabelGridLayout {
  const { fitted, size, rows, columns } = spec;
  const maxLengths = fitted
    ? {
        row: Math.min(longest.row, Math.floor(0.36 * size.width)),
        column: Math.min(longest.column, Math.floor(0.4 * size.height)),
      }
    : longest;
  const rowLabels = shortened(rows, maxLengths.row, spec.rowStyle);
  const columnLabels = shortened(columns, maxLengths.column, spec.columnStyle);
  const rowTitle = ellipsised(spec.rowTitle, maxLengths.row, smallSize);
  const left = Math.ceil(
    margin + Math.max(widest(rowLabels, spec.rowStyle), textWidth(rowTitle, smallSize)) + labelGap,
  );
  const top = panelTop(spec) + titleHeight;
  const foot = Math.ceil(widest(columnLabels, spec.columnStyle)) + labelGap + margin;
  const ownPitch = spec.areas ? pitches.dot : spec.isPlain ? pitches.plain : pitches.tile;
  const beside = legendGap + legendWidth;
  if (!fitted) {
    const end = left + columns.length * ownPitch;
    const height = top + Math.max(rows.length * ownPitch + foot, legendHeight + margin);
    return {
      size: { width: Math.max(figureWidth, Math.ceil(end + beside + margin)), height: Math.ceil(height) },
      left,
      top,
      rowPitch: ownPitch,
      columnPitch: ownPitch,
      radius: ownPitch / 2 - 1,
      rowLabels,
      columnLabels,
      legend: { x: end + legendGap, y: top, width: legendWidth },
    };
  }
  const room = size.width - left - margin;
  const hasLegend =
    room - beside >= columns.length * minPitch(spec) && size.height - top - margin >= legendHeight;
  const largest = spec.areas ? roomy.dots : roomy.tiles;
  const pitch = (space: number, count: number, widest: number) =>
    Math.max(minPitch(spec), Math.min(widest, space / Math.max(1, count)));
  const across = hasLegend ? room - beside : room;
  const columnPitch = pitch(across, columns.length, largest.column);
  const rowPitch = pitch(size.height - top - foot, rows.length, largest.row);
  // What the grid does not need is around it.
  const spare = {
    x: Math.max(0, across - columns.length * columnPitch) / 2,
    y:
      Math.max(
        0,
        size.height - top - Math.max(rows.length * rowPitch + foot, hasLegend ? legendHeight + margin : 0),
      ) / 2,
  };
  return {
    size,
    left: left + spare.x,
    top: top + spare.y,
    rowLabels,
    columnLabels,
    columnPitch,
    rowPitch,
    radius: Math.min(maxDot, Math.min(rowPitch, columnPitch) / 2 - 1),
    ...(hasLegend && {
      legend: {
        x: left + spare.x + columns.length * columnPitch + legendGap,
        y: top + spare.y,
        width: legendWidth,
      },
    }),
  };
}

function minPitch({ isPlain }: LabelGridSpec): number {
  return isPlain ? pitches.minPlain : pitches.min;
}

/** One in this many labels has room at a pitch. */
export function labelStep(pitch: number): number {
  return Math.ceil(pitches.min / (pitch + 2));
}

/** Labels cut to a width, with different ones kept distinct; `A → B` keeps both ends and the arrow. */
function shortened(labels: readonly string[], width: number, style?: FontStyle): string[] {
  const ends = labels.map((label) => label.split(arrow));
  if (!ends.every((of) => of.length === 2)) return fittedNames(labels, width, smallSize, style);
  const room = width - textWidth(arrow, smallSize) - 2;
  const half = Math.floor(room / 2);
  const names = (end: 0 | 1): string[] =>
    fittedNames(
      ends.map((of) => of[end]!),
      ends.map((of) => Math.max(half, room - textWidth(of[1 - end]!, smallSize))),
      smallSize,
    );
  const [from, to] = [names(0), names(1)];
  return labels.map((_, i) => `${from[i]!}${arrow}${to[i]!}`);
}

export function fitLabelGrid<Spec extends LabelGridSpec>(spec: Spec, size: LabelGridSpec['size']) {
  const whole: Spec = { ...spec, size, fitted: { leftOut: '' } };
  const { left, top, columnLabels } = labelGridLayout(whole);
  const foot = Math.ceil(widest(columnLabels)) + labelGap + margin;
  const fitting = (space: number, all: number) =>
    Math.max(1, Math.min(all, Math.floor(space / minPitch(spec))));
  const rows = fitting(size.height - top - foot, spec.rows.length);
  const columns = fitting(size.width - left - margin, spec.columns.length);
  const leftOut = [
    fitText(rows, spec.rows.length, 'rows'),
    fitText(columns, spec.columns.length, 'columns'),
  ].filter((text) => text !== '');
  const cut = cutGrid(whole, rows, columns);
  const { rowPitch, columnPitch } = labelGridLayout(cut);
  const named = (pitch: number, count: number, noun: string) => {
    const text = fitText(Math.ceil(count / labelStep(pitch)), count, noun);
    if (text !== '') leftOut.push(`names of ${text}`);
  };
  named(rowPitch, rows, 'rows');
  named(columnPitch, columns, 'columns');
  const fitted = fittedWith(leftOut.join(', '), { 'the legend': labelGridLayout(cut).legend !== undefined });
  return { spec: { ...cut, fitted }, isWhole: leftOut.length === 0 };
}
