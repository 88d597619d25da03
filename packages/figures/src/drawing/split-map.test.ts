import { expect, test } from 'vitest';
import { categoryUmapFigure, geneUmapFigure, highlightUmapFigure, scoreUmapFigure } from '../index.ts';
import {
  categorical,
  geneOf,
  hostileNames,
  maskOf,
  mixture,
  scoresOf,
  tenTypes,
} from '../mixture.test-data.ts';
import type { CommonSpec, Figure } from './figure.ts';
import { undrawnShade, type PointLayer } from './raster/point-layer.ts';
import { renderPng, renderSvg } from './render-figure.ts';
import type { Rectangle, Scene } from './scene/scene.ts';
import { plotFigure } from '../all-plots.ts';
import { numbersOf, summariseFigure } from '../all-words.ts';
import { splitMap } from './split-map.ts';

const cells = 900;
const ten = { ...mixture(cells, tenTypes), title: 'x', datasetName: 'Lung' };
const { column } = ten;
const by = {
  column: categorical(
    Int16Array.from({ length: cells }, (_, cell) => (cell % 4) - 1),
    ['control', 'treated', 'late'],
  ),
  title: 'Condition',
  palette: 'cluster' as const,
};
const gene = geneOf(cells, [0, 1, 2, 5, 6, 9, 400], [1, 2, 3, 4, 5, 6, 0.5]);
const mask = maskOf(column.codes.map((code) => (code < 5 ? 1 : 0)));
const figures: readonly [string, Figure][] = [
  ['gene', geneUmapFigure({ ...ten, gene, symbol: 'A' }) as unknown as Figure],
  ['gene of a subset', geneUmapFigure({ ...ten, gene, symbol: 'A', mask }) as unknown as Figure],
  ['score', scoreUmapFigure({ ...ten, scores: scoresOf(column) }) as unknown as Figure],
  ['category', categoryUmapFigure(ten) as unknown as Figure],
  ['highlight', highlightUmapFigure({ ...ten, highlighted: [tenTypes[2]!] }) as unknown as Figure],
];

test('a split map of a gene says in its title and its reading what it is split by, with the cells of each part', () => {
  const { spec } = plotFigure(
    { kind: 'gene-umap' },
    {
      gene: { gene, symbol: 'A', unit: 'log-normalized expression' },
      embedding: ten.embedding,
      shownSplit: by,
    },
    { datasetName: 'Lung' },
  );
  const { title, reading } = spec.words!;
  expect(title).toBe('Map of cells (UMAP): A, split by Condition into 3 maps, Lung');
  expect(reading).toMatch(
    /^The UMAP shows 900 cells, colored by A \(.*\), in 3 maps by Condition \(control with 225 cells, treated with 225 cells and late with 225 cells\)\. /,
  );
  expect(summariseFigure(numbersOf(spec)!)).toContain('in 3 maps by Condition');
});

const layersOf = (figure: Figure): readonly PointLayer[] => figure.drawing.points!(figure);
const sceneOf = (figure: Figure) => figure.drawing.scene(figure.spec) as Scene & { parts: Rectangle[] };

function placesOf(split: Figure) {
  const places = new Map(layersOf(split).map(({ panel }) => [JSON.stringify(panel), panel!]));
  return [...places.values()];
}

test.each(figures)(
  'a map of a %s draws each cell of a part once, over the silhouette of all',
  (name, figure) => {
    const maskOfFigure = name === 'gene of a subset' ? mask : undefined;
    const split = splitMap(figure, by, maskOfFigure);
    const layers = layersOf(split);
    const inkOf = new Map<number, number>();
    for (const { order, cellInk, ground } of layersOf(figure)) {
      if (ground !== undefined) for (let cell = 0; cell < cells; cell++) inkOf.set(cell, ground);
      for (const cell of order) inkOf.set(cell, cellInk[cell]!);
    }
    const places = placesOf(split);
    expect(places).toHaveLength(3);
    for (const part of places.keys()) {
      const [silhouette, ...own] = layers.filter(
        ({ panel }) => panel!.x === places[part]!.x && panel!.y === places[part]!.y,
      );
      expect(silhouette!.order).toHaveLength(cells);
      expect(silhouette!.cellInk.every((ink) => ink === 0)).toBe(true);
      const actual = own.flatMap(({ order, cellInk }) =>
        Array.from(order, (cell) => [cell, cellInk[cell]!] as const),
      );
      const expected = [...inkOf].filter(([cell]) => by.column.codes[cell] === part);
      expect(actual.toSorted(([a], [b]) => a - b)).toEqual(expected.toSorted(([a], [b]) => a - b));
      expect(own.every(({ inks }) => inks === own[0]!.inks || inks.length === own[0]!.inks.length)).toBe(
        true,
      );
    }
  },
);

