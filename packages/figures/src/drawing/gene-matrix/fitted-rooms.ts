import { countText } from '@cellfolio/model';
import { panelTop } from '../scene/panel.ts';
import { margin, smallSize } from '../scene/style.ts';
import { ellipsised } from '../text/fit-text.ts';
import { fittedNames } from '../text/fitted-names.ts';
import { widest } from '../text/text-width.ts';
import { bandWidth, runsOf } from './gene-bands.ts';
import { bareTop, countTitle, labelGap, legendHeight, legendStrip, symbolDrop, treeIn } from './layout.ts';
import { legendLineHeight } from './legend-line.ts';
import { numberedNames } from './name-setting.ts';
import { columnStyle, type GeneMatrixSpec } from './spec.ts';

export const fittedLegendGap = 22;
const minLegend = 124;
const maxLegend = 240;
export const legendDrop = 18;
export const lineDrop = 6;
const comfortableRow = 22;
export const minRow = 15;
const minColumn = 16;
const comfortableColumn = 32;
const comfortableViolin = 60;
/** Columns of cells are also read by colour: a few pixels suffice, and only some columns then have symbols. */
const minCellColumn = 2.5;
const maxSymbolLength = 84;
const countsFrom = 640;
const legendFrom = 480;
const legendBelowFrom = 300;
const rowsBeforeLegend = 4;

export type Sized = Pick<
  GeneMatrixSpec,
  | 'groups'
  | 'genes'
  | 'groupTitle'
  | 'fewCells'
  | 'fitted'
  | 'noteLines'
  | 'size'
  | 'marks'
  | 'dendrogram'
  | 'byDataset'
>;

const roomyColumn = { dots: 60, tiles: 60, violins: 110, cells: 48 } as const;

export function columnLimits({ marks = 'dots' }: Pick<Sized, 'marks'>): readonly [number, number] {
  if (marks === 'violins') return [30, 320];
  if (marks === 'cells') return [minCellColumn, 240];
  return [minColumn, marks === 'tiles' ? 190 : 140];
}

export function maxRow({ marks = 'dots' }: Pick<Sized, 'marks'>): number {
  return { dots: 100, tiles: 120, violins: 140, cells: 240 }[marks];
}

export function roomsOf(spec: Sized, areRowsNumbered = false) {
  const { genes, size } = spec;
  const tree = treeIn(spec.dendrogram, Math.min(48, 0.1 * size.width));
  const comfortable = bandWidth(runsOf(genes), comfortableOf(spec));
  const { left, ...labels } = labelsOf(spec, comfortable + tree.gap + tree.depth, areRowsNumbered);
  const top = panelTop({ ...spec, fitted: { leftOut: '' } });
  const style = columnStyle(spec);
  const symbols = fittedNames(
    genes.map(({ symbol }) => symbol),
    maxSymbolLength,
    smallSize,
    style,
  );
  const foot = symbolDrop + widest(symbols, style);
  const whole = size.height - top - bareTop - foot - margin;
  const besideColumns = size.width - left - margin - tree.gap - tree.depth;
  const spare = besideColumns - fittedLegendGap - bandWidth(runsOf(genes), roomyColumn[spec.marks ?? 'dots']);
  const legend = legendPlace(spec, whole, {
    isHigh: size.height >= top + legendHeight + margin,
    isRoomy: spare >= minLegend,
    isWide: comfortable + fittedLegendGap + minLegend <= besideColumns,
  });
  const legendWidth = legend === 'beside' ? Math.max(minLegend, Math.min(maxLegend, spare)) : minLegend;
  const below = {
    beside: 0,
    below: legendStrip(spec) + legendDrop,
    line: legendLineHeight + lineDrop,
    none: 0,
  };
  return {
    ...labels,
    left,
    top,
    legend,
    legendWidth,
    columnRoom: besideColumns - (legend === 'beside' ? fittedLegendGap + legendWidth : 0),
    tree,
    symbols,
    foot,
    rowRoom: whole - below[legend],
  };
}

function labelsOf({ groups, size, fewCells = 0, ...spec }: Sized, comfortable: number, areNumbered: boolean) {
  const around = 2 * margin + labelGap + comfortable;
  const counts = widest([...groups.map((group) => countText(group.cells)), countTitle]);
  const isWide = size.width >= countsFrom;
  // Names are no longer than comfortable columns leave room for, with what stands beside them in such a width.
  const beside =
    (size.width >= legendFrom ? fittedLegendGap + minLegend : 0) + (isWide ? counts + labelGap : 0);
  const spare = size.width - around - beside;
  const longest = Math.max(0.26 * size.width, Math.min(0.5 * size.width, spare));
  const names = groups.map(({ label }) => label);
  const shown = areNumbered
    ? numberedNames(
        names.map((name, row) => [String(row + 1), name]),
        longest,
      )
    : fittedNames(names, longest, smallSize);
  const rowLabels = groups.map(({ cells }, row) => `${shown[row]!}${cells < fewCells ? '*' : ''}`);
  const groupTitle = ellipsised(spec.groupTitle, longest, smallSize);
  const labelWidth = widest([...rowLabels, groupTitle]);
  const hasCounts = isWide || around + labelWidth + labelGap + counts <= size.width;
  const countWidth = hasCounts ? counts : -labelGap;
  const left = Math.ceil(margin + labelWidth + labelGap + countWidth + labelGap);
  return { rowLabels, groupTitle, hasCounts, countWidth, left };
}

/**
 * Beside the columns if they are wide enough; below them if the rows stay comfortable; beside them anyway in a wide
 * figure; else on one line if that costs no group its row.
 */
function legendPlace(
  spec: Sized,
  whole: number,
  { isHigh, isRoomy, isWide }: { isHigh: boolean; isRoomy: boolean; isWide: boolean },
): 'beside' | 'below' | 'line' | 'none' {
  const { groups, size } = spec;
  if (isHigh && isRoomy) return 'beside';
  const hasWidth = size.width >= legendBelowFrom;
  if (hasWidth && whole - legendStrip(spec) - legendDrop >= comfortableRow * groups.length) return 'below';
  if (isHigh && (size.width >= legendFrom || isWide)) return 'beside';
  const rows = Math.floor((whole - legendLineHeight - lineDrop) / minRow);
  const costsGroup = rows < groups.length && whole >= minRow * groups.length;
  return hasWidth && rows >= Math.min(rowsBeforeLegend, groups.length) && !costsGroup ? 'line' : 'none';
}

function comfortableOf({ marks }: Pick<Sized, 'marks'>): number {
  return marks === 'violins' ? comfortableViolin : marks === 'cells' ? minColumn : comfortableColumn;
}
