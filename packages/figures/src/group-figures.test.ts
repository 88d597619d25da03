import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { contentAddress, type FigureContent, figureContent, readContentAddress } from './all-content.ts';
import { groupCells } from './drawing/group-cells.ts';
import { renderPng, renderSvg } from './drawing/render-figure.ts';
import {
  farthest,
  genes,
  groups,
  inputOf,
  numbersOf as numbersColumn,
  reference,
  samples,
  score,
  setting,
  specOf,
} from './group-figures.test-data.ts';
import { categorical, geneOf, hostileNames, maskOf } from './mixture.test-data.ts';
import { plotFigure } from './all-plots.ts';
import { numbersOf, summariseFigure } from './all-words.ts';

const numbers = numbersColumn('n', reference.number);
const list = { genes: genes.map(({ symbol }) => symbol) };

test('means and shares of genes by group are those of scanpy', () => {
  const spec = specOf({ kind: 'gene-dot-plot', ...list }, { genes, groups });
  // A spec keeps five digits.
  noteDifferences('dot-plot', spec['mean'] as number[], reference.mean, 1);
  noteDifferences('dot-plot', spec['fraction'] as number[], reference.fraction, 1);
  expect(farthest(spec['mean'], reference.mean)).toBeLessThan(1e-4);
  expect(farthest(spec['fraction'], reference.fraction)).toBeLessThan(1e-5);
});

test('scaled means of a matrix plot are those of scanpy', () => {
  const spec = specOf({ kind: 'matrix-plot', ...list, scale: 'gene' }, { genes, groups });
  noteDifferences('matrix-plot', spec['mean'] as number[], reference.scaled, 1);
  expect(farthest(spec['mean'], reference.scaled)).toBeLessThan(1e-5);
});

test('medians of stacked violins are those of numpy', () => {
  const spec = specOf({ kind: 'stacked-violin', ...list }, { genes, groups });
  const { shapes } = spec['violins'] as { shapes: readonly { median: number }[] };
  noteDifferences(
    'stacked-violin',
    shapes.map(({ median }) => median),
    reference.medians,
    1,
  );
  expect(
    farthest(
      shapes.map(({ median }) => median),
      reference.medians,
    ),
  ).toBeLessThan(1e-6);
});

test('both correlations of two genes are those of scipy, in all cells and without zeros stored', () => {
  const [x, y] = genes;
  const spec = specOf({ kind: 'gene-scatter', x: 'x0', y: 'x1' }, { x, y });
  const both = [spec['pearson'], spec['spearman']] as number[];
  noteDifferences('correlations', both, [reference.pearson, reference.spearman], 1);
  expect(spec['pearson']).toBeCloseTo(reference.pearson, 9);
  expect(spec['spearman']).toBeCloseTo(reference.spearman, 9);
  expect((spec['squares'] as [number, number, number][]).reduce((sum, [, , n]) => sum + n, 0)).toBe(400);
});

test('quartiles cut a column of numbers where numpy does', () => {
  const { column, title } = groupCells(numbers, undefined);
  const [first, second, third] = reference.edges as [number, number, number];
  const expected = reference.number.map((n) => (n < first ? 0 : n < second ? 1 : n < third ? 2 : 3));
  expect([...column.codes]).toEqual(expected);
  expect(title).toBe('N (quartiles)');
});

test('edges cut a column of numbers where they are, and equal quantiles are one', () => {
  const scores = Float64Array.of(0, 1, 2, NaN, 2);
  const cut = groupCells({ ...numbers, scores }, { by: 'edges', edges: [1, 2] });
  expect([...cut.column.codes]).toEqual([0, 1, 2, -1, 2]);
  expect(cut.column.categories).toEqual(['below 1', '1 to below 2', '2 or more']);
  const constant = groupCells({ ...numbers, scores: new Float64Array(5).fill(3) }, undefined);
  expect(constant.column.categories).toEqual(['3 to 3']);
  expect([...constant.column.codes]).toEqual([0, 0, 0, 0, 0]);
});

test('quantiles are those of the active cells', () => {
  const scores = Float64Array.of(1, 2, 3, 4, 100, 200);
  const cut = groupCells({ ...numbers, scores }, { by: 'quantiles', parts: 2 }, maskOf([1, 1, 1, 1, 0, 0]));
  expect([...cut.column.codes]).toEqual([0, 0, 1, 1, 1, 1]);
});

