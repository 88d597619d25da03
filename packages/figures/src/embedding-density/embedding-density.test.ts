import { Resvg } from '@resvg/resvg-js';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import {
  contentAddress,
  figureContent,
  isLiveMap,
  isMap,
  notShown,
  readContentAddress,
} from '../all-content.ts';
import { parseHex } from '../drawing/colour/oklab.ts';
import type { Figure } from '../drawing/figure.ts';
import { fitToView, minFontSize, renderPng, renderSvg } from '../drawing/render-figure.ts';
import { smallSize } from '../drawing/scene/style.ts';
import type { PointLayer } from '../drawing/raster/point-layer.ts';
import { categorical, hostileNames, maskOf, mixture } from '../mixture.test-data.ts';
import type { FigureSetting } from '../plot.ts';
import { plotFigure } from '../all-plots.ts';
import { numbersOf, summariseFigure } from '../all-words.ts';
import type { EmbeddingDensitySpec } from './spec.ts';

const cells = 900;
const { embedding, column: clouds } = mixture(cells, ['left', 'middle', 'right']);

const inputOf = (codes: ArrayLike<number>, names: readonly string[], columnName?: string) => ({
  column: categorical(Int16Array.from(codes), names),
  title: 'Condition',
  palette: 'cluster' as const,
  chosen: [],
  ...(columnName !== undefined && { columnName }),
});
const types = { ...inputOf(clouds.codes, clouds.categories, 'type'), title: 'Cell type' };
const conditions = Int16Array.from(clouds.codes, (code, cell) => Number(code === 0 || cell % 20 === 0));
const byCondition = inputOf(conditions, ['control', 'treated'], 'condition');

function figureOf(
  groups: object = byCondition,
  setting: Partial<FigureSetting> = {},
  values: object = {},
): Figure<EmbeddingDensitySpec> {
  const content = figureContent.parse({ kind: 'embedding-density', by: { column: 'condition' } });
  const inputs = { embedding, groups, types, ...values };
  return plotFigure(content, inputs, {
    datasetName: 'Lung',
    ...setting,
  }) as unknown as Figure<EmbeddingDensitySpec>;
}
const layersOf = (figure: Figure<EmbeddingDensitySpec>) => figure.drawing.points!(figure);
const wordsOf = ({ spec }: Figure) => summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!);

test('each group has a map with its name and its cells, which its densities colour from 0 to 1', () => {
  const figure = figureOf();
  const treated = conditions.filter((code) => code === 1).length;
  expect(figure.spec.groups.map(({ label, cells: n }) => [label, n])).toEqual([
    ['control', cells - treated],
    ['treated', treated],
  ]);
  const { marks } = figure.drawing.scene(figure.spec);
  const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
  expect(texts).toEqual(
    expect.arrayContaining(['control', `n = ${cells - treated}`, 'treated', `n = ${treated}`]),
  );
  const layers = layersOf(figure);
  expect(layers).toHaveLength(4);
  const shades = figure.spec.colours.ramp.length;
  for (const [ground, dense] of [layers.slice(0, 2), layers.slice(2)] as [PointLayer, PointLayer][]) {
    expect(ground.panel).toEqual(dense.panel);
    expect(ground.order).toHaveLength(cells);
    const inks = [...dense.order].map((cell) => dense.cellInk[cell]!);
    expect([Math.min(...inks), Math.max(...inks)]).toEqual([2, 1 + shades]);
  }
});

test('the words say where each group is dense, with which share of its cells, and which these are', () => {
  const figure = figureOf();
  const [, treated] = figure.spec.groups;
  const words = wordsOf(figure);
  expect(treated!.among[0]!.label).toBe('left');
  expect(words).toMatch(
    /treated \(\d+ cells\): densest near UMAP1 [-−]?[\d.]+, UMAP2 [-−]?[\d.]+\. \d+\.\d % of its cells lie where its density is 0\.5 or more: left \(\d+\.\d %\)/,
  );
  expect(words).toContain('scaled from 0 to 1 within each group');
  const byType = { ...types, title: 'Type' };
  expect(figureOf(byType).spec.groups.map(({ among }) => among)).toEqual([[], [], []]);
});

