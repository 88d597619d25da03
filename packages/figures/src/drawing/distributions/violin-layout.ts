import { countText, percentText } from '@cellfolio/model';
import { fileRows } from '../../frame/rows.ts';
import { panelTop } from '../scene/panel.ts';
import type { Rectangle } from '../scene/scene.ts';
import { figureWidth, margin, panelTopEdge, smallSize } from '../scene/style.ts';
import { ellipsised } from '../text/fit-text.ts';
import { fittedLines, fittedNames } from '../text/fitted-names.ts';
import { areTicksClear, tidyTicks } from '../text/number-text.ts';
import { textWidth, widest } from '../text/text-width.ts';
import { rowsByGroup, type ViolinSpec } from './violin-groups.ts';

interface ViolinRow {
  lines: readonly string[];
  /** Number of rows of the group, in its first row; 0 in the others. */
  rowsOfGroup: number;
  partLines?: readonly string[];
  cells?: string;
  share?: string;
}

export interface ViolinLayout {
  panel: Rectangle;
  rowHeight: number;
  rows: readonly ViolinRow[];
  labelEnd: number;
  labelWidth: number;
  partEnd: number;
  cellsEnd: number;
  shareEnd: number;
  ticks: readonly number[];
  xOf: (value: number) => number;
}

export const cellsHead = 'cells';
export const shareHead = 'expressing';

const headHeight = 22;
const footHeight = 62;
const gapSize = 14;
const tallRow = 38;
const maxLabelWidth = 180;
const maxPartWidth = 120;
/** Widths that the names of groups, or of parts, share with the violins of a file. */
const labelRoom = 420;
const partRoom = 300;

/** Row heights of a fitted figure: at least one line of type, up to a height that still reads well. */
const minRow = 15;
const maxRow = 240;
const maxOfFew = 340;
const ridgeRise = 0.4;
const twoLineRow = 34;
const fittedFoot = 54;
export const sharesFrom = 440;
export const countsFrom = 300;

export function violinsThatFit(spec: Parameters<typeof fittedRoom>[0]): number {
  return Math.max(1, Math.floor(fittedRoom(spec) / minRow));
}

function fittedRoom({ size, noteLines }: Pick<ViolinSpec, 'size' | 'noteLines'>): number {
  const top = panelTop({ fitted: { leftOut: '' }, ...(noteLines && { noteLines }) });
  return size.height - top - headHeight - fittedFoot;
}

type Named = Pick<ViolinSpec['groups'][number], 'label' | 'part'>;

interface RowNames {
  labels: readonly (readonly string[])[];
  partNames: readonly (readonly string[])[];
  rowHeight: number;
}

function partsOf(groups: readonly Named[]): string[] {
  return [...new Set(groups.flatMap(({ part }) => part ?? []))];
}

/** A file's rows, all of one height, are as high as the longest name needs. */
function fileNames(groups: readonly Named[]): RowNames {
  const own = groups.length <= 12 ? tallRow : groups.length <= 24 ? 28 : 23;
  const groupRows = rowsByGroup(groups);
  const labels = fileRows(
    groupRows.map(([first]) => first!.label),
    { rowHeight: own, width: maxLabelWidth, room: labelRoom },
  );
  const parts = fileRows(partsOf(groups), { rowHeight: own, width: maxPartWidth, room: partRoom });
  const heights = labels.heights.map((height, i) => Math.ceil(height / groupRows[i]!.length));
  return {
    labels: labels.labels,
    partNames: parts.labels,
    rowHeight: Math.max(own, ...heights, ...parts.heights),
  };
}

/** In a page the tallest rows alone have room for a name on two lines. */
function fittedRowNames(spec: ViolinSpec): RowNames {
  const { width } = spec.size;
  const tallest = spec.groups.length <= 2 ? maxOfFew : maxRow;
  const rowHeight = Math.max(minRow, Math.min(tallest, fittedRow(spec)));
  const namesIn = (names: readonly string[], longest: number, rowsOf: (place: number) => number) => {
    const onOne = fittedNames(names, longest, smallSize);
    const onTwo = fittedLines(names, longest, smallSize);
    return onTwo.map((lines, i) => (rowHeight * rowsOf(i) >= twoLineRow ? lines : [onOne[i]!]));
  };
  const groupRows = rowsByGroup(spec.groups);
  const labels = groupRows.map(([first]) => first!.label);
  return {
    labels: namesIn(labels, Math.min(260, 0.28 * width), (i) => groupRows[i]!.length),
    partNames: namesIn(partsOf(spec.groups), Math.min(260, 0.18 * width), () => 1),
    rowHeight,
  };
}

