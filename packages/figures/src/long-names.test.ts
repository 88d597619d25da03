import type { CategoricalColumn, Embedding } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { categoryUmapFigure, dotPlotFigure, geneViolinFigure, highlightUmapFigure } from './index.ts';
import { geneOf } from './mixture.test-data.ts';
import { renderPng, renderSvg } from './drawing/render-figure.ts';

const million = 1_000_000;
/** Direction marks, markup, a NUL and half a surrogate pair, then a difference after a million letters. */
const hostile = (end: number) => `<b>T\u202E\u0000\n\ud800 cell 👩‍🔬${'x'.repeat(million)}${end}`;

function column(names: readonly string[], cells: number): CategoricalColumn {
  return {
    kind: 'categorical',
    codes: Int32Array.from({ length: cells }, (_, cell) => cell % names.length),
    categories: names,
    categoryType: 'string',
    ordered: false,
  };
}

const embedding = (cells: number): Embedding => ({
  name: `X_${'u'.repeat(million)}`,
  dimensions: 2,
  values: Float32Array.from({ length: 2 * cells }, (_, at) => Math.sin(at * 12.9898)),
});
const texts = { title: hostile(1), datasetName: hostile(2) };

test('sixty categories of a million characters make a figure of the usual size, and stay sixty', async () => {
  const names = Array.from({ length: 60 }, (_, i) => hostile(i));
  const figure = categoryUmapFigure({ embedding: embedding(600), column: column(names, 600), ...texts });
  const labels = figure.spec.groups.map(({ label }) => label);
  expect(new Set(labels).size).toBe(60);
  expect(Math.max(...labels.map(({ length }) => length))).toBeLessThanOrEqual(500);
  expect(JSON.stringify(figure.spec).length).toBeLessThan(60 * 700);
  const svg = await renderSvg(figure);
  expect(svg.length).toBeLessThan(250_000);
  const shownTexts = Array.from(
    svg.matchAll(/<text[^>]*>(?:<title>[^<]*<\/title>)?([^<]*)<\/text>/g),
    ([, text]) => text!,
  );
  expect(
    new Set(shownTexts.filter((text) => text.startsWith('&lt;b&gt;T cell'))).size,
  ).toBeGreaterThanOrEqual(60);
  expect(svg).not.toMatch(/[\0\u202E]|<b>/);
  expect(svg.isWellFormed()).toBe(true);
  expect(await renderPng(figure)).toMatchObject({ width: 1200, height: 2 * figure.spec.size.height });
});

test('of 100,000 categories the 200 largest are named, and the legend counts the others', async () => {
  const names = Array.from({ length: 100_000 }, (_, i) => `clone ${i}`);
  const cells = 100_300;
  const figure = categoryUmapFigure({ embedding: embedding(cells), column: column(names, cells), ...texts });
  const { groups, rest, size } = figure.spec;
  // The first 300 have two cells each.
  expect(groups.map(({ code }) => code)).toEqual([...Array(200).keys()]);
  expect(rest).toMatchObject({ groups: 99_800, cells: cells - 400 });
  expect(figure.spec.summary).toContain('100,000 groups · the 200 largest of them named');
  expect(size.height).toBeLessThan(2600);
  const svg = await renderSvg(figure);
  expect(svg).toContain('+ 99,800 more groups');
  // The codes of all others would be most of it; they are all that are not named.
  expect('codes' in rest!).toBe(false);
  expect(JSON.stringify(figure.spec).length).toBeLessThan(200 * 200);
});

test('of more chosen categories than a legend names, all are drawn and counted', () => {
  const names = Array.from({ length: 1000 }, (_, i) => `clone ${i}`);
  const { spec } = highlightUmapFigure({
    embedding: embedding(2000),
    column: column(names, 2000),
    highlighted: names.slice(0, 300),
    ...texts,
  });
  expect(spec.summary).toContain('600 of 2,000 cells');
  expect(spec.groups).toHaveLength(200);
  expect(spec.rest).toMatchObject({ groups: 100, cells: 200 });
  expect(spec.rest!.codes).toEqual(Array.from({ length: 100 }, (_, i) => 200 + i));
});

test('the other category figures keep long names apart too', async () => {
  const names = Array.from({ length: 20 }, (_, i) => hostile(i));
  const violin = geneViolinFigure({
    gene: geneOf(200, [0, 1], [1, 2]),
    groups: column(names, 200),
    symbol: hostile(1),
    groupTitle: hostile(2),
    datasetName: hostile(3),
  });
  expect(new Set(violin.spec.groups.map(({ label }) => label)).size).toBe(20);
  expect((await renderSvg(violin)).length).toBeLessThan(200_000);
  const dots = dotPlotFigure({
    groups: names.map((label) => ({ label, cells: 10 })),
    genes: names.map((name, i) => ({ symbol: hostile(100 + i), group: name })),
    mean: new Float64Array(400).fill(1),
    fraction: new Float64Array(400).fill(0.5),
    groupTitle: hostile(1),
    ...texts,
  });
  const labels = dots.spec.groups.map(({ label }) => label);
  expect(new Set(labels).size).toBe(20);
  expect(dots.spec.genes.map(({ bracket }) => bracket)).toEqual(labels);
  expect((await renderSvg(dots)).length).toBeLessThan(300_000);
});
