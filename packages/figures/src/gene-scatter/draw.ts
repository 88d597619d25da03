import { type Caution, type CellMask, countText, type GeneColumn, plural } from '@cellfolio/model';
import { z } from 'zod';
import { checkGene, checkMask, defaultUnits, FigureInputError } from '../drawing/checked-input.ts';
import { darkExpressionRamp, expressionRamp } from '../drawing/colour/ramps.ts';
import { countShade } from '../drawing/scene/count-shades.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { valueText } from '../drawing/text/number-text.ts';
import { figureKind } from '../figure-kind.ts';
import type { NumberAxis } from '../frame/axes.ts';
import type { Chart } from '../frame/frame.ts';
import { countRamp } from '../frame/legend.ts';
import type { Domain } from '../frame/scales.ts';
import { binCounts } from '../marks.ts';
import type { InputValues } from '../plot.ts';
import { common, count, number, type SpecOf, text } from '../plot-words.ts';
import { correlationsOf, type Pairs } from '@cellfolio/analysis/correlations';
import { geneScatter } from './declare.ts';

const axis = z.object({ symbol: text, unit: text.optional().catch(undefined), expressing: count.optional() });

const numbers = z.object({
  kind: z.literal('gene-scatter'),
  ...common,
  x: axis,
  y: axis,
  cells: count,
  /** Cells that express both of two genes, and neither. */
  both: count.optional(),
  neither: count.optional(),
  /** Null if one of the two does not vary. */
  pearson: number,
  spearman: number,
});

export type Numbers = z.output<typeof numbers>;

interface Spec extends SpecOf<{ numbers: typeof numbers }, 'x' | 'y'> {
  x: GeneAxis;
  y: GeneAxis;
  colours: { ramp: readonly string[] };
  /** Non-empty squares: column, row from below, number of cells. */
  squares: readonly (readonly [number, number, number])[];
}

interface GeneAxis {
  symbol: string;
  unit: string;
  domain: Domain;
  /** Cells that express a gene; absent for a score or number. */
  expressing?: number;
}

const bins = 40;

type CellMeasure = InputValues['gene'] | InputValues['obs'] | InputValues['score'];

/** Stored values; the other cells are zeros. A score or number is stored for every cell. */
type StoredValues = Pick<GeneColumn, 'cells' | 'cellCount'> & {
  values: Float32Array | Float64Array;
};

interface ScatterMeasure {
  stored: StoredValues;
  symbol: string;
  unit: string;
  isGene: boolean;
  cautions: readonly Caution[];
}

/**
 * Number of cells per pair of values of two genes, scores or numbers, in squares, since points of a hundred thousand
 * cells would hide each other; with Pearson's and Spearman's correlation over all cells, zeros included. Throws
 * FigureInputError if the genes do not describe the same cells.
 */
function counted(input: { x: CellMeasure; y: CellMeasure }, mask: CellMask | undefined) {
  const [x, y] = [measured(input.x), measured(input.y)];
  const { cellCount } = x.stored;
  if (cellCount !== y.stored.cellCount) {
    throw new FigureInputError('y', `the axes hold ${cellCount} and ${y.stored.cellCount} cells`);
  }
  checkMask(cellCount, mask);
  const pairs = pairsOf(x.stored, y.stored, mask);
  const cells = pairs.x.length + pairs.zeroPairs;
  const [ofX, ofY] = [axisOf(x, pairs.x), axisOf(y, pairs.y)];
  const areGenes = x.isGene && y.isGene;
  const left = (mask?.count ?? cellCount) - cells;
  const cautions = [...x.cautions, ...y.cautions];
  const table = new Uint32Array(bins * bins);
  const place = (value: number, [low, high]: readonly [number, number]): number =>
    high > low ? Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins)) : 0;
  pairs.x.forEach((value, i) => {
    table[place(pairs.y[i]!, ofY.domain) * bins + place(value, ofX.domain)]!++;
  });
  if (pairs.zeroPairs > 0) {
    table[place(0, ofY.domain) * bins + place(0, ofX.domain)]! += pairs.zeroPairs;
  }
  const { pearson, spearman } = correlationsOf(pairs);
  const coefficientText = (value: number): string =>
    Number.isNaN(value) ? '–' : valueText(Number(value.toFixed(3)));
  return {
    title: cleanLabel(`${y.symbol} against ${x.symbol}`),
    summary: [
      plural(cells, 'cell'),
      `Pearson ${coefficientText(pearson)}`,
      `Spearman ${coefficientText(spearman)}`,
      ...(left > 0 ? [`${countText(left)} without a value`] : []),
    ].join(' · '),
    x: ofX,
    y: ofY,
    cells,
    ...(areGenes && expressingOf(pairs)),
    pearson: Number.isNaN(pearson) ? null : pearson,
    spearman: Number.isNaN(spearman) ? null : spearman,
    colours: { ramp: expressionRamp },
    squares: Array.from(table.keys())
      .filter((square) => table[square]! > 0)
      .map((square) => [square % bins, Math.floor(square / bins), table[square]!] as const),
    ...(cautions.length > 0 && { cautions }),
  };
}