test.each(figures)(
  'the maps of a %s lie beside each other in one file, with one scale and their names',
  async (_, figure) => {
    const split = splitMap(figure, by, undefined);
    const { panel } = sceneOf(split);
    const parts = placesOf(split);
    expect(parts).toHaveLength(3);
    parts.forEach((one, i) => {
      expect(one.x).toBeGreaterThanOrEqual(panel.x - 0.01);
      expect(one.x + one.width).toBeLessThanOrEqual(panel.x + panel.width + 0.01);
      expect(one.y + one.height).toBeLessThanOrEqual(panel.y + panel.height + 0.01);
      for (const other of parts.slice(i + 1)) {
        expect(other.x >= one.x + one.width || other.y >= one.y + one.height).toBe(true);
      }
    });
    const domain = (spec: CommonSpec) => (spec as unknown as { domain?: unknown }).domain;
    expect(domain(split.spec)).toEqual(domain(figure.spec));
    expect(split.spec.size).toEqual(figure.spec.size);
    expect(split.spec.summary).toContain('split by Condition · 225 in no part');
    const svg = await renderSvg(split);
    for (const name of ['control', 'treated', 'late']) expect(svg).toContain(`>${name}<`);
    const png = await renderPng(split);
    const whole = await renderPng(figure);
    expect([png.width, png.height]).toEqual([whole.width, whole.height]);
    expect(Buffer.from(png.png).equals(Buffer.from(whole.png))).toBe(false);
    const view = { width: 300, height: 200, ratio: 1, theme: 'dark', whole: false } as const;
    expect((await renderPng(split, { view })).width).toBe(300);
  },
);

test('the twelve largest parts are drawn, which a caution reports, and hostile names are text', async () => {
  const codes = Int16Array.from({ length: cells }, (_, cell) => cell % 15);
  const names = Array.from({ length: 15 }, (_, i) => hostileNames[i] ?? `part ${i}`);
  const many = { ...by, column: categorical(codes, names) };
  const split = splitMap(figures[0]![1], many, undefined);
  expect(placesOf(split)).toHaveLength(12);
  expect(split.spec.summary).toContain('the 12 largest of 15 parts');
  expect(await renderSvg(split)).not.toContain('<script>');
});

test('cells that are hidden are hidden in every part, and not in the silhouette either', () => {
  const hidden = categoryUmapFigure({ ...ten, shown: { hidden: [tenTypes[0]!] } }) as unknown as Figure;
  const layers = layersOf(splitMap(hidden, by, undefined));
  const isHidden = (cell: number) => column.codes[cell] === 0;
  for (const { order, cellInk } of layers) {
    const shown = Array.from(order).filter((cell) => cellInk[cell] !== undrawnShade);
    expect(shown.some(isHidden)).toBe(false);
  }
});

test('a column of other cells, or of none, and a figure that is no map are refused', () => {
  const figure = figures[0]![1];
  const refused = expect.objectContaining({ field: 'split' });
  const other = { ...by, column: categorical(Int16Array.of(0), ['a']) };
  const empty = { ...by, column: categorical(new Int16Array(cells).fill(-1), ['a']) };
  expect(() => splitMap(figure, other, undefined)).toThrow(refused);
  expect(() => splitMap(figure, empty, undefined)).toThrow(refused);
  const { points: _, ...chart } = figure.drawing;
  expect(() => splitMap({ ...figure, drawing: chart }, by, undefined)).toThrow(refused);
});
