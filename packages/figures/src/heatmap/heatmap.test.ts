import { expect, test } from 'vitest';
import { figureContent } from '../all-content.ts';
import { geneMatrixDrawing } from '../drawing/gene-matrix/scene.ts';
import type { GeneMatrixSpec } from '../drawing/gene-matrix/spec.ts';
import { fitToView, renderPng, renderSvg } from '../drawing/render-figure.ts';
import { categorical, geneOf, hostileNames, maskOf } from '../mixture.test-data.ts';
import type { FigureSetting } from '../plot.ts';
import { plotFigure } from '../all-plots.ts';
import { numbersOf, summariseFigure } from '../all-words.ts';
import { linesOfGroups, sampleCells } from './sampled-cells.ts';

const unit = 'log-normalized expression';

function values(names: readonly string[] = ['large', 'middle', 'small']) {
  const cells = 8000;
  const codes = Int16Array.from({ length: cells }, (_, cell) => (cell < 7000 ? 0 : cell < 7990 ? 1 : 2));
  const stored = Array.from({ length: cells - 1 }, (_, i) => i + 1);
  const rising = stored.map((cell) => cell / 1000);
  return {
    genes: [
      { gene: geneOf(cells, stored, rising), symbol: 'RISING', unit },
      { gene: geneOf(cells, [], []), symbol: 'NOWHERE', unit },
    ],
    groups: {
      column: categorical(codes, [...names]),
      title: 'Group',
      columnName: 'group',
      palette: 'cluster' as const,
      chosen: [],
    },
  };
}

function heatmapOf(content: object = {}, setting: Partial<FigureSetting> = {}, inputs = values()) {
  const parsed = figureContent.parse({ kind: 'heatmap', genes: ['RISING', 'NOWHERE'], ...content });
  return plotFigure(parsed, inputs, { datasetName: 'Lung', ...setting });
}
const specOf = (figure: ReturnType<typeof heatmapOf>) => figure.spec as unknown as GeneMatrixSpec;
const levelsOf = ({ cells }: GeneMatrixSpec, place: number) => [
  ...Buffer.from(cells!.levels[place]!, 'base64'),
];

test('small groups are there with all their cells, the others with equally many, at most 2,000 together', () => {
  expect(linesOfGroups([7000, 990, 10])).toEqual([1000, 990, 10]);
  expect(linesOfGroups([7000, 7000, 7000, 0], 10)).toEqual([3, 3, 4, 0]);
  expect(linesOfGroups([3, 4])).toEqual([3, 4]);
});

test('cells are drawn once each, in the order of the file, the same every time, and from all of the group', () => {
  const codes = Array.from({ length: 9000 }, (_, cell) => cell % 3);
  const lines = new Map([[1, { wanted: 300, cells: 3000 }]]);
  const sampled = sampleCells(codes, lines, undefined).get(1)!;
  expect(sampled.every((cell, i) => cell % 3 === 1 && (i === 0 || cell > sampled[i - 1]!))).toBe(true);
  expect(sampleCells(codes, lines, undefined).get(1)).toEqual(sampled);
  // The mean place of 300 of 9,000 has a standard deviation of 150.
  const mean = sampled.reduce((sum, cell) => sum + cell, 0) / sampled.length;
  expect(Math.abs(mean - 4500)).toBeLessThan(600);
});

test('every cell of a group that has no more lines is there with its own value', () => {
  const spec = specOf(heatmapOf());
  expect(spec.cells!.shown).toEqual([1000, 990, 10]);
  expect(spec.cells!.domain).toEqual([0, 7.999]);
  const expected = Array.from({ length: 10 }, (_, i) => Math.round((255 * (7.99 + i / 1000)) / 7.999));
  expect(levelsOf(spec, 2 * 2)).toEqual(expected);
  expect(new Set(levelsOf(spec, 1))).toEqual(new Set([0]));
});

test('the figure says how many of the cells are shown, and nothing where all are', () => {
  expect(heatmapOf().spec.summary).toBe(
    '2 genes in 3 groups, 2,000 of 8,000 cells, at random from each group',
  );
  const few = maskOf(Array.from({ length: 8000 }, (_, cell) => Number(cell >= 7900)));
  expect(heatmapOf({}, { mask: few }).spec.summary).toBe('2 genes in 2 groups, 100 cells');
});

test('scaled, a gene goes from 0 to 1 over all cells of the groups, also those that are not shown', () => {
  const spec = specOf(heatmapOf({ scale: 'gene' }));
  expect(spec.cells!.domain).toEqual([0, 1]);
  expect(Math.max(...levelsOf(spec, 4))).toBe(255);
  // A gene of one value is 0.
  expect(new Set(levelsOf(spec, 1))).toEqual(new Set([0]));
});

