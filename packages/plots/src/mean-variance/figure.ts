import { plural } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';
import { expressionRamp } from '../drawing/colour/ramps.ts';
import type { Figure } from '../drawing/figure.ts';
import { checkSamples, sampleHead, samplesText } from '../drawing/samples/sample-figure.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { PseudobulkInput } from '../pseudobulk-input.ts';
import type { meanVarianceContent } from '../pseudobulk-content.ts';
import { meanVarianceDrawing, meanVarianceSize, type MeanVarianceSpec, spreadBins } from './scene.ts';

/** Maximum number of points: more genes would hide each other. */
const maxPoints = 1500;
const curvePoints = 160;

type MeanVarianceInput = PseudobulkInput & Pick<FigureSetting, 'datasetName'>;

/**
 * Points and curve of voom, or of dispersions. Throws FigureInputError for columns of unequal length or without
 * numbers.
 */
export function meanVarianceFigure(input: MeanVarianceInput): Figure<MeanVarianceSpec> {
  checkSamples(input);
  const { measure, points, trend } = input.spread;
  const genes = pairsOf('points', points);
  const curve = thinned(pairsOf('trend', trend));
  const x = widened(genes.concat(curve).map(([mean]) => mean));
  const maxSpread = genes.concat(curve).reduce((highest, [, spread]) => Math.max(highest, spread), 0) || 1;
  const y = [0, 1.04 * maxSpread] as const;
  const head = sampleHead(input, input.datasetName);
  const spec: MeanVarianceSpec = {
    version: 1,
    kind: 'mean-variance',
    ...head,
    summary: `${plural(genes.length, 'gene')} · ${samplesText(input.samples, head.sides)}`,
    size: meanVarianceSize,
    measure,
    genes: genes.length,
    x,
    y,
    ...(genes.length > maxPoints ? { squares: squaresOf(genes, x, y) } : { points: genes.map(rounded) }),
    trend: curve.map(rounded),
    colours: { ramp: expressionRamp },
  };
  return { spec, columns: {}, drawing: meanVarianceDrawing };
}

type Pair = readonly [number, number];

function pairsOf(field: string, { x, y }: PseudobulkInput['spread']['points']): Pair[] {
  if (x.length !== y.length) {
    throw new FigureInputError(field, `${x.length} means have ${y.length} standard deviations`);
  }
  const pairs = Array.from(x, (mean, at): Pair => [mean, y[at]!]);
  const wrong = pairs.find(([mean, spread]) => !Number.isFinite(mean) || !(spread >= 0 && spread < Infinity));
  if (wrong)
    throw new FigureInputError(field, `a mean of ${wrong[0]} with a spread of ${wrong[1]} is no point`);
  return pairs;
}

function rounded([x, y]: Pair): Pair {
  return [Number(x.toPrecision(5)), Number(y.toPrecision(5))];
}

function widened(values: readonly number[]): Pair {
  const low = values.reduce((lowest, value) => Math.min(lowest, value), Infinity);
  const high = values.reduce((highest, value) => Math.max(highest, value), -Infinity);
  if (low > high) return [0, 1];
  const more = 0.03 * (high - low) || 0.5;
  return [low - more, high + more];
}

function thinned(curve: readonly Pair[]): Pair[] {
  const [first, last] = [curve[0], curve.at(-1)];
  if (!first || !last) return [];
  const step = (last[0] - first[0]) / curvePoints;
  let next = -Infinity;
  const thinnedCurve = curve.filter(([x]) => {
    if (x < next) return false;
    next = x + step;
    return true;
  });
  return thinnedCurve.at(-1) === last || thinnedCurve.at(-1)![0] === last[0]
    ? thinnedCurve
    : [...thinnedCurve, last];
}

function squaresOf(genes: readonly Pair[], x: Pair, y: Pair): [number, number, number][] {
  const { across, up } = spreadBins;
  const table = new Uint32Array(across * up);
  const place = (value: number, [low, high]: Pair, bins: number): number =>
    Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins));
  for (const [mean, spread] of genes) table[place(spread, y, up) * across + place(mean, x, across)]!++;
  return Array.from(table.keys())
    .filter((square) => table[square]! > 0)
    .map((square) => [square % across, Math.floor(square / across), table[square]!]);
}

export const meanVariance = plot<typeof meanVarianceContent>('mean-variance', ({ tested }, { datasetName }) =>
  meanVarianceFigure({ ...tested, datasetName }),
);
