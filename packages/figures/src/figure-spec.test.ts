import { expect, test } from 'vitest';
import { FigureInputError, categoryUmapFigure, geneUmapFigure, geneViolinFigure } from './index.ts';
import { categorical, geneOf, maskOf, mixture } from './mixture.test-data.ts';

const datasetName = 'Blood';
const { embedding, column } = mixture(1000, ['B', 'T', 'NK']);
const rows = Array.from({ length: 1000 }, (_, i) => i);

function spec(cells: number[], values: number[], options: { mask?: ReturnType<typeof maskOf> } = {}) {
  return geneUmapFigure({
    embedding,
    gene: geneOf(1000, cells, values),
    symbol: 'CD79A',
    datasetName,
    ...options,
  }).spec;
}

test('a gene figure counts the cells that express it', () => {
  const { summary, domain, expressing } = spec([1, 5, 9], [0.5, 2, 0]);
  expect(summary).toBe('2 of 1,000 cells (0.2 %)');
  expect(expressing).toBe(2);
  expect(domain).toEqual({ low: 0, high: 2, max: 2, clipped: false });
});

test('the bar ends at the 99.5th percentile where a few cells are far above the rest', () => {
  const { domain } = spec(
    rows,
    rows.map((row) => (row === 500 ? 40 : 1 + row / 1000)),
  );
  expect(domain.clipped).toBe(true);
  expect(domain.max).toBe(40);
  // Within one bin of the histogram, a 2,000th of the maximum.
  expect(Math.abs(domain.high - 1.995)).toBeLessThanOrEqual(0.02);
});

test('the bar of a gene in few cells ends at its maximum', () => {
  expect(spec([0, 1, 2], [0.1, 0.2, 40]).domain).toEqual({ low: 0, high: 40, max: 40, clipped: false });
});

test('a gene that no cell expresses has an empty bar', () => {
  expect(spec([], []).domain).toEqual({ low: 0, high: 0, max: 0, clipped: false });
});

test('negative values widen the bar, and NaN is distinguished', () => {
  const { domain, expressing, withoutValue, summary } = spec([0, 1, 2], [-1.5, NaN, 2]);
  expect(domain).toEqual({ low: -1.5, high: 2, max: 2, clipped: false });
  expect([expressing, withoutValue]).toEqual([1, 1]);
  expect(summary).toContain('1 without a value');
});

test('an infinite value is no value, and the spec stays plain JSON', () => {
  const gene = geneOf(1000, [0, 1, 2], [Infinity, 2, -Infinity]);
  const umap = geneUmapFigure({ embedding, gene, symbol: 'X', datasetName }).spec;
  expect(umap.domain).toEqual({ low: 0, high: 2, max: 2, clipped: false });
  expect(umap.withoutValue).toBe(2);
  const violin = geneViolinFigure({ gene, groups: column, symbol: 'X', groupTitle: 'g', datasetName }).spec;
  expect(violin.domain).toEqual([0, 2]);
  expect(JSON.parse(JSON.stringify(violin))).toEqual(violin);
});

test('only the cells of the mask count', () => {
  const mask = maskOf(rows.map((row) => (row < 10 ? 1 : 0)));
  const { summary, domain } = spec([1, 500], [1, 7], { mask });
  expect(summary).toBe('1 of 10 cells (10.0 %)');
  expect(domain.max).toBe(1);
});

test('cells without a category are counted apart', () => {
  const figure = categoryUmapFigure({
    embedding: { ...embedding, values: embedding.values.slice(0, 8) },
    column: categorical(Int16Array.of(0, -1, 1, -1), ['a', 'b']),
    title: 'x',
    datasetName,
  });
  expect(figure.spec.missing).toBe(2);
  expect(figure.spec.groups.map((group) => group.cells)).toEqual([1, 1]);
});

test('a violin counts zeros, and leaves out groups without cells', () => {
  const groups = categorical(Int16Array.of(0, 0, 0, 0, 2, 2, -1), ['a', 'empty', 'b']);
  const { spec: violin } = geneViolinFigure({
    gene: geneOf(7, [0, 1, 6], [1, 3, 9]),
    groups,
    symbol: 'X',
    groupTitle: 'g',
    datasetName,
  });
  expect(violin.groups.map(({ label, cells, expressing }) => [label, cells, expressing])).toEqual([
    ['a', 4, 2],
    ['b', 2, 0],
  ]);
  expect(violin.groups[0]!.quartiles).toEqual([0, 0.5, 1.5]);
  expect(violin.groups[0]!.range).toEqual([0, 3]);
  expect(violin.groups[1]!.density).toBeNull();
  expect(violin.summary).toBe('2 of 6 cells (33.3 %)');
  expect(violin.domain).toEqual([0, 3]);
});

