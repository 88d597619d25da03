import { expect, test } from 'vitest';
import { figureContent, inputsOf } from '../all-content.ts';
import { chartPixels, fitToView, renderPng, renderSvg } from '../drawing/render-figure.ts';
import type { GeneMatrixSpec } from '../drawing/gene-matrix/spec.ts';
import type { Figure } from '../drawing/figure.ts';
import { categorical, geneOf, hostileNames, maskOf } from '../mixture.test-data.ts';
import type { FigureSetting } from '../plot.ts';
import { plotFigure } from '../all-plots.ts';
import { numbersOf, summariseFigure } from '../all-words.ts';

const unit = 'log-normalized expression';
const profiles = [
  [5, 4, 1, 0, 2, 0],
  [0, 1, 5, 4, 0, 3],
  [4, 5, 1, 0, 3, 0],
  [1, 0, 4, 5, 0, 3],
];
const cells = 100;
const codes = Int16Array.from({ length: cells }, (_, cell) => cell % 4);

function values(components: readonly unknown[] = [null], names = ['a', 'b', 'c', 'd']) {
  const genes = profiles[0]!.map((_, gene) => {
    const stored = [...codes.keys()].filter((cell) => profiles[codes[cell]!]![gene]! > 0);
    const of = stored.map((cell) => profiles[codes[cell]!]![gene]! + 0.1 * (((cell / 4) | 0) % 5) - 0.2);
    return { gene: geneOf(cells, stored, of), symbol: `G${gene}`, unit };
  });
  const column = categorical(codes, names);
  const groups = { column, title: 'Group', columnName: 'g', palette: 'cluster' as const, chosen: [] };
  return { genes, groups, components };
}

const kinds = ['gene-dot-plot', 'matrix-plot', 'heatmap'] as const;

function figureOf(
  content: { order?: 'dendrogram'; readonly [option: string]: unknown },
  inputs: object = values(content.order ? [null] : []),
  setting: Partial<FigureSetting> = {},
) {
  const parsed = figureContent.parse({
    kind: 'gene-dot-plot',
    genes: ['G0', 'G1', 'G2', 'G3', 'G4', 'G5'],
    ...content,
  });
  return plotFigure(parsed, inputs, { datasetName: 'Lung', ...setting }) as unknown as Figure<GeneMatrixSpec>;
}
const labels = ({ spec }: Figure<GeneMatrixSpec>) => spec.groups.map(({ label }) => label);
const tree = { order: 'dendrogram' } as const;

const otherwise = {
  name: 'X_pca',
  dimensions: 3,
  values: Float32Array.from({ length: 3 * cells }, (_, at) => {
    const code = codes[Math.floor(at / 3)]!;
    return [code < 2 ? 1 : 0, code, code % 2 === 0 ? 0.1 : 0.3][at % 3]!;
  }),
};

test('the components are requested for figures with a dendrogram only', () => {
  const inputsIn = (content: object) =>
    inputsOf(figureContent.parse({ genes: ['G0'], ...content }))['components'];
  for (const kind of kinds) {
    expect(inputsIn({ kind })).toEqual([]);
    expect(inputsIn({ kind, ...tree })).toEqual([{ from: 'components' }]);
  }
});

test.each(kinds)('rows of a %s stand in the order of the tree, with their own numbers', (kind) => {
  const plain = figureOf({ kind });
  const ordered = figureOf({ kind, ...tree });
  expect(labels(plain)).toEqual(['a', 'b', 'c', 'd']);
  expect(plain.spec.dendrogram).toBeUndefined();
  expect(labels(ordered)).toEqual(['a', 'c', 'b', 'd']);
  const row = ({ spec }: Figure<GeneMatrixSpec>, nth: number) => spec.mean.slice(6 * nth, 6 * nth + 6);
  expect([0, 1, 2, 3].map((nth) => row(ordered, nth))).toEqual([0, 2, 1, 3].map((nth) => row(plain, nth)));
  const levels = ({ spec }: Figure<GeneMatrixSpec>, nth: number) =>
    spec.cells?.levels.slice(6 * nth, 6 * nth + 6);
  expect([0, 1, 2, 3].map((nth) => levels(ordered, nth))).toEqual(
    [0, 2, 1, 3].map((nth) => levels(plain, nth)),
  );
  expect(ordered.spec.dendrogram!.merges.map(([one, other]) => [one, other])).toEqual([
    [0, 1],
    [2, 3],
    [4, 5],
  ]);
  expect(ordered.spec.summary).toMatch(/ · rows by a dendrogram of these genes$/);
});