test('a composition counts every cell once', () => {
  const parts = inputOf(
    categorical(
      Int16Array.from(reference.values[0]!, (value) => (value > 0 ? 1 : 0)),
      ['no', 'yes'],
    ),
    'Expressing',
  );
  const spec = specOf({ kind: 'composition-bar', by: { column: 'group' } }, { groups, parts });
  const rows = spec['groups'] as readonly { counts: readonly number[]; cells: number }[];
  expect(rows.flatMap(({ counts }) => counts)).toEqual(reference.crosstab);
  const unlabelled = inputOf(
    categorical(
      Int16Array.from(reference.codes, (code) => code - 1),
      ['b', 'c', 'd'],
    ),
  );
  const left = reference.codes.filter((code) => code === 0).length;
  const some = specOf({ kind: 'composition-bar', by: { column: 'g' } }, { groups: unlabelled, parts });
  expect(some.summary).toBe(`${400 - left} cells · ${left} without a group or part left out`);
});

test('two parts of a group are the halves of one violin, of which each says its cells and its share', () => {
  const split = inputOf(
    categorical(
      Int16Array.from(reference.codes, (_, cell) => cell % 2),
      ['treated', 'untreated'],
    ),
  );
  const content = { kind: 'violin', of: { measure: 'gene', gene: 'x0' }, split: { column: 's' } };
  const spec = specOf(content, { measure: genes[0], groups, split: [split], samples: [] });
  const rows = spec['groups'] as readonly Record<string, unknown>[];
  expect(rows).toHaveLength(8);
  rows.forEach((row, i) => {
    const inside = [...reference.codes.keys()].filter(
      (cell) => reference.codes[cell] === Math.floor(i / 2) && cell % 2 === i % 2,
    );
    expect(row).toMatchObject({
      label: 'abcd'[Math.floor(i / 2)],
      part: i % 2 === 0 ? 'treated' : 'untreated',
      half: i % 2 === 0 ? 'upper' : 'lower',
      cells: inside.length,
      expressing: inside.filter((cell) => reference.values[0]![cell]! > 0).length,
    });
  });
});

test('a part without cells has no row, nor has a group without any, and the figure says how many are left out', () => {
  const by = inputOf(categorical(Int16Array.of(0, 0, 0, 2), ['a', 'b', 'c']));
  const split = inputOf(categorical(Int16Array.of(0, 1, 1, 1), ['x', 'y']));
  const measure = { ...genes[0]!, gene: geneOf(4, [0], [1]) };
  const content = { kind: 'violin', of: { measure: 'gene', gene: 'x0' }, split: { column: 's' } };
  const spec = specOf(content, { measure, groups: by, split: [split], samples: [] });
  const rows = spec['groups'] as readonly { label: string; part: string; cells: number }[];
  expect(rows.map(({ label, part, cells }) => `${label} ${part} ${cells}`)).toEqual([
    'a x 1',
    'a y 2',
    'c y 1',
  ]);
  expect(spec.summary).toContain('1 part of groups without cells left out');
  // A part alone has nothing that it could be half of.
  expect(spec['groups']).toMatchObject([{ half: 'upper' }, { half: 'lower' }, {}]);
  expect(rows[2]).not.toHaveProperty('half');
});

test('groups that lie within one part each have a row each, all of them, one below the other', () => {
  const cells = 400;
  const cluster = Int16Array.from({ length: cells }, (_, cell) => cell % 40);
  const names = Array.from({ length: 40 }, (_, i) => `cluster ${i}`);
  const by = inputOf(categorical(cluster, names));
  const types = Array.from({ length: 8 }, (_, i) => `type ${i}`);
  const split = inputOf(
    categorical(
      cluster.map((code) => code % 8),
      types,
    ),
    'Type',
  );
  const parsed = figureContent.parse({
    kind: 'violin',
    of: { measure: 'gene', gene: 'x0' },
    split: { column: 's' },
  });
  const { spec, drawing } = plotFigure(
    parsed,
    { measure: genes[0], groups: by, split: [split], samples: [] },
    setting,
  );
  const rows = (spec as unknown as { groups: readonly { label: string; part: string }[] }).groups;
  expect(rows.map(({ label, part }) => [label, part])).toEqual(names.map((name, i) => [name, types[i % 8]]));
  expect(spec.summary).toContain('280 parts of groups without cells left out');
  expect(spec.summary).not.toContain('largest of');
  const heights = drawing
    .scene(spec)
    .marks.flatMap((mark) => (mark.kind === 'text' && mark.text.startsWith('cluster') ? [mark.y] : []));
  expect(heights).toHaveLength(40);
  const steps = heights.slice(1).map((y, i) => Math.round(100 * (y - heights[i]!)));
  expect(new Set(steps).size).toBe(1);
  const words = summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!);
  expect(words).not.toContain('not in the figure');
});

