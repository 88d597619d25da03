import { countText } from '@cellfolio/model';
import type { GeneMatrixSpec } from './spec.ts';
import { panelTop } from '../scene/panel.ts';
import { margin, smallSize } from '../scene/style.ts';
import { ellipsised, ellipsisedInside } from '../text/fit-text.ts';
import { bracketNames, rowNumbers } from './bracket-names.ts';
import { keyHeight, lyingPitch } from './name-setting.ts';
import { bareTop, countTitle, labelGap, legendHeight, legendStrip, symbolDrop, treeIn } from './layout.ts';
import type { GeneMatrixLayout, PlacedRun } from './layout.ts';
import { widest } from '../text/text-width.ts';
import { bandWidth, type GeneRun, runGap, runsOf } from './gene-bands.ts';
import { treeOfRows } from './group-tree.ts';
import { cellsText, columnStyle, limitGeneMatrix, matrixNouns } from './spec.ts';

const legendWidth = 124;
const legendGap = 22;
/** From the symbols down to a legend below them, where the rows then still have their height. */
const legendDrop = 18;
const comfortableRow = 22;
/** Pitches of rows and columns: from a line of type to what is good to look at. */
const minRow = 15;
const minColumn = 16;
const maxColumn = 56;
/** Of dots whose brackets then have their names. */
const maxNamedColumn = 96;
/** From which columns are not made narrower for names, counts and the legend. */
const comfortableColumn = 32;
const comfortableViolin = 60;
/** Columns of cells are read by their colours too: a few pixels are enough, and symbols then stand at some of them. */
const minCellColumn = 2.5;
/** From one symbol to the next. */
const symbolPitch = 13;
const maxRow = 44;
/** Of the lines of a group: the more room, the more of its cells can be told apart. */
const maxCellRow = 120;
const maxCellColumn = 120;
const maxSymbolLength = 84;
/** Narrower figures have no counts beside their rows. */
const countsFrom = 640;
/** Narrower figures have no legend beside the dots. */
const legendFrom = 480;
/** Narrower ones have none below them either, where size and colour stand side by side. */
const legendBelowFrom = 300;

type Sized = Pick<
  GeneMatrixSpec,
  'groups' | 'genes' | 'groupTitle' | 'fewCells' | 'fitted' | 'size' | 'marks' | 'dendrogram' | 'byDataset'
>;

/** Least and greatest pitch of the columns: a violin needs more than a dot, a line of cells less. */
function columnLimits({ marks }: Pick<Sized, 'marks'>): readonly [number, number] {
  if (marks === 'violins') return [30, 180];
  return marks === 'cells' ? [minCellColumn, maxCellColumn] : [minColumn, maxColumn];
}

/**
 * The groups and genes of a dot plot that are drawn in a size: the largest groups that have room for a row, and of each
 * as many of its first genes as have room for a column. Genes of a heatmap whose symbols alone have no room are there.
 */
export function fitGeneMatrix(
  spec: GeneMatrixSpec,
  size: GeneMatrixSpec['size'],
): { readonly spec: GeneMatrixSpec; readonly isWhole: boolean } {
  const fitted = { leftOut: '' };
  const whole = { ...spec, size, fitted };
  // Without a gene there is a sentence, which leaves nothing out.
  if (spec.genes.length === 0) return { spec: whole, isWhole: true };
  const { rowRoom, columnRoom } = roomsOf(whole);
  const brackets = runsOf(spec.genes).length;
  const kept = limitGeneMatrix(spec.groups, spec.genes, {
    groups: Math.max(1, Math.floor(rowRoom / minRow)),
    genes: (groups) => {
      const gaps = runGap * Math.max(0, Math.min(brackets, groups) - 1);
      return Math.max(1, Math.floor((columnRoom - gaps) / columnLimits(spec)[0]));
    },
  });
  const places = kept.groups.flatMap((group) => kept.genes.map((gene) => group * spec.genes.length + gene));
  const { row, column } = matrixNouns(spec);
  const left = [
    ...part(kept.genes.length, spec.genes.length, `${column}s`),
    ...part(kept.groups.length, spec.groups.length, `${row}s`),
  ].join(' and ');
  const drawn: GeneMatrixSpec = {
    ...whole,
    fitted: { leftOut: left },
    groups: kept.groups.map((i) => spec.groups[i]!),
    genes: kept.genes.map((i) => spec.genes[i]!),
    mean: places.map((place) => spec.mean[place]!),
    fraction: places.map((place) => spec.fraction[place]!),
    ...(spec.dendrogram && {
      dendrogram: { ...spec.dendrogram, merges: treeOfRows(spec.dendrogram.merges, kept.groups) },
    }),
    ...(spec.byDataset && {
      byDataset: { ...spec.byDataset, cells: places.map((place) => spec.byDataset!.cells[place]!) },
    }),
    ...(spec.cells && {
      cells: {
        ...spec.cells,
        shown: kept.groups.map((i) => spec.cells!.shown[i]!),
        levels: places.map((place) => spec.cells!.levels[place]!),
      },
    }),
    ...(spec.violins && {
      violins: { ...spec.violins, shapes: places.map((place) => spec.violins!.shapes[place]!) },
    }),
  };
  const layout = fittedGeneMatrixLayout(drawn);
  const names = namesText(drawn, layout);
  const isWhole = left === '' && layout.unnamed === 0;
  if (names === '') return { spec: drawn, isWhole };
  // Genes and groups are counted once; that the cells are a part of all has to be said in any room.
  const [, ...notes] = spec.summary.split(' · ');
  const summary = [cellsText(drawn.groups, drawn.cells), ...notes].join(' · ');
  const leftOut = [left, names].filter(Boolean).join(', ');
  return { spec: { ...drawn, summary, fitted: { leftOut } }, isWhole };
}

