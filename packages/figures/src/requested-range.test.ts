import { describe, expect, test } from 'vitest';
import { FigureInputError } from './drawing/checked-input.ts';
import { geneUmapFigure } from './umap/gene-umap.ts';
import { geneViolinFigure } from './violin-and-ridge/gene-violin.ts';
import { tenTypes, geneOf, markerOf, mixture, scoresOf } from './mixture.test-data.ts';
import { renderSvg } from './drawing/render-figure.ts';
import { scoreUmapFigure } from './umap/score-umap.ts';
import { scoreViolinFigure } from './violin-and-ridge/score-violin.ts';
import type { PointLayer } from './drawing/raster/point-layer.ts';

const ten = mixture(700, tenTypes);
const gene = markerOf(0, ten.column);
const scores = scoresOf(ten.column);
const parts = { datasetName: 'Lung', groups: ten.column, groupTitle: 'Cell type' };

type Range = readonly [number, number];
const make = {
  geneUmap: (range?: Range) =>
    geneUmapFigure({ ...ten, gene, symbol: 'CD79A', datasetName: 'Lung', ...(range && { range }) }),
  geneViolin: (range?: Range) =>
    geneViolinFigure({ ...parts, gene, symbol: 'CD79A', ...(range && { range }) }),
  scoreUmap: (range?: Range) =>
    scoreUmapFigure({ ...ten, scores, title: 'Hypoxia', datasetName: 'Lung', ...(range && { range }) }),
  scoreViolin: (range?: Range) =>
    scoreViolinFigure({ ...parts, scores, title: 'Hypoxia', ...(range && { range }) }),
};

test('a requested range is that of the colour bar or the axis, and spec and summary name it', async () => {
  const range = [0, 12.5] as const;
  for (const figure of [make.geneUmap(range), make.scoreUmap(range)]) {
    expect(figure.spec.domain).toMatchObject({ low: 0, high: 12.5 });
  }
  for (const figure of [make.geneViolin(range), make.scoreViolin(range)]) {
    expect(figure.spec.domain).toEqual([0, 12.5]);
  }
  for (const figure of [make.geneUmap(range), make.geneViolin(range)]) {
    expect(figure.spec.range).toEqual([0, 12.5]);
    expect(figure.spec.summary).toMatch(/ · scale set to 0 to 12.5$/);
    expect(await renderSvg(figure)).toContain('scale set to 0 to 12.5');
    // The numbers at the end of the bar, and along the axis.
    expect(await renderSvg(figure)).toMatch(/>(12.5|10)</);
  }
});

test('figures without a requested range name none', () => {
  for (const figure of Object.values(make)) {
    const { spec } = figure();
    expect('range' in spec).toBe(false);
    expect(spec.summary).not.toContain('scale');
  }
});

test('a range smaller than the data clips, and says at which end', () => {
  const { domain } = make.geneUmap([0.5, 1]).spec;
  expect(domain).toMatchObject({ low: 0.5, high: 1, clipped: true, clippedLow: true });
  expect(domain.max).toBe(make.geneUmap().spec.domain.max);
  expect(make.geneUmap([0, 1e3]).spec.domain).toMatchObject({ clipped: false });
  expect(make.scoreUmap([0, 0.1]).spec.domain).toMatchObject({ clippedLow: true, clippedHigh: true });
  expect(make.scoreUmap([-1e3, 1e3]).spec.domain).toMatchObject({ clippedLow: false, clippedHigh: false });
  expect(make.geneViolin([0, 1]).spec.clipped).toBe(true);
  expect('clipped' in make.geneViolin([0, 1e3]).spec).toBe(false);
});

test('values below a range that begins above zero have the first shade, cells without the gene their grey', () => {
  const values = geneOf(700, [1, 2, 3, 4], [0.2, 1, 1.5, 9]);
  const figure = geneUmapFigure({ ...ten, gene: values, symbol: 'A', datasetName: 'L', range: [1, 2] });
  const [{ cellInk, inks }] = figure.drawing.points!(figure) as [PointLayer];
  const { ramp, zero } = figure.spec.colours;
  const inkOf = (cell: number) => inks[cellInk[cell]!];
  expect([0, 1, 2, 4].map(inkOf)).toEqual([zero, ramp[0], ramp[0], ramp.at(-1)]);
});

describe('a violin with a range smaller than its values', () => {
  const range = [0.25, 1] as const;
  const { spec, drawing } = make.geneViolin(range);
  const { marks, panel } = drawing.scene(spec);

  test('ends at the axis', () => {
    const areas = marks.filter((mark) => mark.kind === 'area');
    expect(areas.length).toBeGreaterThan(0);
    for (const { xs } of areas) {
      expect(Math.min(...xs)).toBeGreaterThanOrEqual(panel.x - 0.01);
      expect(Math.max(...xs)).toBeLessThanOrEqual(panel.x + panel.width + 0.01);
    }
  });

  test('has no median where that lies beyond', () => {
    const inside = spec.groups.filter(({ quartiles }) => quartiles![1] >= 0.25 && quartiles![1] <= 1);
    expect(inside.length).toBeLessThan(spec.groups.length);
    expect(marks.filter((mark) => mark.kind === 'dot')).toHaveLength(inside.length);
    const all = drawing.scene(make.geneViolin().spec).marks;
    expect(all.filter((mark) => mark.kind === 'dot')).toHaveLength(spec.groups.length);
  });
});

test.each([
  [1, 1],
  [2, 1],
  [NaN, 1],
  [0, Infinity],
  [-1.7e308, 1.7e308],
])('a range from %d to %d is refused by name', (low, high) => {
  for (const figure of Object.values(make)) {
    expect(() => figure([low, high])).toThrow(FigureInputError);
    expect(() => figure([low, high])).toThrow(expect.objectContaining({ field: 'range' }));
  }
});

test('two genes with one range have one colour for one value', () => {
  const shadeOf = (values: ReturnType<typeof geneOf>) => {
    const figure = geneUmapFigure({ ...ten, gene: values, symbol: 'A', datasetName: 'L', range: [0, 4] });
    const [{ cellInk, inks }] = figure.drawing.points!(figure) as [PointLayer];
    return inks[cellInk[6]!];
  };
  expect(shadeOf(geneOf(700, [5, 6], [0.5, 1]))).toBe(shadeOf(geneOf(700, [6, 7], [1, 4])));
});