test('categories are not measured, and shares have no range', () => {
  const content = { kind: 'violin', of: { measure: 'obs', column: 'group' } };
  expect(() => specOf(content, { measure: groups, groups, split: [], samples: [] })).toThrow(
    expect.objectContaining({ field: 'measure' }),
  );
  const composition = { kind: 'composition-bar', by: { column: 'group' } };
  expect(() => specOf(composition, { groups, parts: groups }, { ...setting, range: [0, 1] })).toThrow(
    expect.objectContaining({ field: 'range' }),
  );
});

const none = inputOf(categorical(new Int16Array(400).fill(-1), ['a']));
const hostile = inputOf(
  categorical(
    Int16Array.from({ length: 400 }, (_, cell) => cell % hostileNames.length),
    hostileNames,
  ),
  '<b>Group</b>',
);
const many = inputOf(
  categorical(
    Int16Array.from({ length: 400 }, (_, cell) => cell),
    Array.from({ length: 10_000 }, (_, i) => `category ${i}`),
  ),
);
const content: Readonly<Record<string, FigureContent>> = Object.fromEntries(
  [
    {
      kind: 'violin',
      of: { measure: 'gene', gene: 'x0' },
      by: { column: 'g' },
      split: { column: 's' },
      points: true,
      samples: 'g',
    },
    { kind: 'stacked-violin', ...list },
    {
      kind: 'gene-dot-plot',
      ...list,
      brackets: [{ name: '<i>first</i>', count: 2 }],
      order: 'dendrogram',
    },
    { kind: 'matrix-plot', ...list, scale: 'gene' },
    { kind: 'composition-bar', by: { column: 'g' }, order: 'largest-part' },
    { kind: 'gene-scatter', x: 'x0', y: 'x1' },
    { kind: 'quality', columns: ['n_genes', 'pct_counts_mt'], by: { column: 'g' } },
  ].map((one) => [one.kind, figureContent.parse(one)]),
);

function inputs(by: ReturnType<typeof inputOf>) {
  const silent = { ...genes[2]!, gene: geneOf(400, [], []) };
  return {
    measure: silent,
    genes: [...genes, silent],
    x: silent,
    y: genes[1],
    groups: by,
    split: [by],
    samples: [by],
    parts: by,
    components: [null],
    measures: [numbersColumn('n_genes', reference.number), numbersColumn('pct_counts_mt', reference.percent)],
  };
}

const sizes = [
  { width: 420, height: 300 },
  { width: 300, height: 200 },
  { width: 130, height: 120 },
  { width: 1200, height: 800 },
];

test.each(Object.keys(content))('a %s of any groups is a figure with words, in any size', async (kind) => {
  for (const by of [groups, none, hostile, many]) {
    const values = inputs(by);
    const figure = plotFigure(
      content[kind]!,
      kind === 'quality' ? { ...values, groups: [by] } : values,
      setting,
    );
    const svg = await renderSvg(figure);
    expect(svg).not.toMatch(/<(script|b|i)>/);
    expect(svg).not.toContain('NaN');
    for (const size of sizes) {
      const { width } = await renderPng(figure, {
        resolution: 'screen',
        view: { ...size, ratio: 1, theme: 'dark', whole: false },
      });
      expect(width).toBe(size.width);
    }
    const specNumbers = numbersOf(JSON.parse(JSON.stringify(figure.spec)));
    expect(summariseFigure(specNumbers!)).toMatch(/^.{20,}/);
    expect(summariseFigure(specNumbers!)).not.toContain('NaN');
  }
});

test('the legend below a stacked violin is whole, where the unit takes two lines', async () => {
  const figure = plotFigure(content['stacked-violin']!, inputs(many), setting);
  const view = { width: 420, height: 2000, ratio: 1, theme: 'light', whole: false } as const;
  const svg = await renderSvg(figure, view);
  const height = Number(/viewBox="0 0 [\d.]+ ([\d.]+)"/.exec(svg)![1]);
  const match = /y="([\d.]+)"[^>]*>expression</.exec(svg)!;
  expect(Number(match[1])).toBeLessThan(height - 5);
});

test.each(Object.keys(content))('a %s is found again by its address', (kind) => {
  expect(readContentAddress(contentAddress(content[kind]!)!)).toEqual(content[kind]);
});

test('an address that holds no figure is none', () => {
  for (const text of ['violin:', 'violin:%7B', 'gene-dot-plot:%7B%22genes%22%3A%5B%5D%7D', 'violin:null'])
    expect(readContentAddress(text)).toBeUndefined();
});