test('the densest cell of each map has the last colour in the picture, in its own map', async () => {
  const figure = figureOf();
  const { data, width } = PNG.sync.read(Buffer.from((await renderPng(figure)).png));
  const [red, green, blue] = parseHex(figure.spec.colours.ramp.at(-1)!);
  const scale = width / figure.spec.size.width;
  for (const { panel, order } of layersOf(figure)) {
    const { x, y, width: across, height } = panel!;
    if (order.length === cells) continue;
    let matching = 0;
    for (let row = Math.round(y * scale); row < (y + height) * scale; row++) {
      for (let at = Math.round(x * scale); at < (x + across) * scale; at++) {
        const i = 4 * (row * width + at);
        if (data[i] === red && data[i + 1] === green && data[i + 2] === blue) matching++;
      }
    }
    // eslint-disable-next-line vitest/no-conditional-expect
    expect(matching).toBeGreaterThan(3);
  }
});

test('groups without a density say why, and the others have theirs', async () => {
  const codes = Int16Array.from({ length: cells }, (_, cell) => (cell < 3 ? 1 : cell < 23 ? 2 : 0));
  const values = embedding.values.slice();
  // Twenty cells on a line.
  for (let cell = 3; cell < 23; cell++) values.set([0.25 * cell, 0.5 * cell], 2 * cell);
  const figure = figureOf(
    inputOf(codes, ['most', 'three', 'line'], 'c'),
    {},
    { embedding: { ...embedding, values } },
  );
  expect(figure.spec.groups.map(({ problem }) => problem)).toEqual([undefined, 'few', 'singular']);
  expect(layersOf(figure)).toHaveLength(2);
  const svg = (await renderSvg(figure)).replaceAll(/<[^>]*>|\s+/g, ' ').replaceAll(/ +/g, ' ');
  expect(svg).toContain('Too few cells: a density needs at least 4.');
  expect(wordsOf(figure)).toContain('line (20 cells): The cells lie on a line, which has no density.');
  const none = figureOf(inputOf(new Int16Array(cells).fill(-1), ['a'], 'c'));
  expect(none.spec.summary).toBe(
    `0 cells · 0 groups · each scaled from 0 to 1 · ${cells} without a group left out`,
  );
  expect(await renderSvg(none)).toContain('None of these cells is in a group.');
  expect((await renderPng(none)).width).toBe(2 * none.spec.size.width);
});

test('cells without coordinates are not counted in a density, and cells of the mask alone are', () => {
  const values = embedding.values.slice();
  values.fill(NaN, 0, 20);
  const incomplete = figureOf(byCondition, {}, { embedding: { ...embedding, values } });
  const counted = incomplete.spec.groups.reduce((sum, group) => sum + group.cells, 0);
  expect(counted).toBe(cells - 10);
  expect(incomplete.spec.summary).toContain('10 without coordinates');
  const mask = maskOf(Array.from({ length: cells }, (_, cell) => Number(cell % 2 === 0)));
  const masked = figureOf(byCondition, { mask });
  expect(masked.spec.groups.reduce((sum, group) => sum + group.cells, 0)).toBe(cells / 2);
  const [{ cellInk }] = layersOf(masked) as [PointLayer];
  expect(cellInk.slice(0, 4)).toEqual(Uint8Array.of(1, 0, 1, 0));
});

test('of many groups the twelve largest are there, and the figure says so', () => {
  const many = figureOf(
    inputOf(
      Array.from({ length: cells }, (_, cell) => Math.floor(Math.sqrt(cell)) * 300),
      Array.from({ length: 10_000 }, (_, i) => `category ${i}`),
      'c',
    ),
  );
  expect(many.spec.groups.map(({ code }) => code / 300)).toEqual([
    18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
  ]);
  expect(many.spec.summary).toBe(`${cells} cells · the 12 largest of 30 groups · each scaled from 0 to 1`);
  expect(wordsOf(many)).toContain('18 smaller groups are not in the figure.');
});

