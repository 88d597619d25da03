import { plural, countText } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';
import { expressionRamp, darkExpressionRamp } from '../drawing/colour/ramps.ts';
import type { Figure } from '../drawing/figure.ts';
import {
  checkSamples,
  sampleHead,
  samplesText,
  type SampleFigureSpec,
} from '../drawing/samples/sample-figure.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { PseudobulkInput, SpreadMeasure } from '../pseudobulk-input.ts';
import type { meanVarianceContent } from '../pseudobulk-content.ts';
import { fittedWith, withMinimumSize } from '../drawing/minimum-size.ts';
import { countBar, countBarGutter, countShade } from '../drawing/scene/count-shades.ts';
import { curveThrough } from '../drawing/scene/lines.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import { axisGutter, planeAxes, scalesOf } from '../drawing/scene/plane-axes.ts';
import type { Mark, Rectangle, VectorMark, VectorScene } from '../drawing/scene/scene.ts';
import { figureWidth, inkColour, margin, paperColour, softInk } from '../drawing/scene/style.ts';

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

const spreadBins = { across: 72, up: 54 } as const;

interface MeanVarianceSpec extends SampleFigureSpec {
  kind: 'mean-variance';
  version: 1;
  measure: SpreadMeasure;
  genes: number;
  /** Range of the log2 mean counts; `y` is that of the square root of the measure, which begins at 0. */
  x: readonly [number, number];
  y: readonly [number, number];
  /** One point per gene, if there are few. */
  points?: readonly (readonly [number, number])[];
  /** Otherwise the genes per bin: column, row from below, number of genes. */
  squares?: readonly (readonly [number, number, number])[];
  trend: readonly (readonly [number, number])[];
  colours: { ramp: readonly string[] };
}

const meanVarianceSize = { width: figureWidth, height: 520 } as const;

const barFrom = { width: 380, height: 220 } as const;
const pointRadius = 1.8;
const axisTitles = {
  deviation: '√ standard deviation',
  'quasi-dispersion': '√ quasi-likelihood dispersion',
  dispersion: '√ dispersion',
} as const;

function hasBarIn({ width, height }: MeanVarianceSpec['size']): boolean {
  return width >= barFrom.width && height >= barFrom.height;
}

const meanVarianceDrawing = withMinimumSize<MeanVarianceSpec>(
  {
    scene,
    fit: (spec, size) => ({
      spec: {
        ...spec,
        size,
        fitted: fittedWith('', { 'the bar of counts': spec.squares === undefined || hasBarIn(size) }),
      },
      isWhole: true,
    }),
    dark: () => ({ colours: { ramp: darkExpressionRamp } }),
  },
  { size: { width: 200, height: 160 }, sentence: ({ genes }) => `Enlarge to see ${countText(genes)} genes.` },
);

function scene(spec: MeanVarianceSpec): VectorScene {
  const { size, squares, points = [], trend } = spec;
  const hasBar = squares !== undefined && hasBarIn(size);
  const top = panelTop(spec) + 6;
  const left = margin + axisGutter.left;
  const panel = {
    x: left,
    y: top,
    width: size.width - margin - left - (hasBar ? countBarGutter : 8),
    height: size.height - top - axisGutter.bottom - margin / 2,
  };
  const { xOf, yOf } = scalesOf(panel, spec.x, spec.y);
  const maxGenes = (squares ?? []).reduce((greatest, [, , genes]) => Math.max(greatest, genes), 1);
  return {
    ...size,
    panel,
    marks: [
      ...heading(spec, 'semibold'),
      ...planeAxes(panel, {
        x: { domain: spec.x, name: { text: 'log₂ mean count', style: 'regular' } },
        y: { domain: spec.y, name: { text: axisTitles[spec.measure], style: 'regular' } },
      }),
      ...(squares ?? []).map(squareMark(panel, maxGenes, spec.colours.ramp)),
      ...points.map(([mean, spread]): Mark => ({
        kind: 'dot',
        x: xOf(mean),
        y: yOf(spread),
        radius: pointRadius,
        colour: softInk,
      })),
      ...curve(
        trend.map(([mean]) => xOf(mean)),
        trend.map(([, spread]) => yOf(spread)),
      ),
      ...(hasBar ? countBar(panel, maxGenes, spec.colours.ramp, 'genes') : []),
    ],
  };
}

function squareMark({ x, y, width, height }: Rectangle, maxGenes: number, ramp: readonly string[]) {
  const [across, up] = [width / spreadBins.across, height / spreadBins.up];
  return ([column, row, genes]: readonly [number, number, number]): Mark => ({
    kind: 'rectangle',
    x: x + column * across,
    y: y + height - (row + 1) * up,
    width: across,
    height: up,
    colour: countShade(genes, maxGenes, ramp),
  });
}

function curve(xs: readonly number[], ys: readonly number[]): VectorMark[] {
  if (xs.length < 2) return [];
  return [curveThrough(xs, ys, 5, paperColour), curveThrough(xs, ys, 2.5, inkColour)];
}
