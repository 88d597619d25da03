import { countText } from '@cellfolio/model';
import type { LegendGroup } from '../figure.ts';
import { fittedLines, fittedNames } from '../text/fitted-names.ts';
import { textWidth } from '../text/text-width.ts';
import { arrowGutter } from './panel.ts';
import type { Mark, Rectangle } from './scene.ts';
import { inkColour, softInk, figureWidth, margin, panelTopEdge, smallSize } from './style.ts';

interface LegendLayout {
  size: { width: number; height: number };
  panel: Rectangle;
  marks: readonly Mark[];
}

const figureHeight = 500;
const rowHeight = 20;
export const dotSize = 5;
const linesBeside = 20;
const gapSize = 18;

/**
 * Up to 20 groups are in one column right of the points; more are below them in two or three columns, so that the
 * figure keeps the width of a journal column and its type size.
 */
export function legendLayout(groups: readonly LegendGroup[]): LegendLayout {
  return groups.length <= linesBeside ? beside(groups) : below(groups);
}

function beside(groups: readonly LegendGroup[]): LegendLayout {
  const labels = Math.max(0, ...groups.map((group) => textWidth(group.label, smallSize)));
  const counts = widestCount(groups);
  const fixed = 2 * dotSize + 8 + 10 + counts;
  const labelWidth = Math.min(Math.max(labels, 40) + 2, 224 - fixed);
  const width = groups.length === 0 ? 0 : fixed + labelWidth;
  const panel = {
    x: margin + arrowGutter,
    y: panelTopEdge,
    width: figureWidth - 2 * margin - arrowGutter - width - gapSize,
    height: figureHeight - panelTopEdge - margin - arrowGutter,
  };
  const names = groups.map(({ label }) => label);
  // The number of lines for which all names have room.
  const texts =
    [3, 2]
      .map((lines) => fittedLines(names, labelWidth, smallSize, lines))
      .find((wrapped) => wrapped.flat().length <= linesBeside) ??
    fittedNames(names, labelWidth, smallSize).map((name) => [name]);
  const marks: Mark[] = [];
  const x = figureWidth - margin - width;
  let y = panelTopEdge - 2;
  groups.forEach((group, i) => {
    marks.push(...legendEntry(group, texts[i]!, { x, y, width, height: rowHeight }));
    y += rowHeight * texts[i]!.length - (texts[i]!.length - 1) * 3;
  });
  return { size: { width: figureWidth, height: figureHeight }, panel, marks };
}

function below(groups: readonly LegendGroup[]): LegendLayout {
  const counts = widestCount(groups);
  const fixed = 2 * dotSize + 8 + 10 + counts;
  const widest = Math.max(...groups.map((group) => textWidth(group.label, smallSize)));
  const available = figureWidth - 2 * margin;
  const gap = 22;
  const columns = widest + fixed <= (available - 2 * gap) / 3 ? 3 : 2;
  const pitch = (available + gap) / columns;
  // Short names keep their counts near instead of at the far edge of the column.
  const width = Math.min(pitch - gap, Math.max(widest, 40) + fixed + 12);
  const panel = {
    x: margin + arrowGutter,
    y: panelTopEdge,
    width: available - arrowGutter,
    height: 420,
  };
  const top = panel.y + panel.height + arrowGutter + 22;
  const rows = Math.ceil(groups.length / columns);
  const names = fittedNames(
    groups.map(({ label }) => label),
    width - fixed,
    smallSize,
  );
  const marks = groups.flatMap((group, i) =>
    legendEntry(group, [names[i]!], {
      x: margin + Math.floor(i / rows) * pitch,
      y: top + (i % rows) * rowHeight,
      width,
      height: rowHeight,
    }),
  );
  return {
    size: { width: figureWidth, height: Math.ceil(top + rows * rowHeight + margin - 4) },
    panel,
    marks,
  };
}

export function legendEntry(group: LegendGroup, lines: readonly string[], box: Rectangle): Mark[] {
  const text = { kind: 'text', size: smallSize, style: 'regular' } as const;
  const baseline = box.y + 15;
  // Lines that were only broken hold every letter of the label.
  const shortened = lines.join('').replace(/\s/g, '') !== group.label.replace(/\s/g, '');
  return [
    { kind: 'dot', x: box.x + dotSize, y: baseline - 5.3, radius: dotSize, colour: group.colour },
    ...lines.map((line, i): Mark => ({
      ...text,
      text: line,
      ...(shortened && { full: group.label }),
      x: box.x + 2 * dotSize + 8,
      y: baseline + i * (rowHeight - 3),
      colour: inkColour,
      anchor: 'start',
    })),
    {
      ...text,
      text: countText(group.cells),
      x: box.x + box.width,
      y: baseline,
      colour: softInk,
      anchor: 'end',
    },
  ];
}

export function widestCount(groups: readonly LegendGroup[]): number {
  return Math.max(0, ...groups.map((group) => textWidth(countText(group.cells), smallSize)));
}
