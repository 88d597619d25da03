import { Resvg } from '@resvg/resvg-js';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { FigureInputError } from '../drawing/checked-input.ts';
import { hostileNames, tenTypes } from '../mixture.test-data.ts';
import { maxPixels, chartPixels, renderPng, renderSvg } from '../drawing/render-figure.ts';
import type { DotMark, TextMark } from '../drawing/scene/scene.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import { dotPlotFigure } from './figure.ts';
import { maxDots, maxGenes, maxGroups, type GeneMatrixInput } from '../drawing/gene-matrix/spec.ts';
import { maxFigureWidth } from '../drawing/gene-matrix/layout.ts';
import { geneMatrixDrawing } from '../drawing/gene-matrix/scene.ts';
import { fitGeneMatrix } from '../drawing/gene-matrix/fit-gene-matrix.ts';
import { markerMatrix } from '../drawing/gene-matrix/marker-matrix.test-data.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `cluster ${i}`);

const small: GeneMatrixInput = {
  groups: [
    { label: 'T', cells: 30 },
    { label: 'B', cells: 1200 },
  ],
  genes: [
    { symbol: 'CD3D', group: 'T' },
    { symbol: 'CD79A', group: 'B' },
    { symbol: 'MS4A1', group: 'B' },
  ],
  mean: Float64Array.of(2, 0.1, 0, 0.25, 3, 1.5),
  fraction: Float64Array.of(0.61, 0.02, 0, 0.1, 0.9, 0.5),
  title: 'Marker genes',
  datasetName: 'Lung',
  groupTitle: 'Cell type',
};

test('rows are the groups and columns the genes, in the order given', () => {
  const { spec } = dotPlotFigure(small);
  expect(spec.groups.map((group) => group.label)).toEqual(['T', 'B']);
  expect(spec.genes).toEqual([
    { symbol: 'CD3D', bracket: 'T' },
    { symbol: 'CD79A', bracket: 'B' },
    { symbol: 'MS4A1', bracket: 'B' },
  ]);
  expect(spec.mean).toEqual([2, 0.1, 0, 0.25, 3, 1.5]);
  expect(spec.fraction).toEqual([0.61, 0.02, 0, 0.1, 0.9, 0.5]);
  expect([spec.meanDomain, spec.dotMax]).toEqual([[0, 3], 0.9]);
  expect(spec.summary).toBe('3 genes in 2 groups, 1,230 cells');
});

test('each dot stands in the row of its group and the column of its gene', () => {
  const scene = geneMatrixDrawing.scene(dotPlotFigure(small).spec);
  const labels = textsOf(scene.marks);
  const yOf = (label: string): number =>
    labels.find((mark) => mark.text === label && mark.anchor === 'end')!.y;
  const xOf = (symbol: string): number => labels.find((mark) => mark.text === symbol)!.x;
  const dots = scene.marks.filter(
    (mark) => mark.kind === 'dot' && mark.x < scene.panel.x + scene.panel.width,
  );
  // Five of six: a fraction of zero has no dot.
  expect(dots).toHaveLength(5);
  const largest = (dots as DotMark[]).reduce((a, b) => (b.radius > a.radius ? b : a));
  expect(Math.abs(largest.y - yOf('B'))).toBeLessThan(8);
  expect(Math.abs(largest.x - xOf('CD79A'))).toBeLessThan(8);
  expect(yOf('T')).toBeLessThan(yOf('B'));
});

test('a mean that is not a number makes no dot and no colour', () => {
  const mean = small.mean.slice();
  mean[0] = NaN;
  const { spec } = dotPlotFigure({ ...small, mean });
  expect(spec.fraction[0]).toBe(0);
  expect(spec.meanDomain).toEqual([0, 3]);
  expect(JSON.parse(JSON.stringify(spec))).toEqual(spec);
});

