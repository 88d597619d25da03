import { comparisonParameters } from '@cellfolio/analysis/parameters';
import { expect, test } from 'vitest';
import { figureContent, inputsOf, isMap } from './all-content.ts';
import type { CommonSpec, Figure } from './drawing/figure.ts';
import { FigureInputError } from './drawing/checked-input.ts';
import { renderPng, renderSvg } from './drawing/render-figure.ts';
import { explainedBy } from './drawing/samples/explained.ts';
import { swarm } from './drawing/samples/swarm.ts';
import { box, overlap } from './drawing/scene/text-box.test-data.ts';
import { hostileNames } from './mixture.test-data.ts';
import type { Spec as MeanVariance } from './mean-variance/draw.ts';
import type { Spec as PValueHistogram } from './p-value-histogram/draw.ts';
import type { Spec as SampleDots } from './sample-dots/draw.ts';
import { type HistogramShape, shapeOf, unchangedShare } from './p-value-histogram/shape.ts';
import { plotFigure } from './all-plots.ts';
import type { PseudobulkInput } from './pseudobulk-input.ts';
import { simulatedTest } from './pseudobulk.test-data.ts';
import { sampleMapFigure } from './sample-map/figure.ts';
import { numbersOf, summariseFigure } from './all-words.ts';

const datasetName = 'Lung';
const kinds = [
  'sample-map',
  'mean-variance',
  'p-value-histogram',
  'design',
  'sample-dots',
  'sample-heatmap',
] as const;

const six = simulatedTest({ perSide: 3, genes: 300 });
const paired = simulatedTest({ perSide: 4, genes: 300, isPaired: true });
const many = simulatedTest({ perSide: 100, genes: 60 });

const hostile: PseudobulkInput = {
  ...six,
  a: '</title><x>',
  b: '<i>&"\u0000',
  part: '<b>',
  test: hostileNames[0]!,
  formula: '~ <script>',
  samples: six.samples.map((sample, at) => ({ ...sample, name: hostileNames[at]! })),
  columns: six.columns.map((column, at) =>
    column.kind === 'numeric'
      ? { ...column, name: hostileNames[1]! }
      : {
          ...column,
          name: hostileNames[at + 3]!,
          values: column.values.map((value) => `${value}${hostileNames[1]!}`),
        },
  ),
  coefficients: six.coefficients.map(({ values }, at) => ({ name: hostileNames[at]!, values })),
  gene: { ...six.gene!, symbol: hostileNames[1]! },
};

const two: PseudobulkInput = {
  ...six,
  samples: [six.samples[0]!, six.samples[3]!],
  columns: [{ name: 'side', role: 'side', kind: 'categorical', values: ['Treated', 'Control'] }],
  coefficients: [{ name: '(Intercept)', values: [1, 1] }],
  gene: { symbol: 'G', logCpm: [4, 4], logFoldChange: NaN, adjustedP: NaN },
};

const inputs: Readonly<Record<string, PseudobulkInput>> = { six, paired, many, hostile, two };

interface Specs {
  'mean-variance': MeanVariance;
  'p-value-histogram': PValueHistogram;
  'sample-dots': SampleDots;
}

function figureOf<Kind extends (typeof kinds)[number]>(
  kind: Kind,
  tested: PseudobulkInput,
): Figure<Kind extends keyof Specs ? Specs[Kind] : CommonSpec> {
  const surest = [tested.gene!, { ...tested.gene!, symbol: 'OTHER', logFoldChange: -1, adjustedP: 0.2 }];
  return plotFigure({ kind }, { tested: { ...tested, surest } }, { datasetName }) as never;
}

const cases = kinds.flatMap((kind) => Object.keys(inputs).map((name) => [kind, name] as const));

