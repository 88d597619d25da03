import { expect, test } from 'vitest';
import { categorical, geneOf, maskOf, mixture } from './mixture.test-data.ts';
import { categoryUmapFigure, geneUmapFigure, highlightUmapFigure, scoreUmapFigure } from './index.ts';
import type { CommonSpec, Figure } from './drawing/figure.ts';
import type { PointLayer } from './drawing/raster/point-layer.ts';
import { summariseFigure, numbersOf } from './all-words.ts';

const cellCount = 5000;
const { embedding } = mixture(cellCount, ['a']);
const rows = Array.from({ length: cellCount }, (_, row) => row);
const common = { embedding, title: 'x', datasetName: 'Lung' };

function layerOf<Spec extends CommonSpec, Columns extends object>(figure: Figure<Spec, Columns>): PointLayer {
  return figure.drawing.points!(figure)[0]!;
}

function correlation(order: Int32Array, valueOf: (cell: number) => number): number {
  const values = Array.from(order, valueOf);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = (values.length - 1) / 2;
  let [both, ofValues, ofPlaces] = [0, 0, 0];
  values.forEach((value, place) => {
    both += (value - mean) * (place - middle);
    ofValues += (value - mean) ** 2;
    ofPlaces += (place - middle) ** 2;
  });
  return Math.abs(both) / Math.sqrt(ofValues * ofPlaces);
}

const files: Readonly<Record<string, (cell: number) => number>> = {
  rising: (cell) => 1 + cell,
  falling: (cell) => cellCount - cell,
  'in two halves': (cell) => 1 + (cell % (cellCount / 2)),
};

test.each(Object.keys(files))(
  'of a file with %s values no score lies on top because of its value',
  (file) => {
    const scores = Float64Array.from(rows, files[file]!);
    const figure = scoreUmapFigure({ ...common, scores });
    const { order } = layerOf(figure);
    expect([...order].sort((a, b) => a - b)).toEqual(rows);
    expect(correlation(order, (cell) => scores[cell]!)).toBeLessThan(0.05);
    expect(figure.spec.order).toBe('shuffled');
  },
);

test.each(Object.keys(files))(
  'of a file with %s values expressing cells lie on top of the others, but none because of its value',
  (file) => {
    const cells = rows.filter((row) => row % 5 < 2);
    const gene = geneOf(cellCount, cells, cells.map(files[file]!));
    for (const mask of [undefined, maskOf(rows.map((row) => (row < 4000 ? 1 : 0)))]) {
      const figure = geneUmapFigure({ ...common, gene, symbol: 'A', ...(mask && { mask }) });
      const { order, ground } = layerOf(figure);
      const expressing = cells.filter((cell) => mask?.bits[cell] !== 0);
      const top = order.subarray(order.length - expressing.length);
      expect([...top].sort((a, b) => a - b)).toEqual(expressing);
      // Without a mask the others are painted before, as a ground.
      expect(order.length).toBe(ground === undefined ? cellCount : cells.length);
      expect(correlation(top, files[file]!)).toBeLessThan(0.05);
      expect(figure.spec.order).toBe('expressing-on-top');
    }
  },
);

test('where values are negative, zero is one of them, and lies neither above nor below', () => {
  const gene = geneOf(
    cellCount,
    rows,
    rows.map((row) => (row % 3) - 1),
  );
  const figure = geneUmapFigure({ ...common, gene, symbol: 'A' });
  const { order } = layerOf(figure);
  expect(order).toHaveLength(cellCount);
  expect(correlation(order, (cell) => (cell % 3) - 1)).toBeLessThan(0.05);
  expect(figure.spec.order).toBe('shuffled');
});

test('a figure says in its spec and in words which cells lie on top', () => {
  const column = categorical(
    Int16Array.from(rows, (row) => row % 2),
    ['a', 'b'],
  );
  expect(categoryUmapFigure({ ...common, column }).spec.order).toBe('shuffled');
  expect(highlightUmapFigure({ ...common, column, highlighted: ['b'] }).spec.order).toBe(
    'highlighted-on-top',
  );
  const summaryOf = (spec: object) => summariseFigure(numbersOf(spec)!);
  const gene = geneUmapFigure({ ...common, gene: geneOf(cellCount, [1], [1]), symbol: 'A' }).spec;
  expect(summaryOf(gene)).toContain('Expressing cells are on top of the others');
  const scores = Float64Array.from(rows);
  for (const kind of ['score-umap', 'obs-umap'] as const) {
    const words = summaryOf(scoreUmapFigure({ ...common, kind, scores }).spec);
    expect(words).toContain('the visible one is random');
  }
  // Kept before it was said.
  const { order: _, ...fixedInput } = gene;
  expect(summaryOf(fixedInput)).not.toContain('on top');
});
