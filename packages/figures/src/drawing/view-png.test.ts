import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { categoryUmapFigure } from '../umap/category-umap.ts';
import { dotPlotFigure } from '../gene-matrix/figure.ts';
import { markerMatrix } from './gene-matrix/marker-matrix.test-data.ts';
import { bestTerms, figure as enrichmentBar } from '../enrichment-bar/draw.ts';
import type { CommonSpec, Figure } from './figure.ts';
import { geneUmapFigure } from '../umap/gene-umap.ts';
import { geneViolinFigure, type GeneViolinFigure } from '../violin-and-ridge/gene-violin.ts';
import { highlightUmapFigure } from '../umap/highlight-umap.ts';
import { hostileNames, tenTypes, geneOf, markerOf, mixture, scoresOf } from '../mixture.test-data.ts';
import { renderPng, minFontSize, fitToView, type FigureView } from './render-figure.ts';
import type { TextMark } from './scene/scene.ts';
import { box, overlap } from './scene/text-box.test-data.ts';
import { scoreUmapFigure } from '../umap/score-umap.ts';
import { scoreViolinFigure } from '../violin-and-ridge/score-violin.ts';

const datasetName = 'Lung atlas (simulated)';
const ten = mixture(700, tenTypes);
const numbered = (count: number, prefix = '') => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const scores = scoresOf(ten.column);

function types(names: readonly string[]): Figure {
  const { embedding, column } = mixture(Math.max(600, 20 * names.length), names);
  return categoryUmapFigure({ embedding, column, title: 'Cell type', datasetName });
}

function violins(names: readonly string[], groupTitle = 'Cell type'): GeneViolinFigure {
  const { column } = mixture(Math.max(600, 20 * names.length), names);
  return geneViolinFigure({
    gene: markerOf(0, column),
    groups: column,
    symbol: 'CD79A',
    groupTitle,
    datasetName,
  });
}

function bars(count: number, prefix = 'Regulation of transcription in response to stress '): Figure {
  const best = bestTerms({
    terms: numbered(count, prefix).map((term, i) => ({
      term,
      adjustedP: Math.min(1, 2e-9 * 5 ** i),
      overlap: `${30 - (i % 20)}/${200 - i}`,
    })),
    title: 'Gene set enrichment',
    subtitle: 'MSigDB Hallmark',
    top: Math.max(1, count),
    termCount: 100,
  });
  return enrichmentBar.draw(best, { datasetName });
}

const long = 'Excitatory neurons of layer 2/3, intratelencephalic ';
const figures: readonly (readonly [string, () => Figure])[] = [
  ['a gene', () => geneUmapFigure({ ...ten, gene: markerOf(0, ten.column), symbol: 'CD79A', datasetName })],
  [
    'a gene of no cell',
    () => geneUmapFigure({ ...ten, gene: geneOf(700, [], []), symbol: 'A', datasetName }),
  ],
  [
    'a gene with a range that begins above zero',
    () =>
      geneUmapFigure({
        ...ten,
        gene: markerOf(0, ten.column),
        symbol: 'CD79A',
        datasetName,
        range: [0.5, 1.5],
        unit: 'scaled expression (mean 0, variance 1, clipped at 10)',
      }),
  ],
  [
    'scores',
    () => scoreUmapFigure({ ...ten, scores, title: 'Hypoxia', subtitle: '46 of 48 genes', datasetName }),
  ],
  ['one category', () => types(['Only'])],
  ['ten categories', () => types(tenTypes)],
  ['hostile categories', () => types(hostileNames)],
  ['34 clusters', () => types(numbered(34))],
  ['60 long categories', () => types(numbered(60, long))],
  ['200 clusters', () => types(numbered(200))],
  [
    'chosen categories',
    () => highlightUmapFigure({ ...ten, highlighted: tenTypes.slice(3, 7), title: 'Chosen', datasetName }),
  ],
  ['violins of ten groups', () => violins(tenTypes)],
  ['violins of hostile groups', () => violins(hostileNames, '<b>'.repeat(70))],
  ['violins of 60 long groups', () => violins(numbered(60, long))],
  [
    'violins of scores',
    () =>
      scoreViolinFigure({
        scores,
        groups: ten.column,
        title: 'Hypoxia',
        groupTitle: 'Cell type',
        datasetName,
        unit: 'mean difference to control genes of the same bins of expression, in natural logarithms',
      }),
  ],
  [
    'violins of no cell',
    () =>
      geneViolinFigure({
        gene: geneOf(0, [], []),
        groups: { ...ten.column, codes: new Int16Array(0) },
        symbol: 'A',
        groupTitle: 'Cell type',
        datasetName,
      }),
  ],
  ['dots of two groups', () => dotPlotFigure(markerMatrix(tenTypes.slice(0, 2), 3))],
  ['dots of ten groups', () => dotPlotFigure(markerMatrix(tenTypes, 5))],
  ['dots of 60 long groups', () => dotPlotFigure(markerMatrix(numbered(60, long), 5))],
  ['no dots', () => dotPlotFigure({ ...markerMatrix(tenTypes, 0), genes: [] })],
  ['ten bars', () => bars(10)],
  ['50 short bars', () => bars(50, '')],
  ['no bars', () => bars(0)],
];

