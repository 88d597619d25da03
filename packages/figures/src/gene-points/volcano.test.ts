import { Resvg } from '@resvg/resvg-js';
import { expect, test } from 'vitest';
import { FigureInputError } from '../drawing/checked-input.ts';
import { figureOfKind } from '../every-kind.test-data.ts';
import { hostileNames } from '../mixture.test-data.ts';
import { renderPng, renderSvg } from '../drawing/render-figure.ts';
import type { TextMark } from '../drawing/scene/scene.ts';
import { box, overlap } from '../drawing/scene/text-box.test-data.ts';
import { smallSize } from '../drawing/scene/style.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import { summariseFigure, numbersOf } from '../all-words.ts';
import { volcanoFigure, volcanoDrawing } from './volcano.ts';
import { comparedGenes } from './volcano.test-data.ts';

const common = { datasetName: 'Lung', part: '', test: 'Wilcoxon', cells: { a: 10, b: 20 } };
const thresholds = { adjustedP: 0.05, foldChange: 1 };
const figureOf = (
  rows: readonly (readonly [gene: string, change: number, p: number])[],
  rest: Partial<Parameters<typeof volcanoFigure>[0]> = {},
) =>
  volcanoFigure({
    ...common,
    a: 'treated',
    b: 'control',
    thresholds,
    genes: rows.map(([gene]) => gene),
    foldChanges: Float64Array.from(rows, ([, change]) => change),
    adjustedPs: Float64Array.from(rows, ([, , p]) => p),
    ...rest,
  });

test('genes are counted as higher or lower where they pass both thresholds', () => {
  const { spec } = figureOf([
    ['up', 1, 0.01],
    ['down', -2, 1e-9],
    ['small', 0.9, 1e-9],
    ['unsure', 3, 0.05],
    ['none', NaN, 1],
  ]);
  expect([spec.higher, spec.lower, spec.tested]).toEqual([1, 1, 5]);
  expect(spec.named.map(({ gene }) => gene)).toEqual(['up', 'down']);
  expect(spec.points.map(([, , direction]) => direction)).toEqual([0, 0, 1, -1]);
  const words = summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!);
  expect(words).toContain('1 is higher in treated and 1 in control');
  expect(words).toContain('down (log2 fold change −2, adjusted p 1.0e−9)');
});

test('no name covers another, whatever lies where, and all are within the panel', () => {
  const { spec } = volcanoFigure({ ...common, a: 'A', b: 'B', thresholds, ...comparedGenes(20_000) });
  const { marks, panel } = volcanoDrawing.scene(spec);
  const named = new Set(spec.named.map(({ gene }) => gene));
  const boxes = marks
    .filter((mark): mark is TextMark => mark.kind === 'text' && named.has(mark.text))
    .map(({ text, x, y }) => ({ x, y, width: textWidth(text, smallSize, 'italic') }));
  expect(boxes.length).toBeGreaterThan(10);
  boxes.forEach((one, at) => {
    expect(one.x >= panel.x && one.x + one.width <= panel.x + panel.width).toBe(true);
    for (const other of boxes.slice(at + 1)) {
      const apart =
        one.x >= other.x + other.width ||
        other.x >= one.x + one.width ||
        Math.abs(one.y - other.y) >= smallSize;
      expect(apart).toBe(true);
    }
  });
});

test('genes at one place are drawn once, so that a figure of all genes stays small', () => {
  const genes = comparedGenes(30_000);
  const { spec } = volcanoFigure({ ...common, a: 'A', b: 'B', thresholds, ...genes });
  expect(spec.points.length).toBeLessThan(12_000);
  expect(spec.tested).toBe(30_000);
});

test('a p-value of 0 and an infinite fold change lie within the axes', () => {
  const rows = Array.from({ length: 300 }, (_, i) => [`g${i}`, (i - 150) / 100, 0.5] as const);
  const { spec } = figureOf([...rows, ['zero', 1.2, 0], ['far', 29, 1e-3], ['endless', -Infinity, 1e-3]]);
  expect(spec.beyond).toBe(2);
  for (const [change, score] of spec.points) {
    expect(Math.abs(change)).toBeLessThanOrEqual(spec.axes.foldChange + 1e-4);
    expect(score).toBeLessThanOrEqual(spec.axes.score);
  }
  expect(JSON.parse(JSON.stringify(spec))).toEqual(spec);
});

