import { countText } from '@cellfolio/model';
import type { DotPlotSpec } from './spec.ts';
import { panelTop } from '../drawing/scene/panel.ts';
import { MARGIN, SMALL_SIZE } from '../drawing/scene/style.ts';
import { ellipsised, ellipsisedInside } from '../drawing/text/fit-text.ts';
import {
  BARE_TOP,
  BRACKET_RISE,
  COUNT_TITLE,
  LABEL_GAP,
  LEGEND_HEIGHT,
  LEGEND_STRIP,
  LINE,
  NAME_RISE,
  SYMBOL_DROP,
  nameLines,
  nameSetting,
  widest,
} from './layout.ts';
import type { DotPlotLayout, PlacedRun } from './layout.ts';
import { RUN_GAP, bandWidth, runsOf } from './gene-bands.ts';
import { limitDotPlot } from './spec.ts';

const LEGEND_WIDTH = 124;
const LEGEND_GAP = 22;
/** From the symbols down to a legend below them, where the rows then still have their height. */
const LEGEND_DROP = 18;
const COMFORTABLE_ROW = 22;
/** Pitches of rows and columns: from a line of type to what is good to look at. */
const LEAST_ROW = 15;
const LEAST_COLUMN = 16;
const MOST_COLUMN = 32;
const MOST_ROW = 44;
const LONGEST_SYMBOL = 84;
/** Narrower figures have no counts beside their rows. */
const COUNTS_FROM = 640;
/** Smaller figures have no legend. */
const LEGEND_FROM = 400;

type Sized = Pick<DotPlotSpec, 'groups' | 'genes' | 'groupTitle' | 'fewCells' | 'fitted' | 'size'>;

/**
 * The groups and genes of a dot plot that are drawn in a size: the largest groups that have room for a row, and of each
 * as many of its first genes as have room for a column.
 */
export function fitDotPlot(spec: DotPlotSpec, size: DotPlotSpec['size']): DotPlotSpec {
  const fitted = { leftOut: '' };
  const whole = { ...spec, size, fitted };
  const { rowRoom, columnRoom } = roomsOf(whole);
  const brackets = runsOf(spec.genes).length;
  const kept = limitDotPlot(spec.groups, spec.genes, {
    groups: Math.max(1, Math.floor(rowRoom / LEAST_ROW)),
    genes: (groups) => {
      const gaps = RUN_GAP * Math.max(0, Math.min(brackets, groups) - 1);
      return Math.max(1, Math.floor((columnRoom - gaps) / LEAST_COLUMN));
    },
  });
  const places = kept.groups.flatMap((group) => kept.genes.map((gene) => group * spec.genes.length + gene));
  const leftOut = [
    ...part(kept.genes.length, spec.genes.length, 'genes'),
    ...part(kept.groups.length, spec.groups.length, 'groups'),
  ].join(' and ');
  return {
    ...whole,
    fitted: { leftOut: leftOut === '' ? '' : `${leftOut} fit here` },
    groups: kept.groups.map((i) => spec.groups[i]!),
    genes: kept.genes.map((i) => spec.genes[i]!),
    mean: places.map((place) => spec.mean[place]!),
    fraction: places.map((place) => spec.fraction[place]!),
  };
}

function part(kept: number, all: number, noun: string): string[] {
  return kept < all ? [`${countText(kept)} of ${countText(all)} ${noun}`] : [];
}

