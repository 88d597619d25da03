import { countText } from '@cellfolio/model';
import type { LegendGroup } from '../figure.ts';
import { ellipsisedInside, wrappedOnTwo } from '../text/fit-text.ts';
import { textWidth } from '../text/text-width.ts';
import { ARROW_GUTTER } from './panel.ts';
import type { Mark, Rectangle } from './scene.ts';
import { INK, SOFT_INK, FIGURE_WIDTH, MARGIN, PANEL_TOP, SMALL_SIZE } from './style.ts';

export interface LegendLayout {
  readonly size: { readonly width: number; readonly height: number };
  readonly panel: Rectangle;
  readonly marks: readonly Mark[];
}

const HEIGHT = 500;
const ROW = 20;
export const DOT = 5;
/** Lines of type that fit beside the panel. */
const LINES_BESIDE = 20;
const GAP = 18;

/**
 * Up to 20 groups stand in one column right of the points; more stand below them in two or three columns,
 * so that the figure keeps the width of a journal column and its type the size.
 */
export function legendLayout(groups: readonly LegendGroup[]): LegendLayout {
  return groups.length <= LINES_BESIDE ? beside(groups) : below(groups);
}

function beside(groups: readonly LegendGroup[]): LegendLayout {
  const labels = Math.max(0, ...groups.map((group) => textWidth(group.label, SMALL_SIZE)));
  const counts = widestCount(groups);
  const fixed = 2 * DOT + 8 + 10 + counts;
  const labelWidth = Math.min(Math.max(labels, 40) + 2, 224 - fixed);
  const width = groups.length === 0 ? 0 : fixed + labelWidth;
  const panel = {
    x: MARGIN + ARROW_GUTTER,
    y: PANEL_TOP,
    width: FIGURE_WIDTH - 2 * MARGIN - ARROW_GUTTER - width - GAP,
    height: HEIGHT - PANEL_TOP - MARGIN - ARROW_GUTTER,
  };
  const wrapped = groups.map((group) => wrappedOnTwo(group.label, labelWidth, SMALL_SIZE));
  const lines = wrapped.reduce((sum, parts) => sum + parts.length, 0);
  const texts =
    lines <= LINES_BESIDE
      ? wrapped
      : groups.map((group) => [ellipsisedInside(group.label, labelWidth, SMALL_SIZE)]);
  const marks: Mark[] = [];
  const x = FIGURE_WIDTH - MARGIN - width;
  let y = PANEL_TOP - 2;
  groups.forEach((group, i) => {
    marks.push(...legendEntry(group, texts[i]!, { x, y, width, height: ROW }));
    y += ROW * texts[i]!.length - (texts[i]!.length - 1) * 3;
  });
  return { size: { width: FIGURE_WIDTH, height: HEIGHT }, panel, marks };
}

function below(groups: readonly LegendGroup[]): LegendLayout {
  const counts = widestCount(groups);
  const fixed = 2 * DOT + 8 + 10 + counts;
  const widest = Math.max(...groups.map((group) => textWidth(group.label, SMALL_SIZE)));
  const available = FIGURE_WIDTH - 2 * MARGIN;
  const gap = 22;
  const columns = widest + fixed <= (available - 2 * gap) / 3 ? 3 : 2;
  const pitch = (available + gap) / columns;
  // Short names keep their counts near instead of at the far edge of the column.
  const width = Math.min(pitch - gap, Math.max(widest, 40) + fixed + 12);
  const panel = {
    x: MARGIN + ARROW_GUTTER,
    y: PANEL_TOP,
    width: available - ARROW_GUTTER,
    height: 420,
  };
  const top = panel.y + panel.height + ARROW_GUTTER + 22;
  const rows = Math.ceil(groups.length / columns);
  const marks = groups.flatMap((group, i) =>
    legendEntry(group, [ellipsisedInside(group.label, width - fixed, SMALL_SIZE)], {
      x: MARGIN + Math.floor(i / rows) * pitch,
      y: top + (i % rows) * ROW,
      width,
      height: ROW,
    }),
  );
  return { size: { width: FIGURE_WIDTH, height: Math.ceil(top + rows * ROW + MARGIN - 4) }, panel, marks };
}

/** Dot, name on one or two lines, and the count at the right edge of the box. */
export function legendEntry(group: LegendGroup, lines: readonly string[], box: Rectangle): Mark[] {
  const text = { kind: 'text', size: SMALL_SIZE, style: 'regular' } as const;
  const baseline = box.y + 15;
  // Lines that were only broken hold every letter of the label.
  const shortened = lines.join('').replace(/\s/g, '') !== group.label.replace(/\s/g, '');
  return [
    { kind: 'dot', x: box.x + DOT, y: baseline - 5.3, radius: DOT, colour: group.colour },
    ...lines.map((line, i): Mark => ({
      ...text,
      text: line,
      ...(shortened && i === 0 && { full: group.label }),
      x: box.x + 2 * DOT + 8,
      y: baseline + i * (ROW - 3),
      colour: INK,
      anchor: 'start',
    })),
    {
      ...text,
      text: countText(group.cells),
      x: box.x + box.width,
      y: baseline,
      colour: SOFT_INK,
      anchor: 'end',
    },
  ];
}

export function widestCount(groups: readonly LegendGroup[]): number {
  return Math.max(0, ...groups.map((group) => textWidth(countText(group.cells), SMALL_SIZE)));
}
