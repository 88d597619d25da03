import { Resvg } from '@resvg/resvg-js';
import { expect, test } from 'vitest';
import { withThresholds } from './content.ts';
import { renderPng, renderSvg } from '../drawing/render-figure.ts';
import type { TextMark } from '../drawing/scene/scene.ts';
import { hostileNames } from '../mixture.test-data.ts';
import { rankPlotDrawing, rankPlotFigure } from './rank-plot.ts';
import { numbersOf, summariseFigure } from '../all-words.ts';
import { maPlotDrawing, maPlotFigure } from './ma-plot.ts';

type Row = readonly [gene: string, change: number, p: number, mean: number, score: number];
const rows: readonly Row[] = [
  ['up', 2, 0.01, 1.5, 8],
  ['down', -2, 1e-9, 0.5, -9],
  ['small', 0.5, 1e-9, 3, 7],
  ['untested', NaN, NaN, 2, NaN],
  ['far', 29, 1e-3, 0.01, 3],
];
function inputOf(inputRows: readonly Row[] = rows, rest: object = {}) {
  return {
    a: 'treated',
    b: 'control',
    part: '',
    test: 'Wilcoxon',
    datasetName: 'Lung',
    cells: { a: 10, b: 20 },
    thresholds: { adjustedP: 0.05, foldChange: 1 },
    genes: inputRows.map(([gene]) => gene),
    foldChanges: Float64Array.from(inputRows, ([, change]) => change),
    adjustedPs: Float64Array.from(inputRows, ([, , p]) => p),
    means: Float64Array.from(inputRows, ([, , , mean]) => mean),
    scores: Float64Array.from(inputRows, ([, , , , score]) => score),
    meanTitle: 'mean log-normalized expression',
    ...rest,
  };
}

test('an MA plot has means across and fold changes up, genes that one side lacks at its end', () => {
  const { spec } = maPlotFigure(inputOf());
  expect(spec.named.map(({ gene, mean }) => [gene, mean])).toEqual([
    ['far', 0.01],
    ['down', 0.5],
    ['up', 1.5],
  ]);
  expect([spec.tested, spec.higher, spec.lower, spec.beyond]).toEqual([4, 2, 1, 1]);
  expect(spec.points).toContainEqual([1.5, 2, 1]);
  expect(spec.axes.means[0]).toBe(0);
  expect(spec.axes.means[1]).toBeGreaterThan(3);
  for (const [, change] of spec.points) expect(Math.abs(change)).toBeLessThanOrEqual(spec.axes.foldChange);
  const texts = maPlotDrawing
    .scene(spec)
    .marks.filter((mark): mark is TextMark => mark.kind === 'text')
    .map(({ text }) => text);
  expect(texts).toEqual(
    expect.arrayContaining([
      'mean log-normalized expression',
      'below 0: higher in control',
      'above 0: higher in treated',
    ]),
  );
});

test('means below 0, as of log counts per million, have their place on the axis', () => {
  const { spec } = maPlotFigure(inputOf([['a', 1, 0.1, -4, 1]]));
  expect(spec.axes.means[0]).toBeLessThan(-4);
});

test('a rank plot has the genes from the greatest score to the least, those without one left out', () => {
  const { spec } = rankPlotFigure(inputOf());
  expect(spec.axes.ranks).toBe(4);
  expect(spec.points.map(([rank, score]) => [rank, score]).toSorted(([a], [b]) => a! - b!)).toEqual([
    [1, 8],
    [2, 7],
    [3, 3],
    [4, -9],
  ]);
  expect(spec.axes.statistics[0]).toBeLessThan(-9);
});

test('the summaries of the figures have the requested thresholds instead of those of the comparison', () => {
  const options = { thresholds: { pvals_adj: 0.001, logfoldchanges: 1.5 } };
  const strict = withThresholds(inputOf(), options);
  for (const figure of [maPlotFigure(strict), rankPlotFigure(strict)]) {
    expect(figure.spec.thresholds).toEqual({ adjustedP: 0.001, foldChange: 1.5 });
    expect(figure.spec.higher + figure.spec.lower).toBe(1);
    const words = summariseFigure(numbersOf(JSON.parse(JSON.stringify(figure.spec)))!);
    expect(words).toContain('an adjusted p below 0.001 and a log2 fold change of at least 1.5');
    expect(words).toContain('Higher in control: down (log2 fold change −2, adjusted p 1.0e−9)');
  }
  expect(withThresholds(inputOf(), {}).thresholds).toEqual({ adjustedP: 0.05, foldChange: 1 });
});

test('no genes, genes that are all alike, and hostile names make sound figures', async () => {
  const hostile = hostileNames.map((name, i): Row => [name, 2 + i / 10, 0.001 / (i + 1), i, i]);
  for (const inputRows of [[], [['a', 0, 1, 0, 0]], hostile] as readonly (readonly Row[])[]) {
    for (const figure of [
      maPlotFigure(inputOf(inputRows, { a: '</title><x>', meanTitle: '<i>&' })),
      rankPlotFigure(inputOf(inputRows, { a: '</title><x>' })),
    ]) {
      const svg = await renderSvg(figure);
      expect(svg).not.toMatch(/NaN|<script|<i>|<x>/);
      expect(new Resvg(svg, { font: { loadSystemFonts: false } }).width).toBe(600);
    }
  }
});

test('both are drawn in the size of their place and in 300 dpi', async () => {
  for (const [figure, drawing] of [
    [maPlotFigure(inputOf()), maPlotDrawing],
    [rankPlotFigure(inputOf()), rankPlotDrawing],
  ] as const) {
    const { width } = await renderPng(figure as never, { resolution: 'screen' });
    expect(width).toBe(1200);
    const fitted = drawing.fit(figure.spec as never, { width: 400, height: 300 });
    expect(fitted.isWhole).toBe(true);
    expect(fitted.spec.panel.x + fitted.spec.panel.width).toBeLessThanOrEqual(400);
  }
});