test('a gene that everyone expresses alike has the darkest shade', () => {
  const { spec } = dotPlotFigure({ ...small, mean: new Float64Array(6).fill(1.5) });
  expect(spec.meanDomain).toEqual([0, 1.5]);
});

test('o many groups and genes are cut to the largest and the first, and the figure says so', () => {
  const labels = numbered(maxGroups + 10);
  const input = markerMatrix(labels, 10, (gene) => `G${gene}`);
  const { spec } = dotPlotFigure(input);
  const sizes = input.groups.map((group) => group.cells).sort((a, b) => b - a);
  expect(spec.groups).toHaveLength(maxGroups);
  expect(Math.min(...spec.groups.map((group) => group.cells))).toBe(sizes[maxGroups - 1]);
  // Groups keep their order.
  const groupIndices = spec.groups.map((group) => labels.indexOf(group.label));
  expect(groupIndices).toEqual(groupIndices.toSorted((a, b) => a - b));
  expect(spec.genes.length * spec.groups.length).toBeLessThanOrEqual(maxDots);
  // Each group left has equally many genes, give or take one, and these are its first.
  for (const { label } of spec.groups) {
    const own = spec.genes.filter((gene) => gene.bracket === label).map((gene) => gene.symbol);
    const first = labels.indexOf(label) * 10;
    expect(own.length).toBeGreaterThanOrEqual(2);
    expect(own).toEqual(own.map((_, i) => `G${first + i}`));
  }
  expect(spec.summary).toMatch(
    /^150 of 700 genes \(the first of each group\) in 60 of 70 groups \(the largest\),/,
  );
  // Each number kept is that of its group and gene.
  const [row, column] = [7, 33];
  const gene = input.genes.findIndex((candidate) => candidate.symbol === spec.genes[column]!.symbol);
  expect(spec.mean[row * spec.genes.length + column]).toBeCloseTo(
    input.mean[groupIndices[row]! * input.genes.length + gene]!,
    4,
  );
});

test('genes without a group are cut to the first', () => {
  const input = markerMatrix(['a', 'b'], 200, (gene) => `G${gene}`);
  const genes = input.genes.map(({ symbol }) => ({ symbol }));
  const { spec } = dotPlotFigure({ ...input, genes });
  expect(spec.genes.at(-1)!.symbol).toBe(`G${maxGenes - 1}`);
  expect(spec.summary).toContain('300 of 400 genes (the first) in 2 groups');
});

const shapes = [
  [1, 1],
  [2, 2],
  [5, 3],
  [10, 1],
  [10, 5],
  [10, 10],
  [12, 25],
  [30, 10],
  [70, 10],
] as const;

test.each(shapes)(
  '%i groups with %i genes each are drawn within the figure, and nothing overlaps',
  (groups, per) => {
    const { spec } = dotPlotFigure(markerMatrix(numbered(groups), per));
    const scene = geneMatrixDrawing.scene(spec);
    expect(scene.width).toBeLessThanOrEqual(maxFigureWidth);
    const boxes = textsOf(scene.marks).map(boxOf);
    for (const box of boxes) {
      expect(box.left).toBeGreaterThanOrEqual(4);
      expect(box.top).toBeGreaterThanOrEqual(4);
      expect(box.right).toBeLessThanOrEqual(scene.width - 4);
      expect(box.bottom).toBeLessThanOrEqual(scene.height - 4);
    }
    expect(overlaps(boxes)).toEqual([]);
    const dots = scene.marks.filter((mark) => mark.kind === 'dot');
    expect(dots.length).toBeGreaterThan(spec.groups.length * spec.genes.length * 0.9);
  },
);

test.each([1, 2, 3, 4, 5, 6, 8])('names over %i genes each keep clear of each other', (per) => {
  const scene = geneMatrixDrawing.scene(dotPlotFigure(markerMatrix(tenTypes, per)).spec);
  expect(overlaps(textsOf(scene.marks).map(boxOf))).toEqual([]);
});

