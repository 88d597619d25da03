import { Resvg } from '@resvg/resvg-js';
import { expect, test } from 'vitest';
import { FigureInputError } from '../drawing/checked-input.ts';
import { cutGrid } from '../drawing/label-grid/spec.ts';
import { renderPng, renderSvg } from '../drawing/render-figure.ts';
import type { TextMark, VectorMark } from '../drawing/scene/scene.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import { ligandReceptorHeatmapFigure, maxHeatmapGroups } from './heatmap.ts';
import { hostileNames, tenTypes } from '../mixture.test-data.ts';
import { numbersOf, summariseFigure } from '../all-words.ts';
import { ligandReceptorDotsFigure, maxColumns, maxPairs } from './dots.ts';
import { interactionsOf, examplePairs } from './interactions.test-data.ts';

const datasetName = 'Lung atlas (simulated)';
const input = { ...interactionsOf(tenTypes, examplePairs), datasetName };
const small = {
  ...interactionsOf(['T', 'B'], [['L', 'R']]),
  datasetName,
  means: Float64Array.of(2, 1, 0.5, 0.1),
  pValues: Float64Array.of(0, 0.01, 0.04, 1),
};
const wordsOf = (spec: object) => summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!);
const texts = (marks: readonly VectorMark[]) =>
  marks.filter((mark): mark is TextMark => mark.kind === 'text');

test('dots are the surest first, with all that was tested where pairs and groups cross', () => {
  const { spec } = ligandReceptorDotsFigure(small);
  expect(spec.rows).toEqual(['L – R']);
  expect(spec.columns).toEqual(['T → T', 'T → B', 'B → T', 'B → B']);
  expect(spec.values).toEqual([2, 1, 0.5, 0.1]);
  // One permutation of a thousand is the largest dot; 0.01 has two thirds of its area, and 1 none.
  expect(spec.areas!.map((area) => Number(area.toFixed(3)))).toEqual([1, 0.667, 0.466, 0]);
  expect([spec.passing, spec.tested]).toEqual([3, 4]);
  expect(spec.best.map(({ source, target, p }) => [source, target, p])).toEqual([
    ['T', 'T', 0],
    ['T', 'B', 0.01],
    ['B', 'T', 0.04],
    ['B', 'B', 1],
  ]);
  const words = wordsOf(spec);
  expect(words).toContain('L of T with R of T (mean 2, p < 0.001)');
  expect(words).not.toContain('L of B with R of B');
});

test('interactions that are named are drawn in their order, and what is none is passed over', () => {
  const named = [
    { source: 'B', target: 'B', ligand: 'L', receptor: 'R' },
    { source: 'B', target: 'gone', ligand: 'L', receptor: 'R' },
    { source: 'T', target: 'B', ligand: 'L', receptor: 'R' },
  ];
  const { spec } = ligandReceptorDotsFigure({ ...small, wanted: named });
  expect(spec.columns).toEqual(['T → B', 'B → B']);
  expect(spec.best.map(({ source, target }) => `${source} ${target}`)).toEqual(['B B', 'T B']);
});

test('the heatmap counts the pairs that pass between groups, with the numbers in its tiles', () => {
  const { spec, drawing } = ligandReceptorHeatmapFigure(small);
  expect(spec.values).toEqual([1, 1, 1, 0]);
  expect(texts(drawing.scene(spec).marks).map(({ text }) => text)).toEqual(
    expect.arrayContaining(['1', '0']),
  );
  expect(wordsOf(spec)).toContain('Most pairs: T to T (1), T to B (1) and B to T (1).');
  const large = ligandReceptorHeatmapFigure(input).spec;
  const significant = input.pValues.filter((p) => p < 0.05).length;
  expect(large.values.reduce<number>((sum, count) => sum + count!, 0)).toBe(significant);
});

test('of many groups and pairs a figure has those that matter most, and says so', () => {
  const many = {
    ...interactionsOf(
      Array.from({ length: 40 }, (_, i) => `group ${i}`),
      Array.from({ length: 60 }, (_, i) => [`L${i}`, `R${i}`] as const),
    ),
    datasetName,
  };
  const dots = ligandReceptorDotsFigure(many).spec;
  expect(dots.rows.length).toBeLessThanOrEqual(maxPairs);
  expect(dots.columns.length).toBeLessThanOrEqual(maxColumns);
  expect(dots.size.width).toBeLessThanOrEqual(1300);
  const heatmap = ligandReceptorHeatmapFigure(many).spec;
  expect(heatmap.rows).toHaveLength(maxHeatmapGroups);
  expect(heatmap.summary).toContain('25 of 40 groups, those with most');
  expect(wordsOf(heatmap)).toContain('The figure leaves out 15 groups.');
});