const sizes = [
  [120, 120],
  [120, 900],
  [152, 120],
  [160, 136],
  [176, 144],
  [192, 240],
  [208, 160],
  [304, 120],
  [1200, 120],
  [240, 160],
  [320, 192],
  [496, 256],
  [496, 560],
  [656, 464],
  [1024, 592],
  [300, 900],
  [1600, 200],
] as const;

function sceneOf<Spec extends CommonSpec, Columns extends object>(
  figure: Figure<Spec, Columns>,
  view: Pick<FigureView, 'width' | 'height' | 'whole'>,
) {
  const { spec, zoom } = fitToView(figure, { ratio: 1, ...view });
  const scene = figure.drawing.scene(spec);
  const texts = scene.marks.filter((mark): mark is TextMark => mark.kind === 'text');
  return { scene, texts, zoom, spec };
}

describe.each(figures)('a view of %s', (_, make) => {
  const figure = make();

  test.each(sizes)(
    'of %i by %i has type of 11 px and more, none over another, over the points or out of it',
    (width, height) => {
      const { scene, texts, zoom } = sceneOf(figure, { width, height });
      expect([scene.width * zoom, scene.height * zoom]).toEqual([
        expect.closeTo(width, 6),
        expect.closeTo(height, 6),
      ]);
      const boxes = texts.map(box);
      const small = texts.filter((text) => text.size * zoom < minFontSize - 1e-9).map(({ text }) => text);
      const outside = texts.filter((_text, i) => {
        const at = boxes[i]!;
        return (
          at.x < 2 || at.y < 2 || at.x + at.width > scene.width - 2 || at.y + at.height > scene.height - 2
        );
      });
      const isMap = figure.drawing.points !== undefined;
      const onPoints = isMap ? texts.filter((_text, i) => overlap(boxes[i]!, scene.panel)) : [];
      const touching = texts.flatMap((text, i) =>
        texts
          .slice(0, i)
          .flatMap((other, j) => (overlap(boxes[i]!, boxes[j]!) ? [[text.text, other.text]] : [])),
      );
      expect({ small, outside, onPoints, touching }).toEqual({
        small: [],
        outside: [],
        onPoints: [],
        touching: [],
      });
    },
  );

  test('names neither the figure nor its dataset, which the page does', () => {
    const { texts } = sceneOf(figure, { width: 1024, height: 592 });
    expect(texts.map(({ text }) => text)).not.toContain(figure.spec.title);
    expect(texts.some(({ text }) => text.includes(datasetName))).toBe(false);
  });

  test('leaves nothing out where it can be zoomed', () => {
    const { spec } = sceneOf(figure, { width: 496, height: 256, whole: true });
    expect(spec.fitted).toMatchObject({ leftOut: '' });
    for (const part of ['groups', 'genes', 'terms'] as const) {
      expect((spec as never)[part]).toEqual((figure.spec as never)[part]);
    }
  });
});