test('names of brackets that could not even stand whole are the numbers of their rows, whose names are whole beside', async () => {
  const labels = tenTypes.map((label) => `${label} of the respiratory bronchiole`);
  const figure = dotPlotFigure(markerMatrix(labels, 2));
  const scene = geneMatrixDrawing.scene(figure.spec);
  const texts = textsOf(scene.marks);
  expect(texts.filter((mark) => mark.upright === true && mark.anchor === 'start')).toEqual([]);
  labels.forEach((label, row) => {
    const [beside, over] = texts.filter(({ full = '', text }) =>
      [full, text.replace(/^\d+ /, '')].includes(label),
    );
    expect([over?.text, beside?.text.slice(0, 4)]).toEqual([
      String(row + 1),
      `${row + 1} ${label}`.slice(0, 4),
    ]);
  });
  expect(overlaps(textsOf(scene.marks).map(boxOf))).toEqual([]);
  expect(await renderSvg(figure)).toContain(`<title>${labels[0]!}</title>`);
});

test('in the size of a page a long name over some columns is shortened, with the whole beside', () => {
  const labels = ['Of the respiratory bronchiole and the alveolar duct', 'Short'];
  const { spec } = dotPlotFigure(markerMatrix(labels, 4));
  const fitted = fitGeneMatrix(spec, { width: 640, height: 420 }).spec;
  const texts = textsOf(geneMatrixDrawing.scene(fitted).marks);
  const name = texts.find((mark) => mark.anchor === 'middle' && mark.full === labels[0]);
  expect(name?.text).toMatch(/^Of the/);
  expect(texts).toContainEqual(expect.objectContaining({ text: 'Short', anchor: 'middle' }));
  expect(overlaps(texts.map(boxOf))).toEqual([]);
});

test('hostile names make sound SVG without markup of their own', async () => {
  const input = markerMatrix(hostileNames, 2, (gene) => hostileNames[gene % hostileNames.length]!);
  const figure = dotPlotFigure({
    ...input,
    title: '</title><x>',
    datasetName: '<i>&"',
    groupTitle: '<g>\u0000',
  });
  const svg = await renderSvg(figure);
  expect(svg).not.toMatch(/<script|<i>|<x>|<g>/);
  // eslint-disable-next-line no-control-regex
  expect(svg).not.toMatch(/[\u0000-\u0008\u202e]/);
  // The parser refuses what is not well-formed XML.
  expect(new Resvg(svg, { font: { loadSystemFonts: false } }).width).toBe(figure.spec.size.width);
});

test('figures without a dot say why', async () => {
  const bare = dotPlotFigure({ ...small, mean: new Float64Array(6), fraction: new Float64Array(6) });
  expect(bare.spec.dotMax).toBe(0);
  expect(await renderSvg(bare)).toContain('No cell of these groups');
  const none = dotPlotFigure({
    ...small,
    genes: [],
    mean: new Float64Array(0),
    fraction: new Float64Array(0),
  });
  expect(await renderSvg(none)).toContain('There are no marker genes to show.');
});

test('a dot plot drawn from its spec as JSON is the same to the byte', async () => {
  const figure = dotPlotFigure(markerMatrix(tenTypes, 5));
  const again: ReturnType<typeof dotPlotFigure> = {
    ...figure,
    spec: JSON.parse(JSON.stringify(figure.spec)) as ReturnType<typeof dotPlotFigure>['spec'],
  };
  const [one, two] = [await renderPng(figure), await renderPng(again)];
  expect(Buffer.compare(one.png, two.png)).toBe(0);
  const { width, height } = PNG.sync.read(Buffer.from(one.png));
  expect([width, height]).toEqual([2 * figure.spec.size.width, 2 * figure.spec.size.height]);
});

