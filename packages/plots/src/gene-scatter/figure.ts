import { countText, type CellMask, type GeneColumn } from '@cellfolio/model';
import { checkGene, checkMask, FigureInputError } from '../drawing/checked-input.ts';
import { expressionRamp } from '../drawing/colour/ramps.ts';
import type { Figure } from '../drawing/figure.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { valueText } from '../drawing/text/number-text.ts';
import { type InputValues, type FigureSetting, plot } from '../plot.ts';
import type { geneScatterContent } from './content.ts';
import { correlationsOf, type Pairs } from './correlations.ts';
import { geneScatterDrawing, scatterSize } from './scene.ts';
import { type GeneAxis, type GeneScatterSpec, scatterBins } from './spec.ts';

interface GeneScatterInput extends Pick<FigureSetting, 'datasetName' | 'mask'> {
  readonly x: InputValues['gene'];
  readonly y: InputValues['gene'];
}

/**
 * How many cells have which values of two genes, in squares, as points of a hundred thousand cells would hide each other;
 * with Pearson's and Spearman's correlation over all cells, zeros included. Throws FigureInputError where the genes do
 * not describe the same cells.
 */
export function geneScatterFigure({ x, y, datasetName, mask }: GeneScatterInput): Figure<GeneScatterSpec> {
  for (const { gene } of [x, y]) checkGene(gene);
  if (x.gene.cellCount !== y.gene.cellCount) {
    throw new FigureInputError('y', `the genes hold ${x.gene.cellCount} and ${y.gene.cellCount} cells`);
  }
  checkMask(x.gene.cellCount, mask);
  const pairs = pairsOf(x.gene, y.gene, mask);
  const cells = pairs.x.length + pairs.zeroPairs;
  const [ofX, ofY] = [axisOf(x, pairs.x), axisOf(y, pairs.y)];
  const table = new Uint32Array(scatterBins * scatterBins);
  const place = (value: number, [low, high]: readonly [number, number]): number =>
    high > low ? Math.min(scatterBins - 1, Math.floor(((value - low) / (high - low)) * scatterBins)) : 0;
  pairs.x.forEach((value, i) => {
    table[place(pairs.y[i]!, ofY.domain) * scatterBins + place(value, ofX.domain)]!++;
  });
  table[place(0, ofY.domain) * scatterBins + place(0, ofX.domain)]! += pairs.zeroPairs;
  const both = pairs.x.reduce((count, value, i) => count + (value > 0 && pairs.y[i]! > 0 ? 1 : 0), 0);
  const { pearson, spearman } = correlationsOf(pairs);
  const said = (value: number): string => (Number.isNaN(value) ? '–' : valueText(Number(value.toFixed(3))));
  const spec: GeneScatterSpec = {
    version: 1,
    kind: 'gene-scatter',
    title: cleanLabel(`${y.symbol} against ${x.symbol}`),
    datasetName: cleanLabel(datasetName),
    summary: `${countText(cells)} ${cells === 1 ? 'cell' : 'cells'} · Pearson ${said(pearson)} · Spearman ${said(spearman)}`,
    size: scatterSize,
    x: ofX,
    y: ofY,
    cells,
    both,
    neither:
      pairs.zeroPairs + pairs.x.reduce((n, value, i) => n + (value <= 0 && pairs.y[i]! <= 0 ? 1 : 0), 0),
    pearson: Number.isNaN(pearson) ? null : pearson,
    spearman: Number.isNaN(spearman) ? null : spearman,
    colours: { ramp: expressionRamp },
    squares: Array.from(table.keys())
      .filter((square) => table[square]! > 0)
      .map((square) => [square % scatterBins, Math.floor(square / scatterBins), table[square]!] as const),
  };
  return { spec, columns: {}, drawing: geneScatterDrawing };
}

function axisOf({ symbol, unit }: InputValues['gene'], values: Float64Array): GeneAxis {
  let [low, high, expressing] = [0, 0, 0];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
    if (value > 0) expressing++;
  }
  return { symbol: cleanLabel(symbol), unit: cleanLabel(unit), domain: [low, high], expressing };
}

/** Values of the cells that have a stored one of either gene, in the order of the cells. Cells whose value is no number are left out. */
function pairsOf(one: GeneColumn, other: GeneColumn, mask: CellMask | undefined): Pairs {
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

export const geneScatter = plot<typeof geneScatterContent>(
  'gene-scatter',
  ({ x, y }, { range, ...setting }) => {
    if (range)
      throw new FigureInputError('range', 'A scatter of two genes has two axes and no single range.');
    return geneScatterFigure({ ...setting, x, y });
  },
);
