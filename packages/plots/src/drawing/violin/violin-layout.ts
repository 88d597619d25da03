import { countText } from '@cellfolio/model';
import { panelTop } from '../scene/panel.ts';
import type { Rectangle } from '../scene/scene.ts';
import { FIGURE_WIDTH, MARGIN, PANEL_TOP, SMALL_SIZE } from '../scene/style.ts';
import { ellipsisedInside, wrappedOnTwo } from '../text/fit-text.ts';
import { percentText, tidyTicks, valueText } from '../text/number-text.ts';
import { textWidth } from '../text/text-width.ts';
import type { ViolinSpec } from './violin-groups.ts';

/** What is written in the row of a group. */
export interface ViolinRow {
  readonly lines: readonly string[];
  /** Count; absent where there is no room for it. */
  readonly cells?: string;
  /** Share of expressing cells; absent for scores, and where there is no room for it. */
  readonly share?: string;
}

export interface ViolinLayout {
  /** Where the violins lie, without the heads of the columns. */
  readonly panel: Rectangle;
  readonly rowHeight: number;
  readonly rows: readonly ViolinRow[];
  /** Right edges of the columns of text. */
  readonly labelEnd: number;
  readonly labelWidth: number;
  readonly cellsEnd: number;
  readonly shareEnd: number;
  readonly ticks: readonly number[];
  readonly xOf: (value: number) => number;
}

export const CELLS_HEAD = 'cells';
export const SHARE_HEAD = 'expressing';

/** Line that names the columns, above the rows. */
const HEAD = 22;
/** Axis, its labels and its title below the rows. */
const FOOT = 62;
const GAP = 14;
const TALL_ROW = 38;
const LABEL_WIDTH = 180;
/** The head of the labels is not cut below this, however short they are. */
const HEAD_WIDTH = 130;

/** Of a figure that has to fit: rows in which one line of type has its height, and no more than is good to look at. */
const LEAST_ROW = 15;
const MOST_ROW = 54;
/** A name may take two lines from here on. */
const TWO_LINE_ROW = 34;
/** Without the space below the figure. */
const FITTED_FOOT = 48;
/** Narrower figures leave out the column of shares, then that of counts. */
const SHARES_FROM = 440;
const COUNTS_FROM = 300;

/** Groups that have a row of their own in a figure of this height. */
export function violinsThatFit(height: number): number {
  return Math.max(1, Math.floor(fittedRoom(height) / LEAST_ROW));
}

function fittedRoom(height: number): number {
  return height - panelTop({ fitted: { leftOut: '' } }) - HEAD - FITTED_FOOT;
}

function heightOfRow(groups: number): number {
  return groups <= 12 ? TALL_ROW : groups <= 24 ? 28 : 23;
}

/** Every group has a row, so the figure grows with their number and the type stays as it is. */
export function violinSize(groups: number): { width: number; height: number } {
  const rows = Math.max(1, groups) * heightOfRow(groups);
  return { width: FIGURE_WIDTH, height: PANEL_TOP + HEAD + rows + FOOT };
}

/** Rows lie, so that long names are read without turning the head: name, cells, violin, share. */
export function violinLayout(spec: ViolinSpec, ofGene: boolean): ViolinLayout {
  const { fitted, size } = spec;
  const count = spec.groups.length;
  const rowHeight =
    fitted === undefined
      ? heightOfRow(count)
      : Math.max(LEAST_ROW, Math.min(MOST_ROW, fittedRoom(size.height) / Math.max(1, count)));
  const longest = fitted === undefined ? LABEL_WIDTH : Math.min(260, 0.28 * size.width);
  const hasShares = ofGene && (fitted === undefined || size.width >= SHARES_FROM);
  const hasCounts = fitted === undefined || size.width >= COUNTS_FROM;
  const shares = hasShares
    ? spec.groups.map(({ expressing = 0, cells }) => percentText(expressing, cells))
    : [];
  const rows = spec.groups.map((group, i): ViolinRow => ({
    // Only the tallest rows have room for a name on two lines.
    lines:
      rowHeight >= TWO_LINE_ROW
        ? wrappedOnTwo(group.label, longest, SMALL_SIZE)
        : [ellipsisedInside(group.label, longest, SMALL_SIZE)],
    ...(hasCounts && { cells: countText(group.cells) }),
    ...(shares[i] !== undefined && { share: shares[i] }),
  }));
  const widest = (texts: readonly string[]): number =>
    Math.max(0, ...texts.map((text) => textWidth(text, SMALL_SIZE)));
  const headWidth = Math.min(textWidth(spec.groupTitle, SMALL_SIZE), HEAD_WIDTH, longest);
  const labelWidth = Math.max(headWidth, widest(rows.flatMap((row) => row.lines)));
  const labelEnd = Math.ceil(MARGIN + labelWidth);
  const counts = rows.flatMap((row) => row.cells ?? []);
  const cellsEnd = hasCounts ? Math.ceil(labelEnd + GAP + widest([CELLS_HEAD, ...counts])) : labelEnd;
  const shareWidth = hasShares ? widest([SHARE_HEAD, ...shares]) + GAP : 6;
  const x = cellsEnd + GAP;
  const panel = {
    x,
    y: panelTop(spec) + HEAD,
    width: Math.floor(spec.size.width - MARGIN - shareWidth - x),
    height: Math.max(1, rows.length) * rowHeight,
  };
  const [low, high] = shownDomain(spec.domain, ofGene);
  const xOf = (value: number): number =>
    Number((panel.x + ((value - low) / (high - low)) * panel.width).toFixed(2));
  const ticks = ticksOf(spec.domain, xOf);
  const shareEnd = spec.size.width - MARGIN;
  return { panel, rowHeight, rows, labelEnd, labelWidth, cellsEnd, shareEnd, ticks, xOf };
}

/** A range without width still needs an axis: a gene's begins at its value, a score stands in the middle. */
function shownDomain([low, high]: readonly [number, number], ofGene: boolean): readonly [number, number] {
  if (high > low) return [low, high];
  return ofGene ? [low, low + 1] : [low - 0.5, low + 0.5];
}

/** As many ticks, up to about five, as have room for their numbers. */
function ticksOf([low, high]: readonly [number, number], xOf: (value: number) => number): number[] {
  if (!(high > low)) return [low];
  for (let wanted = 5; wanted > 1; wanted--) {
    const ticks = [...(low === 0 ? [0] : []), ...tidyTicks(low, high, wanted), ...(high === 0 ? [0] : [])];
    const isClear = ticks.every((tick, i) => {
      const next = ticks[i + 1];
      if (next === undefined) return true;
      const needed = (textWidth(valueText(tick), SMALL_SIZE) + textWidth(valueText(next), SMALL_SIZE)) / 2;
      return xOf(next) - xOf(tick) >= needed + 8;
    });
    if (isClear && ticks.length > 0) return ticks;
  }
  return [low <= 0 && high >= 0 ? 0 : low];
}