export function violinSize(groups: readonly Named[]): { width: number; height: number } {
  const rows = Math.max(1, groups.length) * fileNames(groups).rowHeight;
  return { width: figureWidth, height: panelTopEdge + headHeight + rows + footHeight };
}

/** Rows are horizontal, so that long names are easy to read: name, cells, violin, share. */
export function violinLayout(spec: ViolinSpec, ofGene: boolean): ViolinLayout {
  const { fitted, size } = spec;
  const { labels, partNames, rowHeight } =
    fitted === undefined ? fileNames(spec.groups) : fittedRowNames(spec);
  const hasShares = ofGene && (fitted === undefined || size.width >= sharesFrom);
  const hasCounts = fitted === undefined || size.width >= countsFrom;
  const { split } = spec;
  const longestPart = Math.min(fitted === undefined ? maxPartWidth : 260, 0.18 * size.width);
  const parted = partsOf(spec.groups);
  const rows = rowsByGroup(spec.groups).flatMap((ofGroup, i) =>
    ofGroup.map(({ part, cells, expressing = 0 }, nth): ViolinRow => ({
      lines: nth > 0 ? [] : labels[i]!,
      rowsOfGroup: nth === 0 ? ofGroup.length : 0,
      ...(part !== undefined && { partLines: partNames[parted.indexOf(part)]! }),
      ...(hasCounts && { cells: countText(cells) }),
      ...(hasShares && { share: percentText(expressing, cells) }),
    })),
  );
  const longestHead = fitted === undefined ? maxLabelWidth : Math.min(320, 0.34 * size.width);
  const headWidth = Math.min(textWidth(spec.groupTitle, smallSize), longestHead);
  const labelWidth = Math.max(headWidth, widest(rows.flatMap((row) => row.lines)));
  const labelEnd = Math.ceil(margin + labelWidth);
  const counts = rows.flatMap((row) => row.cells ?? []);
  const parts = rows.flatMap((row) => row.partLines ?? []);
  const partHead = split === undefined ? [] : [ellipsised(split.title, longestPart, smallSize)];
  const partEnd =
    parts.length > 0 ? Math.ceil(labelEnd + gapSize + widest([...partHead, ...parts])) : labelEnd;
  const cellsEnd = hasCounts ? Math.ceil(partEnd + gapSize + widest([cellsHead, ...counts])) : partEnd;
  const shareWidth = hasShares ? widest([shareHead, ...rows.flatMap((row) => row.share ?? [])]) + gapSize : 6;
  const x = cellsEnd + gapSize;
  // What few rows leave of the height is above and below them.
  const spare =
    fitted === undefined || spec.groups[0]?.half === 'ridge'
      ? 0
      : Math.max(0, fittedRoom(spec) - rows.length * rowHeight);
  const panel = {
    x,
    y: panelTop(spec) + headHeight + overhang(spec, rowHeight) + spare / 2,
    width: Math.floor(spec.size.width - margin - shareWidth - x),
    height: Math.max(1, rows.length) * rowHeight,
  };
  const [low, high] = shownDomain(spec.domain, ofGene);
  const xOf = (value: number): number =>
    Number((panel.x + ((value - low) / (high - low)) * panel.width).toFixed(2));
  const ticks = ticksOf(spec.domain, xOf);
  const shareEnd = spec.size.width - margin;
  return { panel, rowHeight, rows, labelEnd, labelWidth, partEnd, cellsEnd, shareEnd, ticks, xOf };
}

function fittedRow(spec: ViolinSpec): number {
  const { groups } = spec;
  const room = fittedRoom(spec);
  const count = Math.max(1, groups.length);
  const row = room / count;
  return groups[0]?.half === 'ridge' && ridgeRise * row > headHeight
    ? (room + headHeight) / (count + ridgeRise)
    : row;
}

function overhang({ groups, fitted }: ViolinSpec, rowHeight: number): number {
  const isRidge = fitted !== undefined && groups[0]?.half === 'ridge';
  return isRidge ? Math.max(0, ridgeRise * rowHeight - headHeight) : 0;
}

/** A range without width still needs an axis: a gene's begins at its value, a score is centred. */
function shownDomain([low, high]: readonly [number, number], ofGene: boolean): readonly [number, number] {
  if (high > low) return [low, high];
  return ofGene ? [low, low + 1] : [low - 0.5, low + 0.5];
}

function ticksOf([low, high]: readonly [number, number], xOf: (value: number) => number): number[] {
  if (!(high > low)) return [low];
  for (let tickCount = 5; tickCount > 1; tickCount--) {
    const ticks = [...(low === 0 ? [0] : []), ...tidyTicks(low, high, tickCount), ...(high === 0 ? [0] : [])];
    if (ticks.length > 0 && areTicksClear(ticks, xOf)) return ticks;
  }
  return [low <= 0 && high >= 0 ? 0 : low];
}