test('what finds no room is left out, and the first line says how much', () => {
  const firstLine = (figure: Figure) =>
    sceneOf(figure, { width: 496, height: 256 }).texts.find(({ text }) => text.includes('fit here'))?.text;
  expect(firstLine(violins(numbered(60)))).toMatch(/^\d+ of 60 groups fit here · /);
  expect(firstLine(bars(50))).toMatch(/^\d+ of 50 terms fit here · /);
  expect(firstLine(dotPlotFigure(markerMatrix(tenTypes, 5)))).toMatch(
    /^\d+ of 50 genes, names of 0 of \d+ brackets fit here/,
  );
  const { texts } = sceneOf(types(numbered(200)), { width: 496, height: 256 });
  expect(texts.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^\+ \d+ more$/));
});

test('a beginning that all terms share is cut, and cut visibly', () => {
  const names = (prefix: string) =>
    sceneOf(bars(3, prefix), { width: 496, height: 256 }).texts.map(({ text }) => text);
  expect(names('HALLMARK_SET ')).toEqual(expect.arrayContaining(['…SET 0', '…SET 1', '…SET 2']));
  expect(names('Set ')).toEqual(expect.arrayContaining(['Set 0', 'Set 1', 'Set 2']));
});

test('the largest violins stay, in their order', () => {
  const figure = violins(numbered(60));
  const { spec } = sceneOf(figure, { width: 496, height: 256 });
  const smallest = Math.min(...spec.groups.map(({ cells }) => cells));
  const larger = figure.spec.groups.filter(({ cells }) => cells > smallest).map(({ label }) => label);
  expect(spec.groups.map(({ label }) => label)).toEqual(expect.arrayContaining(larger));
  const places = spec.groups.map(({ label }) => Number(label));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test.each(['light', 'dark'] as const)(
  'a %s view has the pixels of its size, and the ground of the card',
  async (theme) => {
    const ground = theme === 'dark' ? [0x16, 0x19, 0x1f] : [255, 255, 255];
    for (const [, make] of figures) {
      const view = { width: 320, height: 192, ratio: 1.5, theme };
      const { png } = await renderPng(make(), { view });
      const { width, height, data } = PNG.sync.read(Buffer.from(png));
      expect([width, height]).toEqual([480, 288]);
      expect([...data.subarray(0, 3)]).toEqual(ground);
      expect([...data.subarray(-4, -1)]).toEqual(ground);
    }
  },
);

test('a view of the least size that a page requests is drawn', async () => {
  for (const [, make] of figures) {
    const { width, height } = await renderPng(make(), { view: { width: 120, height: 120, ratio: 1 } });
    expect([width, height]).toEqual([120, 120]);
  }
});

test('points shrink with their map, so that as much of it is inked', async () => {
  const figure = types(tenTypes);
  const inked = async (width: number, height: number) => {
    const { png } = await renderPng(figure, { view: { width, height, ratio: 2 } });
    const { data } = PNG.sync.read(Buffer.from(png));
    const { scene, zoom } = sceneOf(figure, { width, height });
    let pixels = 0;
    for (let at = 0; at < data.length; at += 4) {
      // Colours of cells, as type and lines have hardly any hue.
      const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) pixels++;
    }
    return pixels / (2 * zoom * Math.min(scene.panel.width, scene.panel.height)) ** 2;
  };
  const [small, large] = [await inked(320, 192), await inked(1024, 592)];
  expect(small / large).toBeGreaterThan(0.6);
  expect(small / large).toBeLessThan(1.7);
});