test('a dataset without groups has one map of all cells', () => {
  const { spec } = figureOf(
    inputOf(new Int16Array(cells), ['All cells']),
    {},
    { types: inputOf(new Int16Array(cells), ['All cells']) },
  );
  expect(spec.title).toBe('Density of all cells');
  expect(spec.groups).toHaveLength(1);
});

const hostile = inputOf(
  Array.from({ length: cells }, (_, cell) => cell % hostileNames.length),
  hostileNames,
  'c',
);

test.each([
  { width: 130, height: 120 },
  { width: 300, height: 200 },
  { width: 420, height: 300 },
  { width: 1200, height: 800 },
])('hostile names are text, and all of a figure lies within $width by $height', async (size) => {
  const figure = figureOf(hostile);
  const view = { ...size, ratio: 1 };
  for (const theme of ['light', 'dark'] as const) {
    expect((await renderPng(figure, { view: { ...view, theme } })).width).toBe(size.width);
  }
  const svg = await renderSvg(figure, view);
  expect(svg).not.toMatch(/<script|"NaN"/);
  expect(new Resvg(svg, { font: { loadSystemFonts: false } }).width).toBe(size.width);
  const { spec, zoom } = fitToView(figure, view);
  expect(zoom * smallSize).toBeGreaterThanOrEqual(minFontSize - 1e-9);
  const { panel } = figure.drawing.scene(spec);
  for (const { panel: map } of layersOf({ ...figure, spec })) {
    expect(map!.x).toBeGreaterThanOrEqual(panel.x);
    expect(map!.y).toBeGreaterThanOrEqual(panel.y);
    expect(map!.x + map!.width).toBeLessThanOrEqual(panel.x + panel.width + 1e-9);
    expect(map!.y + map!.height).toBeLessThanOrEqual(panel.y + panel.height + 1e-9);
  }
  expect(spec.groups.length).toBeGreaterThanOrEqual(1);
  const left = spec.groups.length < hostileNames.length;
  expect(spec.fitted!.leftOut).toBe(left ? `${spec.groups.length} of ${hostileNames.length} groups` : '');
});

test.each([
  { width: 330, height: 200 },
  { width: 420, height: 300 },
  { width: 1000, height: 500 },
])('the colour bar keeps clear of the maps within $width by $height', (size) => {
  const figure = figureOf();
  const { spec } = fitToView(figure, { ...size, ratio: 1 });
  const { marks, panel } = figure.drawing.scene(spec);
  const bar = marks.find((mark) => mark.kind === 'ramp');
  const [ends] = [...layersOf({ ...figure, spec })]
    .map(({ panel: map }) => map!.x + map!.width)
    .sort((a, b) => b - a);
  expect(bar === undefined || bar.x >= ends! + 8).toBe(true);
  expect(bar === undefined).toBe(panel.height < 142);
});

test('the same figure gives the same bytes, from its spec as JSON too', async () => {
  const figure = figureOf();
  const again = { ...figure, spec: JSON.parse(JSON.stringify(figure.spec)) as EmbeddingDensitySpec };
  const pictures = [await renderPng(figure), await renderPng(again), await renderPng(figureOf())];
  for (const { png } of pictures) expect(Buffer.compare(png, pictures[0]!.png)).toBe(0);
});

test('its maps are not live, it is found by its address, and only its embedding can be chosen', () => {
  const content = figureContent.parse({ kind: 'embedding-density', by: { column: 'a,b:c%' } });
  expect([isMap(content), isLiveMap(content)]).toEqual([true, false]);
  expect(isLiveMap(figureContent.parse({ kind: 'category-umap' }))).toBe(true);
  expect(readContentAddress(contentAddress(content)!)).toEqual(content);
  expect(notShown(content, { embedding: 'X_tsne', axes: [0, 1] })).toBeUndefined();
  for (const shown of [{ hidden: ['a'] }, { log: true }, { window: { x: [0, 1], y: [0, 1] } }] as const) {
    expect(notShown(content, shown as never)).toHaveProperty('message');
  }
  expect(() => figureOf(byCondition, { range: [0, 1] })).toThrow(expect.objectContaining({ field: 'range' }));
});