test('groups of fewer than ten cells are shown cell by cell, with their share of expressing ones', () => {
  const codes = Int16Array.from([...new Array<number>(9).fill(0), ...new Array<number>(10).fill(1)]);
  const { spec: violin } = geneViolinFigure({
    gene: geneOf(19, [0, 2, 9, 10], [2, -1, 3, 4]),
    groups: categorical(codes, ['nine', 'ten']),
    symbol: 'X',
    groupTitle: 'g',
    datasetName,
  });
  const [nine, ten] = violin.groups;
  expect(nine).toMatchObject({ points: [-1, 0, 0, 0, 0, 0, 0, 0, 2], density: null, expressing: 1 });
  expect(ten).toMatchObject({ points: null, expressing: 2 });
  expect(ten!.density).toHaveLength(128);
});

test('of more than 60 groups the largest are shown, in the order of the categories, and the figure says so', () => {
  const names = Array.from({ length: 80 }, (_, i) => `cluster ${i}`);
  // Groups 0 to 19 have one cell, the others two.
  const codes = Int16Array.from({ length: 140 }, (_, i) => (i < 80 ? i : i - 60));
  const { spec: violin } = geneViolinFigure({
    gene: geneOf(140, [0, 139], [1, 1]),
    groups: categorical(codes, names),
    symbol: 'X',
    groupTitle: 'g',
    datasetName,
  });
  expect(violin.groups.map((group) => group.label)).toEqual(names.slice(20));
  expect(violin.groupCount).toBe(80);
  expect(violin.summary).toBe('2 of 140 cells (1.4 %) · the 60 largest of 80 groups');
});

test('a violin leaves out cells without a value and cells outside the mask', () => {
  const { spec: violin } = geneViolinFigure({
    gene: geneOf(5, [0, 1, 2, 3], [1, NaN, 3, 100]),
    groups: categorical(new Int16Array(5), ['a']),
    symbol: 'X',
    groupTitle: 'g',
    datasetName,
    mask: maskOf([1, 1, 1, 0, 1]),
  });
  expect(violin.groups[0]!.cells).toBe(3);
  expect(violin.groups[0]!.range).toEqual([0, 3]);
});

test.each([
  ['embedding', { embedding: { ...embedding, values: embedding.values.slice(2) } }],
  ['embedding', { embedding: { ...embedding, dimensions: 1, values: new Float32Array(1000) } }],
  ['mask', { mask: maskOf([1, 0]) }],
  ['gene', { gene: geneOf(1000, [1000], [1]) }],
  ['gene', { gene: geneOf(1000, [1, 2], [1]) }],
])('a wrong %s is named in the error', (field, wrong) => {
  const make = () =>
    geneUmapFigure({ embedding, gene: geneOf(1000, [], []), symbol: 'X', datasetName, ...wrong });
  expect(make).toThrow(FigureInputError);
  expect(make).toThrow(expect.objectContaining({ tag: 'figure-input', field }));
});

test('groups of another length than the gene are named in the error', () => {
  const make = () =>
    geneViolinFigure({
      gene: geneOf(999, [], []),
      groups: column,
      symbol: 'X',
      groupTitle: 'g',
      datasetName,
    });
  expect(make).toThrow(expect.objectContaining({ tag: 'figure-input', field: 'groups' }));
});

test('groups that a legend does not name are in the spec by their codes, also those without cells', () => {
  const names = Array.from({ length: 203 }, (_, i) => `g${i}`);
  // Each has a cell but the last; g0 to g199 have another one, so that g200 and g201 are the smallest.
  const codes = Int16Array.from({ length: 402 }, (_, i) => (i < 202 ? i : i - 202));
  const all = mixture(402, ['x']).embedding;
  const figure = categoryUmapFigure({
    embedding: all,
    column: categorical(codes, names),
    title: 'x',
    datasetName,
  });
  expect(figure.spec.groups.map(({ code }) => code)).toEqual(Array.from({ length: 200 }, (_, i) => i));
  expect(figure.spec.rest).toMatchObject({ groups: 2, cells: 2, codes: [200, 201, 202] });
});

test('a spec names what a map needs to be drawn again: embedding, column and symbol', () => {
  const gene = geneOf(1000, [1], [1]);
  const umap = geneUmapFigure({ embedding, gene, symbol: 'Cd79a ', datasetName }).spec;
  expect(umap).toMatchObject({ embedding: 'X_umap', symbol: 'Cd79a ' });
  const parts = { embedding, column, title: 'Cell Type', datasetName };
  expect(categoryUmapFigure({ ...parts, columnName: 'cell_type' }).spec.column).toBe('cell_type');
  expect('column' in categoryUmapFigure(parts).spec).toBe(false);
});