test.each(cases)('the %s of %s has texts that neither touch nor leave it', (kind, name) => {
  const { spec, drawing } = figureOf(kind, inputs[name]!);
  const fitted = drawing.fit(spec, { width: 340, height: 260 }).spec;
  for (const one of [spec, fitted] as CommonSpec[]) {
    const { marks, width, height } = drawing.scene(one);
    const texts = marks.filter((mark) => mark.kind === 'text');
    const boxes = texts.map(box);
    const outside = texts.filter((_, i) => {
      const { x, y, width: across, height: up } = boxes[i]!;
      return x < 2 || y < 2 || x + across > width - 2 || y + up > height - 2;
    });
    const touching = texts.flatMap((text, i) =>
      texts.filter((_, j) => j < i && overlap(boxes[i]!, boxes[j]!)).map((other) => [text.text, other.text]),
    );
    expect({ outside, touching }).toEqual({ outside: [], touching: [] });
  }
});

test.each(cases)('the %s of %s is sound SVG without markup of its own, and has words', async (kind, name) => {
  const figure = figureOf(kind, inputs[name]!);
  const svg = await renderSvg(figure);
  expect(svg).not.toMatch(/NaN|Infinity|<script|<i>|<x>|<b>/);
  // eslint-disable-next-line no-control-regex
  expect(svg).not.toMatch(/[\u0000-\u0008\u202e]/);
  const numbers = numbersOf(JSON.parse(JSON.stringify(figure.spec)));
  expect(summariseFigure(numbers!).split('\n\n')[1]).toMatch(/\d.*\./);
});

test.each(kinds)('a %s in a quarter of a page keeps type of 11 px and more, dark as well', async (kind) => {
  const view = { width: 340, height: 260, ratio: 1, theme: 'dark' } as const;
  const figure = figureOf(kind, paired);
  const svg = await renderSvg(figure, view);
  const sizes = Array.from(svg.matchAll(/font-size="([\d.]+)"/g), ([, size]) => Number(size));
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
  const { width, height } = await renderPng(figure, { view });
  expect([width, height]).toEqual([340, 260]);
});

test.each(kinds)('a %s names the comparison that it is drawn from, and the gene where it has one', (kind) => {
  const set = (name: string) => ({ name, filter: { subset_group_name: name } });
  const parameters = comparisonParameters.parse({ a: set('A'), b: set('B') });
  const content = figureContent.parse({ kind, ...parameters, part: 'T', gene: 'CD3D' });
  expect(inputsOf(content)).toMatchObject({
    tested: {
      from: 'pseudobulk',
      parameters,
      part: 'T',
      ...(kind === 'sample-heatmap' ? { most: 30 } : { gene: kind === 'sample-dots' ? 'CD3D' : undefined }),
    },
  });
  expect(isMap(content)).toBe(false);
});

test('the map shows a covariate by shapes, or beside the names where it has too many values', () => {
  const map = sampleMapFigure({ ...six, datasetName }).spec;
  expect(map.shapes).toEqual({ title: 'batch', labels: ['first', 'second'] });
  expect(map.samples.map(({ shape }) => shape)).toEqual([0, 1, 0, 1, 0, 1]);
  const aged = sampleMapFigure({ ...six, datasetName, shapes: 'age' }).spec;
  expect(aged.shapes).toBeUndefined();
  expect(aged.samples[0]!.label).toBe('S1 · 31');
  const wrong = () => sampleMapFigure({ ...six, datasetName, shapes: 'sex' });
  expect(wrong).toThrow(expect.objectContaining({ field: 'shapes' }));
});

