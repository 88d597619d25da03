import { beforeAll, describe, expect, test } from 'vitest';
import { dotPlotFigure } from '../gene-matrix/figure.ts';
import { markerMatrix } from './gene-matrix/marker-matrix.test-data.ts';
import { bestTerms, figure as enrichmentBar } from '../enrichment-bar/draw.ts';
import { geneUmapFigure } from '../umap/gene-umap.ts';
import { geneViolinFigure } from '../violin-and-ridge/gene-violin.ts';
import { hostileNames, markerOf, mixture, scoresOf, tenTypes } from '../mixture.test-data.ts';
import { scoreViolinFigure } from '../violin-and-ridge/score-violin.ts';
import type { Figure } from './figure.ts';
import { fitToView, renderSvg } from './render-figure.ts';

const datasetName = 'Lung atlas (simulated)';
const numbered = (count: number, prefix = '') => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const ten = mixture(700, tenTypes);

function violins(names: readonly string[]): Figure {
  const { column } = mixture(Math.max(600, 20 * names.length), names);
  const gene = markerOf(0, column);
  return geneViolinFigure({ gene, groups: column, symbol: 'CD79A', groupTitle: 'Cell type', datasetName });
}

function bars(count: number): Figure {
  const best = bestTerms({
    terms: numbered(count, 'HALLMARK_RESPONSE_TO_STRESS ').map((term, i) => ({
      term,
      adjustedP: Math.min(1, 2e-9 * 5 ** i),
      overlap: `${30 - (i % 20)}/${200 - i}`,
    })),
    title: 'Gene set enrichment',
    subtitle: 'MSigDB Hallmark',
    top: Math.max(1, count),
  });
  return enrichmentBar.draw(best, { datasetName });
}

const charts: readonly (readonly [string, () => Figure])[] = [
  ['violins of one group', () => violins(['All cells'])],
  ['violins of ten groups', () => violins(tenTypes)],
  ['violins of 60 groups', () => violins(numbered(60, 'Excitatory neurons of layer '))],
  ['violins of hostile groups', () => violins(hostileNames)],
  [
    'violins of scores',
    () =>
      scoreViolinFigure({
        scores: scoresOf(ten.column),
        groups: ten.column,
        title: 'Hypoxia',
        groupTitle: 'Cell type',
        datasetName,
        unit: 'mean difference to control genes',
      }),
  ],
  ['dots of two groups', () => dotPlotFigure(markerMatrix(tenTypes.slice(0, 2), 3))],
  ['dots of ten groups', () => dotPlotFigure(markerMatrix(tenTypes, 5))],
  ['dots of 60 groups', () => dotPlotFigure(markerMatrix(numbered(60, 'Neurons of layer '), 5))],
  ['no dots', () => dotPlotFigure({ ...markerMatrix(tenTypes, 0), genes: [] })],
  ['a bar', () => bars(1)],
  ['50 bars', () => bars(50)],
  ['no bars', () => bars(0)],
];

const sides = [120, 136, 160, 184, 216, 256, 320, 496, 720, 1280, 4096];
/** Every second pair of sides, as on a chessboard, including the smallest, the largest and the longest. */
const sizes = sides.flatMap((width, column) =>
  sides.filter((_, row) => (row + column) % 2 === 0).map((height) => ({ width, height })),
);

function shownOf(svg: string) {
  const numbers = (pattern: RegExp) => pattern.exec(svg)!.slice(1).map(Number);
  const [unitsWide = NaN, unitsHigh = NaN, width = NaN, height = NaN] = numbers(
    /^<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)" width="([\d.]+)" height="([\d.]+)"/,
  );
  const zoom = Math.min(width / unitsWide, height / unitsHigh);
  const lines = Array.from(
    svg.matchAll(/<text [^>]*font-size="([\d.]+)"[^>]*>(?:<title>[^<]*<\/title>)?([^<]*)</g),
    ([, size, text]) => ({ text: text!, size: Number(size) * zoom }),
  );
  return { width, height, lines };
}

const lengthOf = (spec: object, part: 'groups' | 'genes' | 'terms'): number =>
  (spec as Record<string, readonly unknown[] | undefined>)[part]?.length ?? 0;

const view = { width: 496, height: 256, ratio: 1 };