/** Throws FigureInputError for categories, which cannot be on an axis. */
function measured(measure: CellMeasure): ScatterMeasure {
  if ('gene' in measure) {
    checkGene(measure.gene);
    const { gene, symbol, unit } = measure;
    return { stored: gene, symbol, unit, isGene: true, cautions: [] };
  }
  if ('column' in measure) {
    throw new FigureInputError(
      'measure',
      `The column “${cleanLabel(measure.title).slice(0, 80)}” has categories: an axis needs numbers.`,
    );
  }
  const { scores, title } = measure;
  const cells = Int32Array.from({ length: scores.length }, (_, cell) => cell);
  const isScore = 'cautions' in measure;
  return {
    stored: { cells, values: scores, cellCount: scores.length },
    symbol: title,
    unit: isScore ? `${defaultUnits.score} · ${measure.subtitle}` : measure.unit,
    isGene: false,
    cautions: isScore ? measure.cautions : [],
  };
}

function expressingOf({ x, y, zeroPairs }: Pairs): { both: number; neither: number } {
  let [both, neither] = [0, zeroPairs];
  for (let i = 0; i < x.length; i++) {
    if (x[i]! > 0 && y[i]! > 0) both++;
    else if (x[i]! <= 0 && y[i]! <= 0) neither++;
  }
  return { both, neither };
}

/** A gene's axis begins at zero, for no expression. */
function axisOf({ symbol, unit, isGene }: ScatterMeasure, values: Float64Array): GeneAxis {
  let [low, high, expressing] = isGene ? [0, 0, 0] : [Infinity, -Infinity, 0];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
    if (value > 0) expressing++;
  }
  const domain = low > high ? ([0, 0] as const) : ([low, high] as const);
  return { symbol: cleanLabel(symbol), unit: cleanLabel(unit), domain, ...(isGene && { expressing }) };
}

/** Values of cells with a stored one of either gene, in cell order. Leaves out cells with a non-finite value. */
function pairsOf(one: StoredValues, other: StoredValues, mask: CellMask | undefined): Pairs {
  const xs: number[] = [];
  const ys: number[] = [];
  let [i, j, left] = [0, 0, 0];
  while (i < one.cells.length || j < other.cells.length) {
    const cell = Math.min(one.cells[i] ?? Infinity, other.cells[j] ?? Infinity);
    const x = one.cells[i] === cell ? one.values[i++]! : 0;
    const y = other.cells[j] === cell ? other.values[j++]! : 0;
    if (mask !== undefined && mask.bits[cell] !== 1) continue;
    if (Number.isFinite(x) && Number.isFinite(y)) {
      xs.push(x);
      ys.push(y);
    } else left++;
  }
  const cells = mask?.count ?? one.cellCount;
  return { x: Float64Array.from(xs), y: Float64Array.from(ys), zeroPairs: cells - xs.length - left };
}

function chart({ x, y, cells, both, squares, colours: { ramp } }: Spec): Chart {
  const maxCells = squares.reduce((greatest, [, , own]) => Math.max(greatest, own), 1);
  return {
    x: numberAxis(x),
    y: numberAxis(y),
    legend: cells > 0 ? countRamp(maxCells, ramp, 'cells') : undefined,
    titleStyle: both === undefined ? 'semibold' : 'semibold-italic',
    marks: [
      binCounts(squares, {
        across: bins,
        up: bins,
        gap: 0.4,
        fill: (own) => countShade(own, maxCells, ramp),
      }),
    ],
  };
}

function numberAxis({ symbol, domain, expressing }: GeneAxis): NumberAxis {
  return { domain, name: symbol, style: expressing === undefined ? 'regular' : 'italic' };
}

export const figure = figureKind<Spec, typeof geneScatter>(geneScatter, {
  numbers,
  decide({ x, y }, { range, mask }) {
    if (range)
      throw new FigureInputError('range', 'A scatter of two genes has two axes and no single range.');
    return counted({ x, y }, mask);
  },
  chart,
  file: { height: 560 },
  dark: () => ({ colours: { ramp: darkExpressionRamp } }),
  sentence: ({ cells }) => `Enlarge to see ${countText(cells)} cells.`,
});