/** How many genes have their symbols and brackets their names, where not all do. */
function namesText(spec: GeneMatrixSpec, { symbolEvery, unnamed }: FittedLayout): string {
  const named = runsOf(spec.genes).reduce((sum, { count }) => sum + Math.ceil(count / symbolEvery), 0);
  const parts = [
    ...(symbolEvery > 1 ? [`${countText(named)} of ${countText(spec.genes.length)} genes`] : []),
    ...(unnamed > 0 ? [`0 of ${countText(unnamed)} brackets`] : []),
  ];
  return parts.length === 0 ? '' : `names of ${parts.join(' and ')}`;
}

function part(kept: number, all: number, noun: string): string[] {
  return kept < all ? [`${countText(kept)} of ${countText(all)} ${noun}`] : [];
}

/** What rows and columns have, in CSS pixels, and what stands around them. */
function roomsOf(spec: Sized, areRowsNumbered = false) {
  const { groups, genes, fewCells = 0, size } = spec;
  const tree = treeIn(spec.dendrogram, Math.min(48, 0.1 * size.width));
  const counts = widest([...groups.map((group) => countText(group.cells)), countTitle]);
  const comfortable = bandWidth(runsOf(genes), comfortableOf(spec)) + tree.gap + tree.depth;
  const around = 2 * margin + labelGap + comfortable;
  const longest = Math.max(0.26 * size.width, Math.min(0.5 * size.width, size.width - around));
  const rowLabels = groups.map(({ label, cells }, row) => {
    const mark = cells < fewCells ? '*' : '';
    return `${ellipsisedInside(areRowsNumbered ? `${row + 1} ${label}` : label, longest, smallSize)}${mark}`;
  });
  const groupTitle = ellipsised(spec.groupTitle, longest, smallSize);
  const labelWidth = widest([...rowLabels, groupTitle]);
  const hasCounts = size.width >= countsFrom || around + labelWidth + labelGap + counts <= size.width;
  const countWidth = hasCounts ? counts : -labelGap;
  const left = Math.ceil(margin + labelWidth + labelGap + countWidth + labelGap);
  const top = panelTop({ fitted: { leftOut: '' } });
  const style = columnStyle(spec);
  const symbols = genes.map((gene) => ellipsised(gene.symbol, maxSymbolLength, smallSize, style));
  const foot = symbolDrop + widest(symbols, style);
  const whole = size.height - top - bareTop - foot - margin;
  const below = legendStrip(spec) + legendDrop;
  const isBelow = size.width >= legendBelowFrom && whole - below >= comfortableRow * groups.length;
  const isWide = left + comfortable + legendGap + legendWidth + margin <= size.width;
  const hasLegend =
    isBelow || ((size.width >= legendFrom || isWide) && size.height >= top + legendHeight + margin);
  const beside = (hasLegend && !isBelow ? legendGap + legendWidth : 0) + tree.gap + tree.depth;
  const columnRoom = size.width - left - margin - beside;
  const rowRoom = whole - (isBelow ? below : 0);
  return {
    rowLabels,
    groupTitle,
    hasCounts,
    countWidth,
    left,
    top,
    hasLegend,
    isBelow,
    columnRoom,
    tree,
    symbols,
    foot,
    rowRoom,
  };
}