test('a caution names a column that separates the samples, and warns where it is stronger than the sides', () => {
  const values = [1, 1, 3, 3, 2, 2];
  const side = (labels: string[]) =>
    ({ name: 's', role: 'side', kind: 'categorical', values: labels }) as const;
  // Between groups of means 1, 3 and 2: all of it; between halves of means 5/3 and 7/3: (2/3)² × 6 / 4 of 4.
  expect(explainedBy(side(['a', 'a', 'b', 'b', 'c', 'c']), values)).toBeCloseTo(1, 12);
  expect(explainedBy(side(['a', 'a', 'a', 'b', 'b', 'b']), values)).toBeCloseTo(6 / 9 / 4, 12);
  expect(explainedBy(side(['a', 'b', 'c', 'd', 'e', 'e']), values)).toBeNull();
  const line = (numbers: (number | null)[]) =>
    ({ name: 'n', role: 'covariate', kind: 'numeric', values: numbers }) as const;
  expect(explainedBy(line([2, 2, 6, 6, 4, 4]), values)).toBeCloseTo(1, 12);
  expect(explainedBy(line([1, 1, 1, 1, 1, null]), values)).toBeNull();
  const spec = sampleMapFigure({ ...many, datasetName }).spec;
  const stronger = {
    ...spec,
    explained: spec.explained.map((one) => Object.assign({}, one, { first: one.isSide ? 0.1 : 0.6 })),
  };
  expect(summariseFigure(numbersOf(JSON.parse(JSON.stringify(stronger)))!)).toContain(
    'Batch and Age account for more of the first dimension than the sides',
  );
});

test('many genes are counted in places instead of drawn, and none is lost', () => {
  const genes = 30_000;
  const x = Float64Array.from({ length: genes }, (_, gene) => (gene * 0.7) % 12);
  const y = x.map((mean, gene) => 0.4 + ((gene * 0.37) % 1) / (1 + mean));
  const trend = { x: x.toSorted(), y: new Float64Array(genes).fill(0.6) };
  const spread = { measure: 'deviation', points: { x, y }, trend } as const;
  const { spec } = figureOf('mean-variance', { ...six, spread });
  expect(spec.points).toBeUndefined();
  expect(spec.squares!.reduce((sum, [, , count]) => sum + count, 0)).toBe(genes);
  expect(JSON.stringify(spec).length).toBeLessThan(60_000);
  expect([spec.trend[0]![0], spec.trend.at(-1)![0]]).toEqual([0, 12].map((end) => expect.closeTo(end, 2)));
  expect(spec.trend.length).toBeLessThanOrEqual(162);
});

test('dispersions of a negative binomial test are named on the axis and in words, with what was done with them', () => {
  const figure = figureOf('mean-variance', {
    ...six,
    spread: { ...six.spread, measure: 'dispersion' },
  });
  const { marks } = figure.drawing.scene(figure.spec);
  expect(marks).toContainEqual(expect.objectContaining({ kind: 'text', text: '√ dispersion' }));
  const words = summariseFigure(numbersOf(JSON.parse(JSON.stringify(figure.spec)))!);
  expect(words).toContain('a root of the dispersion of');
  expect(words).toContain('was shrunk toward the curve');
  expect(words).not.toContain('weigh');
});

test('quasi-likelihood dispersions are named on the axis and in words, with what they are', () => {
  const spread = { ...six.spread, measure: 'quasi-dispersion' } as const;
  const figure = figureOf('mean-variance', { ...six, spread });
  const { marks } = figure.drawing.scene(figure.spec);
  expect(marks).toContainEqual(expect.objectContaining({ text: '√ quasi-likelihood dispersion' }));
  const words = summariseFigure(numbersOf(JSON.parse(JSON.stringify(figure.spec)))!);
  expect(words).toContain('a root of the quasi-likelihood dispersion of');
  expect(words).toContain('is 1 if it varies like genes with its mean');
});

const even = new Array<number>(20).fill(100);
const withBins = (bins: Record<number, number>) => even.map((count, bin) => bins[bin] ?? count);

