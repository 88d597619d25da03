import { expect, test } from 'vitest';
import { categoryUmapFigure } from '../../umap/category-umap.ts';
import { geneUmapFigure } from '../../umap/gene-umap.ts';
import { geneViolinFigure } from '../../violin-and-ridge/gene-violin.ts';
import { highlightUmapFigure } from '../../umap/highlight-umap.ts';
import { hostileNames, tenTypes, geneOf, markerOf, mixture, scoresOf } from '../../mixture.test-data.ts';
import { fileFigure } from '../file-figure.ts';
import type { CommonSpec, Figure } from '../figure.ts';
import { scoreUmapFigure } from '../../umap/score-umap.ts';
import { scoreViolinFigure } from '../../violin-and-ridge/score-violin.ts';
import type { VectorScene } from './scene.ts';
import { box, overlap } from './text-box.test-data.ts';

const datasetName = 'A dataset whose name goes on and on until it can not be set in the width of the figure';

function sceneOf<Spec extends CommonSpec, Columns extends object>(
  figure: Figure<Spec, Columns>,
): VectorScene {
  const { spec, drawing } = fileFigure(figure as unknown as Figure);
  return drawing.scene(spec);
}

function categories(count: number, prefix = ''): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}`);
}

function categoryScene(names: readonly string[]): VectorScene {
  const { embedding, column } = mixture(Math.max(2000, 40 * names.length), names);
  return sceneOf(categoryUmapFigure({ embedding, column, title: 'Cell type', datasetName }));
}

const ten = mixture(700, tenTypes);

function geneScene(values: number[], unit?: string): VectorScene {
  const gene = geneOf(
    700,
    values.map((_, i) => i),
    values,
  );
  return sceneOf(
    geneUmapFigure({ embedding: ten.embedding, gene, symbol: 'CD79A', datasetName, ...(unit && { unit }) }),
  );
}

function scoreScene(scores: (value: number, cell: number) => number, unit?: string): VectorScene {
  return sceneOf(
    scoreUmapFigure({
      embedding: ten.embedding,
      scores: scoresOf(ten.column).map(scores),
      title: 'Epithelial–mesenchymal transition of a name that is long',
      subtitle: '46 of 48 genes found',
      datasetName,
      ...(unit && { unit }),
    }),
  );
}

function violins(names: readonly string[], groupTitle = 'Cell type', scale = 1): VectorScene {
  const { column } = mixture(Math.max(100, 12 * names.length), names);
  const gene = markerOf(0, column);
  const scaled = { ...gene, values: gene.values.map((value) => value * scale) };
  return sceneOf(
    geneViolinFigure({ gene: scaled, groups: column, symbol: 'W'.repeat(200), groupTitle, datasetName }),
  );
}

function scoreViolins(scores: (value: number, cell: number) => number): VectorScene {
  return sceneOf(
    scoreViolinFigure({
      scores: scoresOf(ten.column).map(scores),
      groups: ten.column,
      title: 'Hypoxia',
      groupTitle: 'Cell type',
      datasetName,
      unit: 'mean difference to control genes of the same bins of expression, in natural logarithms',
    }),
  );
}

const violinScenes: readonly (readonly [string, () => VectorScene])[] = [
  ['violins of one group', () => violins(['Only'])],
  ['violins of ten groups', () => violins(tenTypes)],
  ['violins of hostile names', () => violins(hostileNames, '<b>'.repeat(70))],
  ['violins of 20 long names', () => violins(categories(20, 'CD4+/CD45RA+/CD25- Naive T cell no. '))],
  ['violins of 60 clusters', () => violins(categories(60), 'Leiden cluster')],
  ['violins of large values', () => violins(tenTypes, 'Cell type', 12_345_678)],
  ['violins of small values', () => violins(tenTypes, 'Cell type', 1.2345e-7)],
  ['violins of scores', () => scoreViolins((value) => value)],
  ['violins of scores far from zero', () => scoreViolins((value) => value + 1e6)],
  ['violins of negative scores', () => scoreViolins((value) => -1 - Math.abs(value))],
  ['violins of one score', () => scoreViolins(() => 0.25)],
];

const scatterScenes: readonly (readonly [string, () => VectorScene])[] = [
  ['one category', () => categoryScene(['Only'])],
  ['ten categories', () => categoryScene(tenTypes)],
  ['20 categories', () => categoryScene(categories(20))],
  ['20 long categories', () => categoryScene(categories(20, 'CD4+/CD45RA+/CD25- Naive T cell no. '))],
  ['21 categories', () => categoryScene(categories(21))],
  ['60 categories', () => categoryScene(categories(60))],
  [
    '60 long categories',
    () => categoryScene(categories(60, 'Excitatory neurons of layer 2/3, intratelencephalic ')),
  ],
  ['hostile names', () => categoryScene(hostileNames)],
  [
    'a gene',
    () =>
      sceneOf(
        geneUmapFigure({
          embedding: ten.embedding,
          gene: markerOf(0, ten.column),
          symbol: 'CD79A',
          datasetName,
        }),
      ),
  ],
  ['a gene of no cell', () => geneScene([])],
  ['a gene of one cell', () => geneScene([2.345])],
  ['a gene of very large values', () => geneScene([1e9, 3e8, 1234567])],
  ['a gene of very small values', () => geneScene([1e-7, 3e-8])],
  [
    'scaled values of a long unit',
    () => geneScene([-3.21, 4.56, 0.1], 'scaled expression (mean 0, variance 1)'),
  ],
  [
    'a symbol of 100 characters',
    () => {
      const gene = geneOf(700, [1], [1]);
      return sceneOf(
        geneUmapFigure({ embedding: ten.embedding, gene, symbol: 'W'.repeat(100), datasetName }),
      );
    },
  ],
  ['scores', () => scoreScene((value) => value)],
  ['scores whose least is just below zero', () => scoreScene((value) => Math.max(-0.01, value))],
  ['scores whose greatest is just above zero', () => scoreScene((value) => Math.min(0.01, value))],
  ['scores far above zero', () => scoreScene((value) => 12345 + value)],
  ['scores of one value', () => scoreScene(() => -0.25)],
  ['no scores', () => scoreScene(() => NaN)],
  [
    'small scores of a long unit',
    () =>
      scoreScene((value) => value / 1e5, 'mean difference to control genes of the same bins of expression'),
  ],
  [
    'chosen categories',
    () =>
      sceneOf(
        highlightUmapFigure({ ...ten, highlighted: tenTypes.slice(3, 7), title: 'Chosen', datasetName }),
      ),
  ],
];

const scenes: readonly (readonly [string, () => VectorScene])[] = [
  ...scatterScenes,
  ...violinScenes,
  ['violins of no score', () => scoreViolins(() => NaN)],
];

test.each(scenes)('with %s no two texts touch and none leaves the figure or enters the points', (_, make) => {
  const scene = make();
  const texts = scene.marks.filter((mark) => mark.kind === 'text');
  const boxes = texts.map(box);
  // Names of the texts at fault, so that a failure says which.
  const outside = texts.filter((_text, i) => {
    const { x, y, width, height } = boxes[i]!;
    return x < 4 || y < 4 || x + width > scene.width - 4 || y + height > scene.height - 4;
  });
  const onPoints = texts.filter((_text, i) => overlap(boxes[i]!, scene.panel));
  const touching = texts.flatMap((text, i) =>
    texts
      .slice(0, i)
      .filter((_other, j) => overlap(boxes[i]!, boxes[j]!))
      .map((other) => [text, other]),
  );
  expect({ outside, onPoints, touching }).toEqual({ outside: [], onPoints: [], touching: [] });
});

test.each(scenes)('with %s the type is at least 6 pt in one column of a journal', (_, make) => {
  const scene = make();
  const pointsPerPixel = ((89 / 25.4) * 72) / scene.width;
  const sizes = scene.marks.filter((mark) => mark.kind === 'text').map((mark) => mark.size);
  expect(Math.min(...sizes) * pointsPerPixel).toBeGreaterThanOrEqual(6);
});

test.each(scatterScenes)('with %s the points keep at least half of the width', (_, make) => {
  const scene = make();
  expect(scene.panel.width).toBeGreaterThanOrEqual(scene.width / 2);
  expect(scene.panel.height).toBeGreaterThanOrEqual(300);
});

test.each(violinScenes)('with %s the shapes keep a third of the width, and their panel', (_, make) => {
  const { panel, marks, width } = make();
  expect(panel.width).toBeGreaterThanOrEqual(width / 3);
  for (const mark of marks) {
    if (mark.kind === 'text') continue;
    const [left, right] =
      mark.kind === 'area'
        ? [Math.min(...mark.xs), Math.max(...mark.xs)]
        : mark.kind === 'rectangle'
          ? [mark.x, mark.x + mark.width]
          : mark.kind === 'dot'
            ? [mark.x, mark.x]
            : [NaN, NaN];
    // Strokes and bars stand over the edge by half of their width.
    expect(left).toBeGreaterThanOrEqual(panel.x - 2);
    expect(right).toBeLessThanOrEqual(panel.x + panel.width + 2);
  }
});

const long = {
  title: 'Neoadjuvant chemotherapy against the other 2,715 active cells',
  datasetName: `${datasetName} (simulated)`,
};

test('a title block is wrapped and whole in a file, whose figure begins lower for it', () => {
  const { embedding, column } = mixture(400, tenTypes);
  const plain = categoryUmapFigure({ embedding, column, title: 'Type', datasetName: 'Lung' });
  const figure = fileFigure({
    ...(categoryUmapFigure({ embedding, column, ...long }) as unknown as Figure),
  });
  const scene = figure.drawing.scene(figure.spec);
  const texts = scene.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
  expect(texts.slice(0, 2).join(' ')).toBe(long.title);
  expect(texts.slice(2, 4).join(' ')).toBe(long.datasetName);
  expect(scene.height - plain.spec.size.height).toBe(scene.panel.y - sceneOf(plain).panel.y);
  expect(figure.spec.size.height).toBe(scene.height);
});

test('a file without a title block keeps its figure and, of simulated data, one line that says so', () => {
  const { embedding, column } = mixture(400, tenTypes);
  const whole = categoryUmapFigure({ embedding, column, ...long }) as unknown as Figure;
  const sceneWithout = (simulated?: true) => {
    const { spec, drawing } = fileFigure(
      { ...whole, spec: { ...whole.spec, ...(simulated && { simulated }) } },
      { titleBlock: false },
    );
    const scene = drawing.scene(spec);
    return { scene, texts: scene.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : [])) };
  };
  const { scene, texts } = sceneWithout();
  expect(texts.some((text) => text.includes('Neoadjuvant') || text.includes('groups'))).toBe(false);
  expect(scene.panel.height).toBe(sceneOf(whole).panel.height);
  expect(scene.height).toBeLessThan(whole.spec.size.height);
  const simulated = sceneWithout(true);
  expect(simulated.texts[0]).toBe('Simulated data');
  const ys = [scene, simulated.scene].flatMap(({ marks }) =>
    marks.flatMap((mark) => ('y' in mark ? [mark.y] : [])),
  );
  expect(Math.min(...ys)).toBeGreaterThanOrEqual(4);
});