test('a requested range is that of the shades', () => {
  const spec = specOf(heatmapOf({}, { range: [0, 4] }));
  expect(new Set(levelsOf(spec, 4))).toEqual(new Set([255]));
});

test('hostile names are text in the SVG, whose cells are images and not thousands of shapes', async () => {
  const figure = heatmapOf({}, {}, values(hostileNames.slice(0, 3)));
  const svg = await renderSvg(figure);
  expect(svg).not.toContain('<script');
  expect(svg.match(/<image /g)).toHaveLength(3);
  expect(svg.match(/<rect /g)!.length).toBeLessThan(40);
  const view = { width: 320, height: 220, ratio: 1 };
  for (const theme of ['light', 'dark'] as const) {
    const { png, width } = await renderPng(figure, { view: { ...view, theme } });
    expect(width).toBe(320);
    expect(png.length).toBeGreaterThan(1000);
  }
});

test('its words are of the means in the groups', () => {
  const words = summariseFigure(numbersOf(heatmapOf().spec)!);
  expect(words).toContain('2,000 of 8,000 cells, at random from each group');
  expect(words).toContain('small: RISING (mean 7.99');
});

function hundred() {
  const { genes, groups } = values();
  return { genes: Array.from({ length: 100 }, (_, i) => ({ ...genes[0]!, symbol: `GENE${i + 1}` })), groups };
}
const ofHundred = () =>
  heatmapOf({ genes: Array.from({ length: 100 }, (_, i) => `GENE${i + 1}`) }, {}, hundred());

test('a heatmap takes a hundred genes, other lists of genes sixty', () => {
  const genes = (count: number) => Array.from({ length: count }, (_, i) => `G${i}`);
  const isTaken = (kind: string, count: number) =>
    figureContent.safeParse({ kind, genes: genes(count) }).success;
  expect([isTaken('heatmap', 100), isTaken('heatmap', 101)]).toEqual([true, false]);
  expect([isTaken('gene-dot-plot', 60), isTaken('gene-dot-plot', 61)]).toEqual([true, false]);
  const runs = genes(100).map((name) => ({ name, count: 1 }));
  expect(figureContent.safeParse({ kind: 'heatmap', genes: genes(100), brackets: runs }).success).toBe(true);
});

test('in a large view each of a hundred genes has its symbol, in type of 11 pixels or more', async () => {
  const svg = await renderSvg(ofHundred(), { width: 1400, height: 720, ratio: 1, whole: true });
  const symbols = [...svg.matchAll(/font-size="([\d.]+)"[^>]*>(GENE\d+)</g)];
  expect(symbols).toHaveLength(100);
  const scale = 1400 / Number(/viewBox="0 0 ([\d.]+)/.exec(svg)![1]);
  for (const [, size] of symbols) expect(Number(size) * scale).toBeGreaterThanOrEqual(10.99);
});

test('in a small view all genes are drawn, some without their symbols, and the figure says how many', async () => {
  const figure = ofHundred();
  const view = { width: 560, height: 340, ratio: 1 };
  const { spec, zoom } = fitToView(figure, view);
  const { genes, fitted } = spec as unknown as GeneMatrixSpec;
  expect(genes).toHaveLength(100);
  const [, named] = /^names of (\d+) of 100 genes$/.exec(fitted!.leftOut)!;
  const svg = await renderSvg(figure, view);
  const symbols = [...svg.matchAll(/>(GENE\d+)</g)].map(([, symbol]) => symbol);
  expect(symbols).toHaveLength(Number(named));
  expect(symbols.slice(0, 2)).toEqual(['GENE1', `GENE${1 + Math.round(100 / Number(named))}`]);
  expect(svg).toContain(`names of ${named} of 100 genes fit here`);
  // Type is 14.5 units high.
  expect(14.5 * zoom).toBeGreaterThanOrEqual(11);
});

test('a small view says that the cells are a part of all, though symbols are left out', () => {
  const { spec } = fitToView(ofHundred(), { width: 560, height: 340, ratio: 1 });
  expect(spec.summary).toBe('2,000 of 8,000 cells, at random from each group');
});

test('the rows of a heatmap take the height that there is', () => {
  const { spec } = fitToView(heatmapOf(), { width: 900, height: 700, ratio: 1 });
  const { panel, height } = geneMatrixDrawing.scene(spec as unknown as GeneMatrixSpec);
  expect(panel.height).toBeGreaterThan(0.35 * height);
});