test.each<[HistogramShape, number[]]>([
  ['flat', even],
  ['flat', withBins({ 0: 130, 7: 80, 19: 125 })],
  ['peak-at-0', withBins({ 0: 900, 1: 300, 2: 180 })],
  ['peak-at-1', withBins({ 19: 400 })],
  ['u-shape', withBins({ 0: 900, 19: 400 })],
  ['few-small', withBins({ 0: 20, 1: 60 })],
  ['uneven', withBins({ 9: 300, 10: 320 })],
  ['none', even.map(() => 0)],
])('a histogram of p-values is read as %s', (shape, counts) => {
  expect(shapeOf(counts)).toBe(shape);
  const { spec } = figureOf('p-value-histogram', { ...six, histogram: counts });
  const [, , caution] = summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!).split('\n\n');
  expect(caution !== undefined).toBe(['peak-at-1', 'u-shape', 'few-small', 'uneven'].includes(shape));
});

test('genes without a difference are estimated from the p-values above a half', () => {
  // 1,000 above a half, so 2,000 of 2,800 do not differ.
  expect(unchangedShare(withBins({ 0: 900 }))).toBeCloseTo(2000 / 2800, 12);
  expect(unchangedShare(withBins({ 19: 900 }))).toBe(1);
});

test('dots of one side have the mean that their samples have, and pairs are joined once', () => {
  const { spec } = figureOf('sample-dots', paired);
  const of = (side: 'a' | 'b') => spec.samples.filter((sample) => sample.side === side);
  expect(spec.means.a).toBeCloseTo(of('a').reduce((sum, { value }) => sum + value, 0) / 4, 12);
  expect(spec.pairs).toEqual({
    title: 'donor',
    places: [
      [0, 4],
      [1, 5],
      [2, 6],
      [3, 7],
    ],
  });
  expect(summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!)).toMatch(/in \d of 4 pairs by Donor/);
  const lone = { ...paired, gene: undefined };
  const make = () => plotFigure({ kind: 'sample-dots' }, { tested: lone }, { datasetName });
  expect(make).toThrow(FigureInputError);
});

test('dots of a swarm do not touch while there is room, and stay within it where there is none', () => {
  const places = Array.from({ length: 60 }, (_, at) => 10 * Math.sin(at * 1.7));
  const offsets = swarm(places, 2, 60);
  for (const [i, place] of places.entries()) {
    for (let j = 0; j < i; j++) {
      expect(Math.hypot(place - places[j]!, offsets[i]! - offsets[j]!)).toBeGreaterThan(3.999);
    }
  }
  expect(Math.max(...swarm(new Array<number>(200).fill(0), 2, 20).map(Math.abs))).toBeLessThanOrEqual(20);
});

test('a design puts alike samples beside each other and says which groups are all of one side', () => {
  const confounded = {
    ...six,
    columns: [
      six.columns[0]!,
      { name: 'batch', role: 'covariate', kind: 'categorical', values: ['x', 'y', 'x', 'z', 'z', 'x'] },
    ],
  } as PseudobulkInput;
  const figure = figureOf('design', confounded);
  const spec = figure.spec as unknown as { columns: { codes: number[] }[]; samples: { label: string }[] };
  expect(spec.columns[1]!.codes).toEqual([0, 0, 1, 0, 2, 2]);
  expect(spec.samples.map(({ label }) => label)).toEqual(['S1', 'S3', 'S2', 'S6', 'S4', 'S5']);
  expect(summariseFigure(numbersOf(JSON.parse(JSON.stringify(figure.spec)))!)).toContain(
    'of Batch, 1 of 3 have both',
  );
});

test.each([
  ['samples', { samples: six.samples.slice(0, 1) }],
  ['samples', { coefficients: [{ name: 'x', values: [1] }] }],
  ['points', { spread: { ...six.spread, points: { x: [1], y: [1, 2] } } }],
  ['histogram', { histogram: [1, 2, 3, -4] }],
])('wrong %s are named in the error', (field, wrong) => {
  const make = () => {
    figureOf('mean-variance', { ...six, ...wrong });
    figureOf('p-value-histogram', { ...six, ...wrong });
  };
  expect(make).toThrow(expect.objectContaining({ field }));
});