test('a ridge plot has the densities of the violins, each from the line of its row up into the row above', async () => {
  const of = { measure: 'gene', gene: 'x0' };
  const [violins, ridges] = (['violin', 'ridge'] as const).map((kind) => {
    const content = figureContent.parse({ kind, of });
    return plotFigure(content, { measure: genes[0], groups, split: [], samples: [] }, setting);
  });
  const shapes = (figure: typeof violins) =>
    (figure!.spec as unknown as { groups: { half?: string }[] }).groups.map((row) =>
      Object.assign(row, { half: '' }),
    );
  expect(shapes(ridges)).toEqual(shapes(violins));
  const svg = await renderSvg(ridges!);
  expect(svg).toContain('<polygon');
  expect(contentAddress(figureContent.parse({ kind: 'ridge', of }))).toContain('ridge:');
  expect(summariseFigure(numbersOf(ridges!.spec)!)).toContain('By mean');
});

test('bars are sorted by the share of a named part, the summary says so, and an unknown part is refused', () => {
  const content = { kind: 'composition-bar', by: { column: 'sample' }, order: 'part', part: 'c' };
  const values = { groups: samples, parts: groups };
  const labels = (spec: object) =>
    (spec as { groups: readonly { label: string }[] }).groups.map(({ label }) => label);
  const spec = specOf(content, values);
  expect(labels(spec)).toEqual(reference.samplesByShare.map((code) => `s${code}`));
  expect(spec.summary).toContain('sorted by the share of c');
  expect(() => specOf({ ...content, part: 'z' }, values)).toThrow(
    expect.objectContaining({ field: 'part', message: expect.stringContaining('“z”') }),
  );
  expect(figureContent.safeParse({ ...content, part: undefined }).success).toBe(false);
});

test('of more parts than have colours the one that sorts the bars is shown', () => {
  const parts = inputOf(
    categorical(
      Int16Array.from({ length: 400 }, (_, cell) => (cell < 3 ? 30 : cell % 30)),
      Array.from({ length: 31 }, (_, i) => `p${i}`),
    ),
  );
  const content = { kind: 'composition-bar', by: { column: 'g' }, order: 'part', part: 'p30' };
  const spec = specOf(content, { groups, parts });
  const { parts: shown, groups: bars } = spec as unknown as {
    parts: readonly { label: string; cells: number }[];
    groups: readonly { cells: number; counts: readonly number[] }[];
  };
  const place = shown.findIndex(({ label }) => label === 'p30');
  expect(shown[place]).toMatchObject({ cells: 3 });
  const shares = bars.map(({ cells, counts }) => counts[place]! / cells);
  expect(shares).toEqual(shares.toSorted((a, b) => b - a));
});

test.each([
  'violin',
  'ridge',
  'stacked-violin',
  'gene-dot-plot',
  'matrix-plot',
  'heatmap',
  'composition-bar',
])(
  'groups of a %s come in the requested order, the others after them, with the same numbers and colours',
  (kind) => {
    const content =
      kind === 'composition-bar'
        ? { kind, by: { column: 'g' }, order: 'cells' }
        : kind === 'violin' || kind === 'ridge'
          ? { kind, of: { measure: 'gene', gene: 'x0' } }
          : { kind, ...list };
    const values = { ...inputs(groups), measure: genes[0], genes, split: [], samples: [] };
    const rows = (order?: readonly string[]) =>
      specOf(content, values, { ...setting, ...(order && { order }) })['groups'] as { label: string }[];
    const ordered = rows(['d', 'nowhere', 'b']);
    expect(ordered.map(({ label }) => label).slice(0, 2)).toEqual(['d', 'b']);
    const byLabel = (list: readonly { label: string }[]) =>
      list.toSorted((a, b) => (a.label < b.label ? -1 : 1));
    expect(byLabel(ordered)).toEqual(byLabel(rows()));
  },
);

test('a scatter of a gene against a score has the correlations of scipy, and says nothing of expression', () => {
  const of = { measure: 'score', score: { of: 'cell-state', cell_state: 'HYPOXIA' } };
  const spec = specOf({ kind: 'gene-scatter', x: 'x0', y: of }, { x: genes[0], y: score });
  const both = [spec['pearson'], spec['spearman']] as number[];
  noteDifferences('correlations', both, [reference.scorePearson, reference.scoreSpearman], 1);
  expect(spec['pearson']).toBeCloseTo(reference.scorePearson, 9);
  expect(spec['spearman']).toBeCloseTo(reference.scoreSpearman, 9);
  expect(spec).toMatchObject({ title: 'Mine against x0', cautions: [{ code: 'few-genes' }] });
  expect((spec['y'] as { domain: number[] }).domain).toEqual([
    Math.min(...reference.score),
    Math.max(...reference.score),
  ]);
  const summary = summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!);
  expect(summary).toContain('The squares count 400 cells by x0');
  expect(summary).not.toContain('neither');
});
