import { countText, plural } from '@cellfolio/model';
import { z } from 'zod';
import { FigureInputError } from '../drawing/checked-input.ts';
import { darkExpressionRamp, expressionRamp } from '../drawing/colour/ramps.ts';
import {
  checkSamples,
  sampleHead,
  samplesText,
  type SampleFigureSpec,
} from '../drawing/samples/sample-figure.ts';
import { countShade } from '../drawing/scene/count-shades.ts';
import { softInk } from '../drawing/scene/style.ts';
import { figureKind } from '../figure-kind.ts';
import type { Chart } from '../frame/frame.ts';
import { countRamp } from '../frame/legend.ts';
import { widened } from '../frame/scales.ts';
import { binCounts, dot, line } from '../marks.ts';
import { common, count, list, type SpecOf, text } from '../plot-words.ts';
import type { PseudobulkInput } from '../pseudobulk-input.ts';
import { meanVariance } from './declare.ts';

const numbers = z.object({
  kind: z.literal('mean-variance'),
  ...common,
  subtitle: text,
  measure: z.enum(['deviation', 'quasi-dispersion', 'dispersion']),
  genes: count,
  trend: list(z.tuple([z.number(), z.number()])),
});

export type Numbers = z.output<typeof numbers>;

export interface Spec extends SpecOf<{ numbers: typeof numbers }, never, SampleFigureSpec> {
  /** Range of the log2 mean counts; `y` is that of the square root of the measure, which begins at 0. */
  x: Pair;
  y: Pair;
  /** One point per gene, if there are few. */
  points?: readonly Pair[];
  /** Otherwise the genes per bin: column, row from below, number of genes. */
  squares?: readonly (readonly [number, number, number])[];
  colours: { ramp: readonly string[] };
}

/** Maximum number of points: more genes would hide each other. */
const maxPoints = 1500;
const bins = { across: 72, up: 54 } as const;
const curvePoints = 160;

/** Points and curve of voom, or of dispersions. Throws FigureInputError for columns of unequal length or without numbers. */
function decide({ tested: input }: { tested: PseudobulkInput }) {
  checkSamples(input);
  const { measure, points, trend } = input.spread;
  const genes = pairsOf('points', points);
  const curve = thinned(pairsOf('trend', trend));
  const all = genes.concat(curve);
  const x = widened(
    all.map(([mean]) => mean),
    0.03,
  );
  const maxSpread = all.reduce((highest, [, spread]) => Math.max(highest, spread), 0) || 1;
  const y = [0, 1.04 * maxSpread] as const;
  const head = sampleHead(input);
  return {
    ...head,
    summary: `${plural(genes.length, 'gene')} · ${samplesText(input.samples, head.sides)}`,
    measure,
    genes: genes.length,
    x,
    y,
    ...(genes.length > maxPoints ? { squares: squaresOf(genes, x, y) } : { points: genes.map(rounded) }),
    trend: curve.map(rounded),
    colours: { ramp: expressionRamp },
  };
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
  const { across, up } = bins;
  const table = new Uint32Array(across * up);
  const place = (value: number, [low, high]: Pair, count: number): number =>
    Math.min(count - 1, Math.floor(((value - low) / (high - low)) * count));
  for (const [mean, spread] of genes) table[place(spread, y, up) * across + place(mean, x, across)]!++;
  return Array.from(table.keys())
    .filter((square) => table[square]! > 0)
    .map((square) => [square % across, Math.floor(square / across), table[square]!]);
}

const axisNames = {
  deviation: '√ standard deviation',
  'quasi-dispersion': '√ quasi-likelihood dispersion',
  dispersion: '√ dispersion',
} as const;

function chart({ measure, x, y, squares = [], points = [], trend, colours: { ramp } }: Spec): Chart {
  const maxGenes = squares.reduce((greatest, [, , genes]) => Math.max(greatest, genes), 1);
  return {
    x: { domain: x, name: 'log₂ mean count' },
    y: { domain: y, name: axisNames[measure] },
    legend: squares.length > 0 ? countRamp(maxGenes, ramp, 'genes') : undefined,
    minPanel: 200,
    marks: [
      binCounts(squares, { ...bins, fill: (count) => countShade(count, maxGenes, ramp) }),
      dot(points, { x: ([mean]) => mean, y: ([, spread]) => spread, radius: 1.8, fill: softInk }),
      line(trend, { x: ([mean]) => mean, y: ([, spread]) => spread, width: 2.5, rim: 1.25 }),
    ],
  };
}

export const figure = figureKind<Spec, typeof meanVariance>(meanVariance, {
  numbers,
  decide,
  chart,
  file: { height: 520 },
  dark: () => ({ colours: { ramp: darkExpressionRamp } }),
  sentence: ({ genes }) => `Enlarge to see ${countText(genes)} genes.`,
});
