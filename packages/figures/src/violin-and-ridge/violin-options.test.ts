import { expect, test } from 'vitest';
import { measureOf, figureContent } from '../all-content.ts';
import { figureOfKind } from '../every-kind.test-data.ts';
import { fitToView, renderSvg } from '../drawing/render-figure.ts';
import type { ViolinRowGroup } from '../drawing/distributions/violin-groups.ts';
import {
  genes,
  groups,
  inputOf,
  numbersOf as numbersColumn,
  reference,
  samples,
  score,
  setting,
  specOf,
} from '../group-figures.test-data.ts';
import { categorical, geneOf, maskOf } from '../mixture.test-data.ts';
import { plotFigure } from '../all-plots.ts';
import { numbersOf, summariseFigure } from '../all-words.ts';

const ofGene = { kind: 'violin', of: { measure: 'gene', gene: 'x0' } };
const values = { measure: genes[0], groups, split: [], samples: [] };
const rowsOf = (spec: object) => (spec as { groups: readonly ViolinRowGroup[] }).groups;
const state = { measure: 'score', score: { of: 'cell-state', cell_state: 'HYPOXIA' } };

test('points are values of cells of their group, as many as declared, and the same each time', () => {
  const many = Array.from({ length: 6000 }, (_, cell) => cell);
  const gene = {
    ...genes[0]!,
    gene: geneOf(
      6000,
      many.slice(0, 3000),
      many.slice(0, 3000).map((i) => i / 100),
    ),
  };
  const by = inputOf(
    categorical(
      Int16Array.from(many, (cell) => (cell < 5900 ? 0 : 1)),
      ['a', 'b'],
    ),
  );
  const draw = () => specOf({ ...ofGene, points: true }, { ...values, measure: gene, groups: by });
  const [large, small] = rowsOf(draw());
  // All hundred cells of the small group are zeros: without a density there is nothing that points could fill.
  expect(small!.sampled).toBeUndefined();
  expect(large!.sampled).toHaveLength(2000);
  const zeros = large!.sampled!.filter((value) => value === 0).length;
  expect(zeros / 2000).toBeCloseTo(2901 / 5900, 1);
  const stored = new Set(many.slice(0, 3000).map((i) => i / 100));
  expect(large!.sampled!.every((value) => stored.has(Number(value.toFixed(2))))).toBe(true);
  expect(draw()).toEqual(draw());
  expect(draw().summary).toContain('2,000 of 6,000 cells as points, at random from each group');
});

test('where there is room all cells are points, each within its violin', async () => {
  const figure = plotFigure(figureContent.parse({ ...ofGene, points: true }), values, setting);
  expect(figure.spec.summary).toContain('all 400 cells as points');
  const rows = rowsOf(figure.spec);
  rows.forEach((row, group) => {
    const expected = reference.values[0]!.filter((_, cell) => reference.codes[cell] === group);
    expect(row.sampled).toHaveLength(expected.length);
    expected.sort((a, b) => a - b).forEach((value, i) => expect(row.sampled![i]).toBeCloseTo(value, 3));
  });
  const { marks } = figure.drawing.scene(figure.spec);
  const points = marks.filter((mark) => mark.kind === 'dot' && mark.radius < 2);
  expect(points).toHaveLength(400);
  const areas = marks.filter((mark) => mark.kind === 'area');
  const inside = points.filter((point) => {
    const { x, y } = point as { x: number; y: number };
    return areas.some(({ tops, bottoms }) => y >= Math.min(...tops) && y <= Math.max(...bottoms) && x > 0);
  });
  expect(inside).toHaveLength(400);
  expect(await renderSvg(figure)).toBe(await renderSvg(figure));
});

test('a figure without requested points or means is as before', () => {
  const [row] = rowsOf(specOf(ofGene, values));
  expect(Object.keys(row!)).not.toContain('sampled');
  expect(Object.keys(row!)).not.toContain('samples');
  expect(specOf(ofGene, values)['samples']).toBeUndefined();
});