test.each([
  ['narrow', 2, 1],
  ['of the usual width', 3, 3],
  ['wide', 10, 5],
  ['of the most dots', 30, 10],
])(
  'a dot plot that is %s has no fewer pixels in print than on the screen, and is two columns of a journal wide where it may be as large',
  async (_, groups, per) => {
    const figure = dotPlotFigure(markerMatrix(numbered(groups), per));
    const screen = await renderPng(figure, { resolution: 'screen' });
    const print = await renderPng(figure, { resolution: 'print' });
    expect(print.width).toBeGreaterThanOrEqual(screen.width);
    expect(print.height).toBeGreaterThanOrEqual(screen.height);
    const full = print.width * print.height > 0.99 * maxPixels;
    expect(full || print.width >= 2160).toBe(true);
    for (const [resolution, { width, height }] of Object.entries({ screen, print })) {
      expect(chartPixels(figure.spec.size, resolution as 'screen' | 'print')).toEqual({ width, height });
    }
  },
);

test('the largest figure stays within its pixels', async () => {
  const figure = dotPlotFigure(markerMatrix(numbered(30), 10));
  const { width, height } = await renderPng(figure, { resolution: 'print' });
  expect(width * height).toBeLessThanOrEqual(1.001 * maxPixels);
  expect(width).toBeGreaterThan(figure.spec.size.width);
});

test.each([
  ['mean', { mean: new Float64Array(5) }],
  ['fraction', { fraction: new Float64Array(7) }],
  ['fraction', { fraction: Float64Array.of(0, 0, 0, 0, 0, 1.2) }],
  ['fraction', { fraction: Float64Array.of(0, 0, 0, 0, 0, -0.1) }],
  ['groups', { groups: [small.groups[0]!, { label: 'B', cells: 1.5 }] }],
])('a wrong %s is named in the error', (field, wrong) => {
  const make = () => dotPlotFigure({ ...small, ...wrong });
  expect(make).toThrow(FigureInputError);
  expect(make).toThrow(expect.objectContaining({ tag: 'figure-input', field }));
});

interface Box {
  text: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function textsOf(marks: readonly { kind: string }[]): TextMark[] {
  return marks.filter((mark): mark is TextMark => mark.kind === 'text');
}

function boxOf({ text, x, y, size, style, anchor, upright }: TextMark): Box {
  const width = textWidth(text, size, style);
  const before = anchor === 'start' ? 0 : anchor === 'middle' ? width / 2 : width;
  const rise = 0.73 * size;
  return upright === true
    ? { text, left: x - rise, right: x, top: y - width + before, bottom: y + before }
    : { text, left: x - before, right: x - before + width, top: y - rise, bottom: y };
}

function overlaps(boxes: readonly Box[]): string[] {
  const overlapping: string[] = [];
  boxes.forEach((a, i) => {
    for (const b of boxes.slice(i + 1)) {
      const isApart =
        a.right + 1 <= b.left || b.right + 1 <= a.left || a.bottom + 1 <= b.top || b.bottom + 1 <= a.top;
      if (!isApart) overlapping.push(`${a.text} / ${b.text}`);
    }
  });
  // A few say enough, and thousands take minutes to be compared.
  return overlapping.slice(0, 5);
}

test('groups of few cells have an asterisk that the summary explains, and cautions go with the spec', () => {
  const cautions = [{ code: 'small-groups', message: 'Fewer than 50 cells: T (30).' }];
  const { spec } = dotPlotFigure({ ...small, fewCells: 50, cautions });
  expect(spec.summary).toBe('3 genes in 2 groups, 1,230 cells · * fewer than 50 cells');
  expect(spec.cautions).toEqual(cautions);
  const texts = textsOf(geneMatrixDrawing.scene(spec).marks).map(({ text }) => text);
  expect(texts).toContain('T*');
  expect(texts).toContain('B');
  expect(dotPlotFigure({ ...small, fewCells: 10 }).spec.summary).toBe('3 genes in 2 groups, 1,230 cells');
});