test('requested genes are named in their order, others are not', () => {
  const { spec } = figureOf(
    [
      ['a', 3, 1e-9],
      ['b', 0, 1],
      ['c', -1, 1e-3],
    ],
    { wanted: ['c', 'b', 'missing'] },
  );
  expect(spec.named.map(({ gene }) => gene)).toEqual(['c', 'b']);
});

test('no genes, and genes that are all alike, make a sound figure', async () => {
  for (const rows of [[], [['a', 0, 1]], [['a', NaN, 1]]] as const) {
    const svg = await renderSvg(figureOf(rows as never));
    expect(svg).not.toContain('NaN');
    expect(new Resvg(svg, { font: { loadSystemFonts: false } }).width).toBe(600);
  }
});

test('hostile names make sound SVG without markup of their own', async () => {
  const figure = figureOf(
    hostileNames.map((name, i) => [name, 2 + i / 10, 0.001 / (i + 1)] as const),
    { a: '</title><x>', b: '<i>&"\u0000', part: '<b>', datasetName: "<b>'" },
  );
  const svg = await renderSvg(figure);
  expect(svg).not.toMatch(/<script|<i>|<x>|<b>/);
  // eslint-disable-next-line no-control-regex
  expect(svg).not.toMatch(/[\u0000-\u0008\u202e]/);
});

test('a volcano is drawn in the size of its place, dark as well', async () => {
  const figure = volcanoFigure({ ...common, a: 'A', b: 'B', thresholds, ...comparedGenes(2000) });
  const { width } = await renderPng(figure, { resolution: 'screen' });
  expect(width).toBe(1200);
  const fitted = volcanoDrawing.fit(figure.spec, { width: 400, height: 300 });
  expect(fitted.isWhole).toBe(true);
  expect(fitted.spec.panel.x + fitted.spec.panel.width).toBeLessThanOrEqual(400);
  expect(volcanoDrawing.fit(figure.spec, { width: 100, height: 90 }).isWhole).toBe(false);
});

test.each([
  ['genes', { genes: ['a', 'b'] }],
  ['adjustedPs', { adjustedPs: Float64Array.of(1.5) }],
  ['thresholds', { thresholds: { adjustedP: 2, foldChange: 1 } }],
])('wrong %s are named in the error', (field, wrong) => {
  const make = () => figureOf([['a', 1, 0.1]], wrong);
  expect(make).toThrow(FigureInputError);
  expect(make).toThrow(expect.objectContaining({ field }));
});

test('a figure of no tested gene is a sentence instead of bare axes', async () => {
  for (const kind of ['volcano', 'ma-plot', 'rank-plot']) {
    const svg = await renderSvg(figureOfKind(kind, 'none'), { width: 700, height: 260, ratio: 1 });
    expect(svg).toContain('No gene was tested.');
    // The sentence, and the first line of the figure.
    expect(svg.match(/<text /g)).toHaveLength(2);
  }
});

test('most genes of a crowd are named, some away from their points with lines that cross no name', () => {
  const crowd = Array.from(
    { length: 8 },
    (_, i) => [`LONGNAME${i}`, 2 + i / 40, 10 ** -(9 + i / 30)] as const,
  );
  const { spec, drawing } = figureOf([...crowd, ['far', -5, 1e-20], ['near', 4, 1e-4]]);
  const { marks } = drawing.scene(spec);
  const names = marks.filter((mark) => mark.kind === 'text' && mark.text.startsWith('LONGNAME'));
  expect(names.length).toBeGreaterThanOrEqual(6);
  const lines = marks.filter((mark) => mark.kind === 'triangle');
  expect(lines.length).toBeGreaterThanOrEqual(2 * 3);
  const boxes = names.map((mark) => box(mark as TextMark));
  for (const { corners } of lines) {
    const [x1, y1, , , x2, y2] = corners;
    const middle = { x: (x1 + x2) / 2, y: (y1 + y2) / 2, width: 0.1, height: 0.1 };
    expect(boxes.some((one) => overlap(one, middle))).toBe(false);
  }
});