describe.each(charts)('a view of %s as SVG', (_, make) => {
  const figure = make();
  let views: ReturnType<typeof shownOf>[] = [];
  beforeAll(async () => {
    const files = await Promise.all(sizes.map((size) => renderSvg(figure, { ...size, ratio: 1 })));
    views = files.map(shownOf);
  });

  test('has at every size exactly its pixels, and type of at least 11 and at most 16 of them', () => {
    expect(views.map(({ width, height }) => ({ width, height }))).toEqual(sizes);
    expect(Math.min(...views.map(({ lines }) => lines.length))).toBeGreaterThan(0);
    const heights = views.flatMap(({ lines }) => lines.map((line) => line.size));
    expect(Math.min(...heights)).toBeGreaterThan(10.99);
    expect(Math.max(...heights)).toBeLessThan(16);
  });

  test('says on its first line in full what was left out, or alone that it has to be larger', () => {
    for (const [at, size] of sizes.entries()) {
      const [line = ''] = views[at]!.lines.map(({ text }) => text);
      const { spec } = fitToView(figure, { ...size, ratio: 1 });
      if (spec.fitted?.instead !== undefined) continue;
      const [caption = ''] = line.split(' · ');
      for (const part of ['groups', 'genes', 'terms'] as const) {
        const [shown, all] = [lengthOf(spec, part), lengthOf(figure.spec, part)];
        const count = `${shown} of ${all} ${part}`;
        expect(caption.includes(count), `${size.width} by ${size.height}: ${caption}`).toBe(shown < all);
      }
    }
  });
});

test('what is left out of a small card is counted on its first line', async () => {
  const first = async (figure: Figure) =>
    shownOf(await renderSvg(figure, { width: 232, height: 200, ratio: 1 })).lines[0]!.text;
  expect(await first(violins(numbered(60)))).toMatch(/^\d+ of 60 groups/);
  expect(await first(bars(50))).toMatch(/^\d+ of 50 terms/);
  expect(await first(dotPlotFigure(markerMatrix(numbered(60), 5)))).toMatch(
    /^\d+ of 150 genes and \d+ of 60 groups/,
  );
});

test('a place that can hold nothing else says to enlarge it, and what there is to see', async () => {
  const captionOf = async (figure: Figure) =>
    shownOf(await renderSvg(figure, { width: 120, height: 120, ratio: 1 }))
      .lines.map(({ text }) => text)
      .join(' ');
  expect(await captionOf(violins(tenTypes))).toBe('Enlarge to see the distributions of 10 groups.');
  expect(await captionOf(dotPlotFigure(markerMatrix(tenTypes, 5)))).toBe(
    'Enlarge to see 50 genes in 10 groups.',
  );
  expect(await captionOf(bars(12))).toBe('Enlarge to see 12 terms.');
  expect(await captionOf(bars(0))).toBe('There is no term to show.');
});

test('where it can be zoomed all is drawn in a small place too, in smaller type', async () => {
  for (const names of [numbered(10), numbered(60)]) {
    const svg = await renderSvg(violins(names), { width: 184, height: 160, ratio: 1, whole: true });
    const texts = shownOf(svg).lines.map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(names));
  }
});

test('as a file it keeps title, lines of columns and every text in a view, in the inks of its theme', async () => {
  const figure = dotPlotFigure(markerMatrix(numbered(20, 'B cell · Neoadjuvant chemotherapy '), 10));
  const texts = (svg: string) => shownOf(svg).lines.map(({ text }) => text);
  const paper = await renderSvg(figure);
  const { width, height } = figure.spec.size;
  const place = { width: 1008, height: Math.ceil((1008 * height) / width), ratio: 1, as_file: true } as const;
  const dark = await renderSvg(figure, { ...place, theme: 'dark' });
  expect(texts(paper)).toContain(figure.spec.title);
  expect(texts(dark)).toEqual(texts(paper));
  expect(shownOf(dark).width).toBeCloseTo(1008, 0);
  expect(dark).toContain('fill="#16191f"');
});

test('a chart is vector from edge to edge, in the theme of the page', async () => {
  for (const [, make] of charts) {
    const [light, dark] = [
      await renderSvg(make(), view),
      await renderSvg(make(), { ...view, theme: 'dark' }),
    ];
    expect(light + dark).not.toContain('<image');
    expect(/<rect [^>]*>/.exec(light)![0]).toContain('fill="#ffffff"');
    expect(/<rect [^>]*>/.exec(dark)![0]).toContain('fill="#16191f"');
    expect(dark).toContain('#e8eaee');
    expect(dark).not.toContain('#1b1f24');
  }
});

test('a map has its cells as one picture of the pixels of its place, in the theme of the page', async () => {
  const map = geneUmapFigure({ ...ten, gene: markerOf(0, ten.column), symbol: 'CD79A', datasetName });
  const svg = await renderSvg(map, { ...view, ratio: 2, theme: 'dark' });
  expect(shownOf(svg)).toMatchObject({ width: 496, height: 256 });
  expect(svg.match(/<image /g)).toHaveLength(1);
  expect(svg).not.toContain('#ffffff');
});

test('names with markup are text', async () => {
  const svg = await renderSvg(violins(['<script>alert(1)</script>', 'B']), view);
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&lt;');
});
