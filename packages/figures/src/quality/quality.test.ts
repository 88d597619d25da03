import { expect, test } from 'vitest';
import { figureContent, mayHaveRange, qualityColumns } from '../all-content.ts';
import {
  groups,
  inputOf,
  numbersOf as numbersColumn,
  reference,
  setting,
  specOf,
} from '../group-figures.test-data.ts';
import { categorical, maskOf } from '../mixture.test-data.ts';
import { fitToView } from '../drawing/render-figure.ts';
import { plotFigure } from '../all-plots.ts';
import { numbersOf, summariseFigure } from '../all-words.ts';
import type { QualitySpec } from './spec.ts';

const columns = ['total_counts', 'pct_counts_mt'];
const measures = [
  numbersColumn('total_counts', reference.counts),
  numbersColumn('pct_counts_mt', reference.percent),
];
const content = { kind: 'quality', columns, by: { column: 'g' } };
const specOfThese = (values: object = {}, how = setting) =>
  specOf(content, { measures, groups: [groups], ...values }, how) as unknown as QualitySpec;

test('medians and bounds are those of scipy, of counts on the scale of log1p', () => {
  const spec = specOfThese();
  expect(spec.measures.map(({ column, log }) => [column, log])).toEqual([
    ['total_counts', true],
    ['pct_counts_mt', false],
  ]);
  [reference.countBounds, reference.percentBounds].forEach((expectedBounds, place) => {
    expectedBounds.forEach(([low, high, outside, median], group) => {
      const ours = spec.groups[group]!.distributions[place]!;
      expect(ours.bounds![0] / Math.max(1, low)).toBeCloseTo(low / Math.max(1, low), 6);
      expect(ours.bounds![1] / high).toBeCloseTo(1, 6);
      expect(ours.outside).toBe(outside);
      expect(ours.quartiles[1]).toBeCloseTo(median, 6);
    });
  });
  expect(spec.summary).toContain('median ± 5 MAD');
});

test('without a column all cells are one group, and only active cells count', () => {
  const mask = maskOf(reference.codes.map((code) => (code === 1 ? 1 : 0)));
  const spec = specOfThese({ groups: [] }, { ...setting, mask });
  expect(spec.groups.map(({ label }) => label)).toEqual(['All cells']);
  const [low, high] = spec.groups[0]!.distributions[1]!.bounds!;
  expect([low, high]).toEqual([
    reference.percentBounds[1]![0],
    expect.closeTo(reference.percentBounds[1]![1], 9),
  ]);
});

test('cells that are nearly all alike have no bounds, and no cell beyond them', () => {
  const alike = numbersColumn(
    'pct_counts_mt',
    reference.percent.map((_, cell) => (cell % 10 === 0 ? 5 : 0)),
  );
  const spec = specOfThese({ measures: [measures[0], alike] });
  for (const { distributions } of spec.groups) {
    expect(distributions[1]).toMatchObject({ bounds: null, outside: 0 });
  }
  const summary = summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!);
  expect(summary).toContain('no bounds, as most cells have one value');
});

test('the words say bounds and cells beyond them, and that they are guidance', () => {
  const summary = summariseFigure(numbersOf(JSON.parse(JSON.stringify(specOfThese())))!);
  const [, , outside] = reference.countBounds[2]!;
  expect(summary).toContain(
    `${outside} of ${reference.codes.filter((code) => code === 2).length} cells beyond`,
  );
  expect(summary).toContain('a first look only');
  expect(summary).toContain('TOTAL_COUNTS, on a scale of log(1 + x)');
});

test('counts that may be logarithms already, or are negative, keep a plain axis', () => {
  const logs = numbersColumn('total_counts', reference.counts.map(Math.log1p));
  const below = numbersColumn(
    'total_counts',
    reference.counts.map((count) => count - 5000),
  );
  for (const values of [logs, below]) {
    expect(specOfThese({ measures: [values, measures[1]] }).measures[0]!.log).toBe(false);
  }
});

test('a median lies at the same place of the axis as its violin has it, also on one of logarithms', () => {
  const figure = plotFigure(figureContent.parse(content), { measures, groups: [groups] }, setting);
  const { marks, panel } = figure.drawing.scene(figure.spec);
  const areas = marks.filter((mark) => mark.kind === 'area');
  expect(areas).toHaveLength(8);
  for (const { xs } of areas) {
    expect(xs[0]).toBeGreaterThanOrEqual(panel.x - 0.01);
    expect(xs.at(-1)).toBeLessThanOrEqual(panel.x + panel.width + 0.01);
  }
});

test('titles below narrow axes distinguish the measures', () => {
  const titled = (name: string, title: string) => ({ ...numbersColumn(name, reference.counts), title });
  const figure = plotFigure(
    figureContent.parse({ ...content, columns: ['n_genes', 'n_counts'] }),
    {
      measures: [titled('n_genes', 'Number of genes'), titled('n_counts', 'Number of counts')],
      groups: [groups],
    },
    setting,
  );
  const { spec } = fitToView(figure, { width: 330, height: 260, ratio: 1 });
  const below = figure.drawing
    .scene(spec)
    .marks.flatMap((mark) => (mark.kind === 'text' && mark.text.endsWith('log') ? [mark] : []));
  expect(below).toHaveLength(2);
  expect(below[0]!.text).not.toBe(below[1]!.text);
  expect(below.map(({ full }) => full)).toEqual(['Number of genes, log', 'Number of counts, log']);
});

test('columns of quality are known by the names of scanpy, Seurat and Scrublet, one of each measure', () => {
  expect(
    qualityColumns(['leiden', 'n_genes', 'total_counts', 'n_genes_by_counts', 'pct_counts_mt', 'age']),
  ).toEqual(['n_genes_by_counts', 'total_counts', 'pct_counts_mt']);
  expect(
    qualityColumns(['nCount_RNA', 'nFeature_RNA', 'percent.mt', 'percent.ribo', 'doublet_score']),
  ).toEqual(['nFeature_RNA', 'nCount_RNA', 'percent.mt', 'percent.ribo', 'doublet_score']);
  expect(qualityColumns(['patient', '__proto__', 'log1p_total_counts', 'counts of visits', 'mt'])).toEqual(
    [],
  );
});

test('categories are no measure, columns of other cells are refused, and each measure has its own axis', () => {
  expect(() => specOfThese({ measures: [groups, measures[1]] })).toThrow(
    expect.objectContaining({ field: 'measure' }),
  );
  const other = inputOf(categorical(Int16Array.of(0, 0), ['a']));
  expect(() => specOfThese({ groups: [other] })).toThrow(expect.objectContaining({ field: 'groups' }));
  expect(() => specOfThese({}, { ...setting, range: [0, 1] })).toThrow(
    expect.objectContaining({ field: 'range' }),
  );
  expect(mayHaveRange(figureContent.parse(content))).toBe(false);
});