test.each([
  ['dots', ligandReceptorDotsFigure(input)],
  ['heatmap', ligandReceptorHeatmapFigure(input)],
])('%s lie within their figure in its own size and in that of a page, and nothing overlaps', (_, figure) => {
  const drawing = figure.drawing as {
    scene(spec: object): { marks: readonly VectorMark[]; width: number; height: number };
  };
  const fitted = [
    { width: 900, height: 620 },
    { width: 520, height: 420 },
    { width: 320, height: 260 },
  ].map((size) => figure.drawing.fit(figure.spec as never, size).spec);
  for (const spec of [figure.spec, ...fitted]) {
    const { marks, width, height } = drawing.scene(spec);
    const boxes = texts(marks).map(boxOf);
    for (const { left, right, top, bottom, text } of boxes) {
      expect([text, left >= 2, right <= width - 2, top >= 2, bottom <= height - 2]).toEqual([
        text,
        true,
        true,
        true,
        true,
      ]);
    }
    expect(overlapsOf(boxes)).toEqual([]);
  }
});

test('the words name what finds no room on a page', () => {
  const { spec, drawing } = ligandReceptorDotsFigure(input);
  const fitted = drawing.fit(spec, { width: 420, height: 300 });
  expect(fitted.isWhole).toBe(false);
  expect(fitted.spec.fitted!.leftOut).toMatch(/^\d+ of 7 rows, \d+ of 24 columns$/);
  expect(cutGrid(spec, 2, 3).values).toEqual([
    ...spec.values.slice(0, 3),
    ...spec.values.slice(spec.columns.length, spec.columns.length + 3),
  ]);
  expect(drawing.fit(spec, { width: 200, height: 150 }).spec.fitted!.instead).toContain('Enlarge');
});

test('no interactions make sound figures that say so', async () => {
  const none = { ...interactionsOf([], []), datasetName };
  for (const figure of [ligandReceptorDotsFigure(none), ligandReceptorHeatmapFigure(none)]) {
    const svg = await renderSvg(figure as never);
    expect(svg).toContain(figure.spec.nothing);
    expect(svg).not.toContain('NaN');
  }
});

test('hostile names make sound SVG without markup of their own', async () => {
  const hostile = {
    ...interactionsOf(
      hostileNames,
      hostileNames.map((name) => [name, `${name}+<b>`] as const),
    ),
    datasetName: "<i>&'",
    groupTitle: '<g>\u0000',
    pairSet: '</title><x>',
  };
  for (const figure of [ligandReceptorDotsFigure(hostile), ligandReceptorHeatmapFigure(hostile)]) {
    const svg = await renderSvg(figure as never);
    expect(svg).not.toMatch(/<script|<i>|<x>|<b>|<g>/);
    // eslint-disable-next-line no-control-regex
    expect(svg).not.toMatch(/[\u0000-\u0008\u202e]/);
    expect(new Resvg(svg, { font: { loadSystemFonts: false } }).width).toBe(figure.spec.size.width);
  }
});

test('a figure drawn from its spec as JSON is the same to the byte', async () => {
  const figure = ligandReceptorDotsFigure(input);
  const again = { ...figure, spec: JSON.parse(JSON.stringify(figure.spec)) as typeof figure.spec };
  const [one, two] = [await renderPng(figure), await renderPng(again)];
  expect(Buffer.compare(one.png, two.png)).toBe(0);
});

test.each([
  ['columns of unequal length', { means: new Float64Array(3) }],
  ['groups that are none', { sources: Uint16Array.of(0, 0, 7, 1) }],
  ['p-values that are none', { pValues: Float64Array.of(0, 0, 2, 1) }],
])('%s are refused', (_, wrong) => {
  for (const make of [ligandReceptorDotsFigure, ligandReceptorHeatmapFigure]) {
    expect(() => make({ ...small, ...wrong })).toThrow(FigureInputError);
  }
});

function boxOf({ text, x, y, size, style, anchor, upright }: TextMark) {
  const width = textWidth(text, size, style);
  const before = anchor === 'start' ? 0 : anchor === 'middle' ? width / 2 : width;
  const rise = 0.73 * size;
  return upright === true
    ? { text, left: x - rise, right: x, top: y - width + before, bottom: y + before }
    : { text, left: x - before, right: x - before + width, top: y - rise, bottom: y };
}

function overlapsOf(boxes: readonly ReturnType<typeof boxOf>[]): string[] {
  return boxes.flatMap((one, at) =>
    boxes.slice(at + 1).flatMap((other) => {
      const isApart =
        one.right <= other.left ||
        other.right <= one.left ||
        one.bottom <= other.top ||
        other.bottom <= one.top;
      return isApart ? [] : [`${one.text} / ${other.text}`];
    }),
  );
}