test.each([
  ['a gene', ofGene, values, reference.geneSampleMeans],
  ['a score', { ...ofGene, of: state }, { ...values, measure: score }, reference.scoreSampleMeans],
])(
  'the means of samples of %s are those of pandas, without samples of fewer than ten cells',
  (_, content, of, expected) => {
    const spec = specOf({ ...content, samples: 'sample' }, { ...of, samples: [samples] });
    const ours = rowsOf(spec).flatMap((row, group) =>
      row.samples!.map(({ label, cells, mean }) => ({ group, label, cells, mean })),
    );
    expect(ours).toHaveLength(expected.length);
    expected.forEach(([group, sample, mean, cells], i) => {
      expect(ours[i]).toMatchObject({ group, label: `s${sample}`, cells });
      expect(ours[i]!.mean).toBeCloseTo(mean, 6);
    });
    const pairs = new Set(reference.codes.map((group, cell) => `${group} ${reference.sample[cell]}`));
    expect(pairs.size).toBeGreaterThan(expected.length);
    expect(spec['samples']).toMatchObject({
      title: 'Sample',
      count: 6,
      means: expected.length,
      leastCells: 10,
      leftOut: pairs.size - expected.length,
    });
    expect(spec.summary).toContain(`${expected.length} dots: means of 6 samples`);
    expect(spec.summary).toContain('of fewer than 10 cells left out');
  },
);

test('the words say how far the means of samples lie apart, with the deviation of numpy', () => {
  const spec = specOf({ ...ofGene, samples: 'sample' }, { ...values, samples: [samples] });
  const summary = summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!);
  for (const deviation of reference.geneSampleDeviations) {
    expect(summary).toContain(`standard deviation ${Number(deviation.toPrecision(3))}`);
  }
  expect(summary).toContain('are not independent');
  expect(summary).toMatch(/samples? of (a group has|groups have) fewer than 10 cells/);
});

test('means of samples are of each half of a split violin, and of the active cells', () => {
  const split = inputOf(
    categorical(
      Int16Array.from(reference.codes, (_, cell) => cell % 2),
      ['x', 'y'],
    ),
  );
  const mask = maskOf(reference.codes.map((_, cell) => (cell < 300 ? 1 : 0)));
  const content = { ...ofGene, split: { column: 's' }, samples: 'sample' };
  const spec = specOf(content, { ...values, split: [split], samples: [samples] }, { ...setting, mask });
  const rows = rowsOf(spec);
  expect(rows).toHaveLength(8);
  rows.forEach((row, i) => {
    for (const { label, cells, mean } of row.samples!) {
      const inside = [...reference.codes.keys()].filter(
        (cell) =>
          cell < 300 &&
          reference.codes[cell] === Math.floor(i / 2) &&
          cell % 2 === i % 2 &&
          `s${reference.sample[cell]}` === label,
      );
      expect(cells).toBe(inside.length);
      const sum = inside.reduce((total, cell) => total + reference.values[0]![cell]!, 0);
      expect(mean).toBeCloseTo(sum / inside.length, 6);
    }
  });
  expect(rows.some(({ samples: means }) => means!.length > 0)).toBe(true);
});

test('numbers do not name samples', () => {
  const numbers = numbersColumn('depth', reference.number);
  expect(() => specOf({ ...ofGene, samples: 'depth' }, { ...values, samples: [numbers] })).toThrow(
    expect.objectContaining({ field: 'samples', message: expect.stringContaining('“DEPTH”') }),
  );
});

