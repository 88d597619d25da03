import type { CommonSpec } from '../drawing/figure.ts';
import { panelTop } from '../drawing/scene/panel.ts';
import { figureWidth, margin, panelTopEdge } from '../drawing/scene/style.ts';
import { widest } from '../drawing/text/text-width.ts';
import type { DesignColumn, DesignSpec } from './spec.ts';

const minTextRow = 16;
const minRow = 3;
const maxRow = 60;
const gap = 10;
export const swatch = 11;
const columnWidth = { text: 118, least: 64, tiles: 22 } as const;
const coefficientWidth = { most: 22, roomy: 44, least: 12 } as const;
export const namedCoefficient = 17;
const barWidth = { most: 110, least: 46 } as const;
const labelWidth = 150;
const headHeight = { most: 130, least: 28 } as const;
const bottomSpace = 14;
const widestFigure = 1200;

export interface DesignLayout {
  rowHeight: number;
  hasTexts: boolean;
  isWide: boolean;
  top: number;
  labelEnd: number;
  bar: { x: number; width: number };
  columns: readonly { x: number; width: number }[];
  coefficients: { xs: readonly number[]; width: number };
  head: number;
  rows: number;
}

function rowHeightOf(samples: number): number {
  return samples <= 24 ? 24 : samples <= 60 ? 18 : samples <= 120 ? 7 : 4;
}

export function designSize(
  spec: Pick<DesignSpec, 'samples' | 'columns' | 'coefficients'>,
): CommonSpec['size'] {
  const { samples, columns, coefficients } = spec;
  const rowHeight = rowHeightOf(samples.length);
  const hasTexts = rowHeight >= minTextRow;
  const idealWidth =
    2 * margin +
    (hasTexts ? Math.min(labelWidth, labelsOf(samples)) : 0) +
    barWidth.most +
    columns.reduce((sum, column) => sum + (hasTexts ? textColumn(column) : columnWidth.tiles) + gap, 0) +
    coefficients.length * coefficientWidth.most +
    4 * gap;
  return {
    width: Math.min(widestFigure, Math.max(figureWidth, Math.ceil(idealWidth))),
    height: Math.ceil(
      panelTopEdge + 20 + headOf(coefficients, headHeight.most) + samples.length * rowHeight + bottomSpace,
    ),
  };
}

function labelsOf(samples: DesignSpec['samples']): number {
  return Math.ceil(widest(['sample', ...samples.map(({ label }) => label)]));
}

function textColumn(column: DesignColumn): number {
  const texts = 'levels' in column ? column.levels.map(({ label }) => label) : ['0.000'];
  const widths = [widest([column.title]), swatch + 6 + widest(texts)];
  return Math.max(columnWidth.least, Math.min(columnWidth.text, Math.ceil(Math.max(...widths)) + 2));
}

function headOf(coefficients: readonly { name: string }[], maxHeight: number): number {
  return Math.min(
    maxHeight,
    Math.max(headHeight.least, Math.ceil(widest(coefficients.map(({ name }) => name))) + 12),
  );
}

export function designLayout(spec: DesignSpec): DesignLayout {
  const { size, fitted, samples, columns, coefficients } = spec;
  const isFitted = fitted !== undefined;
  const start = panelTop(spec);
  const head = headOf(
    coefficients,
    isFitted ? Math.min(headHeight.most, 0.3 * size.height) : headHeight.most,
  );
  const room = size.height - start - head - bottomSpace;
  const rowHeight = isFitted
    ? Math.max(minRow, Math.min(maxRow, room / samples.length))
    : rowHeightOf(samples.length);
  // What few samples leave of the height is above and below them.
  const spare = isFitted ? Math.max(0, room - samples.length * rowHeight) : 0;
  const top = start + head + spare / 2;
  const hasTexts = rowHeight >= minTextRow;
  const labelEnd =
    margin + (hasTexts ? Math.min(isFitted ? 0.22 * size.width : labelWidth, labelsOf(samples)) : -gap);
  const right = size.width - margin;
  const across = right - labelEnd - gap;
  const minBar = Math.max(barWidth.least, Math.min(barWidth.most, 0.2 * across));
  // Texts of columns give way to the coefficients, down to tiles.
  const coefficientsWidth = coefficients.length * namedCoefficient;
  const texts = columns.map(textColumn);
  const total = texts.reduce((sum, width) => sum + width + gap, 0);
  const isWide = hasTexts && minBar + gap + total + coefficientsWidth <= across;
  const widths = isWide ? texts : columns.map(() => columnWidth.tiles);
  const shown = fitting(widths, across - minBar - gap);
  const columnsWidth = widths.slice(0, shown).reduce((sum, width) => sum + width + gap, 0);
  const each = Math.max(
    coefficientWidth.least,
    Math.min(
      isFitted ? coefficientWidth.roomy : coefficientWidth.most,
      (across - minBar - gap - columnsWidth) / Math.max(1, coefficients.length),
    ),
  );
  const shownCoefficients = Math.max(
    0,
    Math.min(coefficients.length, Math.floor((across - minBar - gap - columnsWidth) / each + 1e-9)),
  );
  // What is left makes the bars longer.
  const bar = {
    x: labelEnd + gap,
    width: Math.min(2.5 * minBar, across - gap - columnsWidth - shownCoefficients * each),
  };
  // What is left after that is on both sides.
  const aside = isFitted
    ? Math.max(0, across - gap - bar.width - columnsWidth - shownCoefficients * each) / 2
    : 0;
  let x = bar.x + aside + bar.width + gap;
  const placed = widths.slice(0, shown).map((width) => {
    const place = { x, width };
    x += width + gap;
    return place;
  });
  return {
    rowHeight,
    hasTexts,
    isWide,
    top,
    labelEnd: labelEnd + aside,
    bar: { ...bar, x: bar.x + aside },
    columns: placed,
    coefficients: { xs: Array.from({ length: shownCoefficients }, (_, at) => x + at * each), width: each },
    head,
    rows: Math.min(samples.length, Math.max(1, Math.floor(room / rowHeight + 1e-9))),
  };
}

function fitting(widths: readonly number[], room: number): number {
  let usedWidth = 0;
  const tooMany = widths.findIndex((width) => (usedWidth += width + gap) > room);
  return tooMany < 0 ? widths.length : tooMany;
}