/** What rows and columns have, in CSS pixels, and what stands around them. */
function roomsOf(spec: Sized) {
  const { groups, genes, fewCells = 0, size } = spec;
  const longest = 0.26 * size.width;
  const rowLabels = groups.map(({ label, cells }) => {
    const mark = cells < fewCells ? '*' : '';
    return `${ellipsisedInside(label, longest, SMALL_SIZE)}${mark}`;
  });
  const groupTitle = ellipsised(spec.groupTitle, longest, SMALL_SIZE);
  const hasCounts = size.width >= COUNTS_FROM;
  const countWidth = hasCounts
    ? widest([...groups.map((group) => countText(group.cells)), COUNT_TITLE])
    : -LABEL_GAP;
  const left = Math.ceil(MARGIN + widest([...rowLabels, groupTitle]) + LABEL_GAP + countWidth + LABEL_GAP);
  const top = panelTop({ fitted: { leftOut: '' } });
  const symbols = genes.map((gene) => ellipsised(gene.symbol, LONGEST_SYMBOL, SMALL_SIZE, 'italic'));
  const foot = SYMBOL_DROP + widest(symbols, 'italic');
  const whole = size.height - top - BARE_TOP - foot - MARGIN;
  const isBelow = whole - LEGEND_STRIP - LEGEND_DROP >= COMFORTABLE_ROW * groups.length;
  const hasLegend = isBelow || (size.width >= LEGEND_FROM && size.height >= top + LEGEND_HEIGHT + MARGIN);
  const columnRoom = size.width - left - MARGIN - (hasLegend && !isBelow ? LEGEND_GAP + LEGEND_WIDTH : 0);
  const rowRoom = whole - (isBelow ? LEGEND_STRIP + LEGEND_DROP : 0);
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
    symbols,
    foot,
    rowRoom,
  };
}

/** Where everything goes in the size of the spec: one band of columns, the legend beside it. */
export function fittedDotPlotLayout(spec: Sized): DotPlotLayout {
  const rooms = roomsOf(spec);
  const { left, top, symbols, columnRoom } = rooms;
  const runs = runsOf(spec.genes);
  const gaps = RUN_GAP * Math.max(0, runs.length - 1);
  const columnPitch = pitchOf(columnRoom - gaps, spec.genes.length, [LEAST_COLUMN, MOST_COLUMN]);
  const setting = nameSetting([runs], columnPitch);
  // Names that cannot lie would take the height that the rows need.
  const names = runs.map((run) => (setting === 'upright' ? [] : nameLines(run, columnPitch, setting)));
  const lines = Math.max(0, ...names.map((name) => name.length));
  const wanted = lines === 0 ? 0 : lines * LINE + BRACKET_RISE + NAME_RISE - BARE_TOP;
  const hasNames = rooms.rowRoom - wanted >= LEAST_ROW * spec.groups.length;
  const head = BARE_TOP + (hasNames ? Math.max(0, wanted) : 0);
  const rowRoom = rooms.rowRoom + BARE_TOP - head;
  const rowPitch = pitchOf(rowRoom, spec.groups.length, [LEAST_ROW, MOST_ROW]);
  let x = left;
  const placed = runs.map((run, i): PlacedRun => {
    const at = x;
    const width = run.count * columnPitch;
    x += width + RUN_GAP;
    const shown = symbols.slice(run.first, run.first + run.count);
    return { ...run, x: at, width, lines: hasNames ? names[i]! : [], symbols: shown };
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
    radius: 0.45 * Math.min(rowPitch, columnPitch),
    bands: placed.length === 0 ? [] : [{ top: top + head, width, runs: placed }],
    namesLie: true,
    legend: {
      x: rooms.isBelow
        ? MARGIN
        : Math.min(left + width + LEGEND_GAP, spec.size.width - MARGIN - LEGEND_WIDTH),
      y: rooms.isBelow
        ? top + head + rowPitch * spec.groups.length + rooms.foot + LEGEND_DROP
        : Math.min(top + head, spec.size.height - MARGIN - LEGEND_HEIGHT),
      width: LEGEND_WIDTH,
      isBeside: !rooms.isBelow,
      isShown: rooms.hasLegend,
    },
  };
}

function pitchOf(room: number, count: number, [least, most]: readonly [number, number]): number {
  return Math.max(least, Math.min(most, room / Math.max(1, count)));
}