test('the components decide the order where there are any, and the summary and the words name them', () => {
  const ordered = figureOf(tree, values([otherwise]));
  expect(labels(ordered)).toEqual(['c', 'd', 'a', 'b']);
  expect(ordered.spec.dendrogram).toMatchObject({ embedding: 'X_pca', dimensions: 3 });
  expect(ordered.spec.summary).toContain('rows by a dendrogram of principal components');
  const words = summariseFigure(numbersOf(JSON.parse(JSON.stringify(ordered.spec)))!);
  expect(words).toContain('the 3 principal components, as scanpy does');
  expect(words).toMatch(/c and d are nearest to each other \(r = 0\.99\d?\)/);
  const ofGenes = summariseFigure(numbersOf(figureOf(tree).spec)!);
  expect(ofGenes).toContain('the 6 genes shown, as the dataset has no principal components');
});

test('the tree is of the values themselves where genes are shown from 0 to 1, and of the active cells', () => {
  const [plain, scaled] = (['none', 'gene'] as const).map((scale) => figureOf({ ...tree, scale }));
  expect(scaled!.spec.dendrogram).toEqual(plain!.spec.dendrogram);
  const mask = maskOf(Array.from(codes, (code) => Number(code !== 3)));
  expect(labels(figureOf(tree, values(), { mask }))).toEqual(['b', 'a', 'c']);
});

test('one group has no tree, two have one, and a group whose means do not vary leaves the order of the column', () => {
  const only = (...keptCodes: number[]) =>
    maskOf(Array.from(codes, (code) => Number(keptCodes.includes(code))));
  expect(figureOf(tree, values(), { mask: only(1) }).spec.summary).toContain('no dendrogram of one group');
  expect(figureOf(tree, values(), { mask: only(1, 2) }).spec.dendrogram!.merges).toHaveLength(1);
  expect(figureOf(tree, values(), { mask: only() }).spec.groups).toEqual([]);
  const inputs = values();
  const one = { ...inputs, genes: inputs.genes.slice(0, 1) };
  const { spec } = figureOf({ ...tree, genes: ['G0'] }, one);
  expect(spec.dendrogram).toBeUndefined();
  expect(spec.summary).toContain(
    'in the order of the column, as the means of a in the one gene do not vary and have no correlation',
  );
});

test('components of other cells are refused', () => {
  expect(() => figureOf(tree, values([{ ...otherwise, values: new Float32Array(6) }]))).toThrow(
    expect.objectContaining({ tag: 'figure-input', field: 'components' }),
  );
});

test('the tree is drawn beside the rows, and in a smaller size that of the rows that are left', async () => {
  const plain = figureOf({});
  const ordered = figureOf(tree);
  expect(ordered.spec.size.width).toBeGreaterThanOrEqual(plain.spec.size.width);
  const strokes = (figure: Figure<GeneMatrixSpec>, spec = figure.spec) => {
    const { marks, panel } = figure.drawing.scene(spec);
    return marks.filter((mark) => mark.kind === 'rectangle' && mark.x >= panel.x + panel.width + 7).length;
  };
  // A stroke and two arms each; the colour bar has ticks in both figures.
  expect(strokes(ordered) - strokes(plain)).toBe(9);
  const names = hostileNames.slice(0, 4);
  const hostile = figureOf(tree, values([null], names));
  expect(await renderSvg(hostile)).not.toContain('<script');
  const small = { width: 300, height: 190, ratio: 1 };
  const { spec } = fitToView(hostile, small);
  expect(spec.dendrogram!.merges).toHaveLength(spec.groups.length - 1);
  expect((await renderPng(hostile, { view: small })).width).toBe(300);
  expect((await renderPng(hostile)).height).toBe(chartPixels(hostile.spec.size, 'screen').height);
});