test('a score is measured as a gene is: by any column, in violins and ridges, with its cautions', () => {
  for (const kind of ['violin', 'ridge']) {
    const spec = specOf({ kind, of: state, by: { column: 'g' } }, { ...values, measure: score });
    expect(spec).toMatchObject({ kind, title: 'Mine', unit: 'signature score · 3 genes' });
    expect(spec.cautions).toEqual(score.cautions);
    rowsOf(spec).forEach(({ mean, cells, expressing }, group) => {
      const inside = reference.score.filter((_, cell) => reference.codes[cell] === group);
      expect(cells).toBe(inside.length);
      expect(mean).toBeCloseTo(inside.reduce((sum, one) => sum + one, 0) / inside.length, 9);
      expect(expressing).toBeUndefined();
    });
  }
});

test('figures share a scale with those that measure the same', () => {
  const of = (content: object) => measureOf(figureContent.parse(content));
  expect(of(ofGene)).toBe('expression');
  expect(of({ kind: 'stacked-violin', genes: ['x0'] })).toBe('expression');
  expect(of({ kind: 'heatmap', genes: ['x0'] })).toBe('expression');
  expect(of({ kind: 'ridge', of: state })).toBe('score');
  expect(of({ kind: 'violin', of: { measure: 'obs', column: 'n' } })).toBe('number');
  for (const kind of ['gene-dot-plot', 'matrix-plot']) {
    expect(of({ kind, genes: ['x0'] })).toBe('mean');
    expect(of({ kind, genes: ['x0'], scale: 'gene' })).toBeUndefined();
  }
});

test('in a large view the parts of a group have their whole names, and few rows the height that is there', () => {
  const parts = ['Neoadjuvant chemotherapy', 'Untreated'];
  const split = inputOf(
    categorical(
      Int16Array.from(reference.codes, (_, cell) => cell % 2),
      parts,
    ),
  );
  const figure = plotFigure(
    figureContent.parse({ ...ofGene, split: { column: 'treatment' } }),
    { ...values, split: [split] },
    setting,
  );
  const size = { width: 1200, height: 640 };
  const { spec } = fitToView(figure, { ...size, ratio: 1, whole: true });
  const scene = figure.drawing.scene(spec);
  const texts = scene.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
  expect(texts).toEqual(expect.arrayContaining(parts));
  expect(scene.panel.height).toBeGreaterThan(0.6 * spec.size.height);
});

test('the halves of one violin take the height of a large view, and its head has the whole title', () => {
  const half = inputOf(
    categorical(
      Int16Array.from(reference.codes, (_, cell) => cell % 2),
      ['treated', 'untreated'],
    ),
  );
  const one = {
    ...groups,
    title: 'Genes detected (quartiles)',
    column: categorical(
      Int16Array.from(reference.codes, () => 0),
      ['T'],
    ),
  };
  const figure = plotFigure(
    figureContent.parse({ ...ofGene, split: { column: 'treatment' } }),
    { ...values, groups: one, split: [half] },
    setting,
  );
  const { spec } = fitToView(figure, { width: 1200, height: 640, ratio: 1, whole: true });
  const scene = figure.drawing.scene(spec);
  const { y, height } = scene.panel;
  const [above, below] = [y, spec.size.height - y - height];
  expect(height).toBeGreaterThan(0.78 * spec.size.height);
  expect(below).toBeLessThan(above + 40);
  const texts = scene.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
  expect(texts).toContain('Genes detected (quartiles)');
});

test('a group of zeros alone is a dot at zero with a short stroke, not a bar of the height of a violin', () => {
  const { drawing, spec } = figureOfKind('gene-violin', 'silent');
  const { marks, panel } = drawing.scene(spec);
  const rowHeight = panel.height / 4;
  const strokes = marks.filter((mark) => mark.kind === 'rectangle' && mark.width === 2.5);
  expect(strokes).toHaveLength(4);
  expect(Math.max(...strokes.map((stroke) => ('height' in stroke ? stroke.height : 0)))).toBeLessThan(
    rowHeight / 3,
  );
  expect(marks.filter(({ kind }) => kind === 'dot')).toHaveLength(4);
});