interface FittedLayout extends GeneMatrixLayout {
  /** Brackets without a name. */
  readonly unnamed: number;
}

/** The room of rows and columns, and the names of the brackets in it. */
function namedRooms(spec: Sized, runs: readonly GeneRun[], rooms = roomsOf(spec)) {
  const gaps = runGap * Math.max(0, runs.length - 1);
  const room = rooms.columnRoom - gaps;
  const pitch = pitchOf(room, spec.genes.length, columnLimits(spec));
  const columnPitch = lyingPitch(runs, pitch, Math.min(maxNamedColumn, room / spec.genes.length));
  const spare = rooms.rowRoom - minRow * spec.groups.length;
  const isWide = spec.genes.length * columnPitch + gaps > rooms.columnRoom + 0.01;
  const width = rooms.left + rooms.columnRoom - margin;
  return { rooms, columnPitch, spare, isWide, names: bracketNames(runs, { columnPitch, spare, width }) };
}

/** Markers stand under the names of rows, which then explain the numbers; undefined of other names, and without room. */
function numberedRooms(spec: Sized, runs: readonly GeneRun[]) {
  const rowOf = new Map(spec.groups.map(({ label }, row) => [label, row + 1]));
  if (!runs.every(({ bracket }) => bracket === null || rowOf.has(bracket))) return undefined;
  const { spare, isWide, ...named } = namedRooms(spec, runs, roomsOf(spec, true));
  const names = rowNumbers(runs, rowOf);
  return isWide || names.head - bareTop > spare ? undefined : { ...named, names };
}

/** Where everything goes in the size of the spec: one band of columns, the legend beside it. */
export function fittedGeneMatrixLayout(spec: Sized): FittedLayout {
  const runs = runsOf(spec.genes);
  const plain = namedRooms(spec, runs);
  const numbered = plain.names.unnamed > 0 ? numberedRooms(spec, runs) : undefined;
  const { rooms, columnPitch, names } = numbered ?? plain;
  const { left, top, symbols, tree } = rooms;
  const { head } = names;
  const keyRoom = keyHeight(names.key);
  const rowRoom = rooms.rowRoom + bareTop - head - keyRoom;
  const rowPitch = pitchOf(rowRoom, spec.groups.length, [
    minRow,
    spec.marks === 'cells' ? maxCellRow : maxRow,
  ]);
  let x = left;
  const placed = runs.map((run, i): PlacedRun => {
    const at = x;
    const width = run.count * columnPitch;
    x += width + runGap;
    const shown = symbols.slice(run.first, run.first + run.count);
    return { ...run, x: at, width, lines: names.lines[i]!, symbols: shown };
  });
  const width = bandWidth(runs, columnPitch);
  return {
    size: spec.size,
    left,
    hasCounts: rooms.hasCounts,
    countWidth: rooms.countWidth,
    groupTitle: rooms.groupTitle,
    rowLabels: rooms.rowLabels,
    rowPitch,
    columnPitch,
    symbolEvery: symbolEveryOf(spec, columnPitch),
    radius: 0.45 * Math.min(rowPitch, columnPitch),
    bands: placed.length === 0 ? [] : [{ top: top + head, width, runs: placed }],
    tree,
    namesLie: true,
    unnamed: names.unnamed,
    key: { lines: names.key, y: top + head + rowPitch * spec.groups.length + rooms.foot },
    legend: {
      x: rooms.isBelow
        ? margin
        : Math.min(left + width + tree.gap + tree.depth + legendGap, spec.size.width - margin - legendWidth),
      y: rooms.isBelow
        ? top + head + rowPitch * spec.groups.length + rooms.foot + keyRoom + legendDrop
        : Math.min(top + head, spec.size.height - margin - legendHeight),
      width: legendWidth,
      isBeside: !rooms.isBelow,
      isShown: rooms.hasLegend,
    },
  };
}

function comfortableOf({ marks }: Pick<Sized, 'marks'>): number {
  return marks === 'violins' ? comfortableViolin : marks === 'cells' ? minColumn : comfortableColumn;
}

function symbolEveryOf({ marks }: Pick<Sized, 'marks'>, columnPitch: number): number {
  return marks === 'cells' ? Math.max(1, Math.ceil(symbolPitch / columnPitch)) : 1;
}

function pitchOf(room: number, count: number, [least, most]: readonly [number, number]): number {
  return Math.max(least, Math.min(most, room / Math.max(1, count)));
}
