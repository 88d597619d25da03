import { countText } from '@cellfolio/model';
import type { GeneViolinSpec, ScoreViolinSpec, ViolinGroup } from '../figure.ts';
import type { Rectangle } from '../scene/scene.ts';
import { FIGURE_WIDTH, MARGIN, PANEL_TOP, SMALL_SIZE } from '../scene/typography.ts';
import { ellipsisedInside, wrappedOnTwo } from '../text/fit-text.ts';
import { percentText, tidyTicks, valueText } from '../text/number-text.ts';
import { textWidth } from '../text/text-width.ts';

/** What is written in the row of a group. */
export interface ViolinRow {
  readonly lines: readonly string[];
  readonly cells: string;
  /** Share of expressing cells; absent for scores. */
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

function heightOfRow(groups: number): number {
  return groups <= 12 ? TALL_ROW : groups <= 24 ? 28 : 23;
}

/** Every group has a row, so the figure grows with their number and the type stays as it is. */
export function violinSize(groups: number): { width: number; height: number } {
  const rows = Math.max(1, groups) * heightOfRow(groups);
  return { width: FIGURE_WIDTH, height: PANEL_TOP + HEAD + rows + FOOT };
}

/** Rows lie, so that long names are read without turning the head: name, cells, violin, share. */
export function violinLayout(spec: GeneViolinSpec | ScoreViolinSpec): ViolinLayout {
  const rowHeight = heightOfRow(spec.groups.length);
  const shares = spec.kind === 'gene-violin' ? spec.groups.map(shareText) : [];
  const rows = spec.groups.map((group, i): ViolinRow => ({
    // Only the tallest rows have room for a name on two lines.
    lines:
      rowHeight === TALL_ROW
        ? wrappedOnTwo(group.label, LABEL_WIDTH, SMALL_SIZE)
        : [ellipsisedInside(group.label, LABEL_WIDTH, SMALL_SIZE)],
    cells: countText(group.cells),
    ...(shares[i] !== undefined && { share: shares[i] }),
  }));
  const widest = (texts: readonly string[]): number =>
    Math.max(0, ...texts.map((text) => textWidth(text, SMALL_SIZE)));
  const headWidth = Math.min(textWidth(spec.groupTitle, SMALL_SIZE), HEAD_WIDTH);
  const labelWidth = Math.max(headWidth, widest(rows.flatMap((row) => row.lines)));
  const labelEnd = Math.ceil(MARGIN + labelWidth);
  const cellsEnd = Math.ceil(labelEnd + GAP + widest([CELLS_HEAD, ...rows.map((row) => row.cells)]));
  const shareWidth = spec.kind === 'gene-violin' ? widest([SHARE_HEAD, ...shares]) + GAP : 6;
  const x = cellsEnd + GAP;
  const panel = {
    x,
    y: PANEL_TOP + HEAD,
    width: Math.floor(spec.size.width - MARGIN - shareWidth - x),
    height: Math.max(1, rows.length) * rowHeight,
  };
  const [low, high] = shownDomain(spec.domain, spec.kind);
  const xOf = (value: number): number =>
    Number((panel.x + ((value - low) / (high - low)) * panel.width).toFixed(2));
  const ticks = ticksOf(spec.domain, xOf);
  const shareEnd = spec.size.width - MARGIN;
  return { panel, rowHeight, rows, labelEnd, labelWidth, cellsEnd, shareEnd, ticks, xOf };
}

function shareText(group: ViolinGroup & { readonly expressing: number }): string {
  return percentText(group.expressing, group.cells);
}

/** A range without width still needs an axis: a gene's begins at its value, a score stands in the middle. */
function shownDomain([low, high]: readonly [number, number], kind: string): readonly [number, number] {
  if (high > low) return [low, high];
  return kind === 'gene-violin' ? [low, low + 1] : [low - 0.5, low + 0.5];
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
