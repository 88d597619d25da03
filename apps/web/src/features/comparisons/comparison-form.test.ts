import { comparisonRequest } from '@cellfolio/contract';
import { figureContent } from '@cellfolio/plots/content';
import { expect, test } from 'vitest';
import { heldCsv } from '@/features/tables/held-table.fixture.ts';
import { comparisonAnalysis } from './comparison-analysis.ts';
import {
  comparisonDefaults,
  type ComparisonForm,
  comparisonRequestOf,
  isComplete,
  samplesOf,
} from './comparison-form.ts';
import { comparisonOfTypes } from './comparison.fixture.ts';

const set = (name: string) =>
  JSON.stringify({ name, filter: { subset_group_name: name, cell_type_filter: true, cell_type: [name] } });
const form = (change: Partial<ComparisonForm> = {}): ComparisonForm => ({
  ...comparisonDefaults,
  a: set('B cell'),
  ...change,
});

test('a form asks for A against the rest by Wilcoxon unless it says otherwise', () => {
  const request = comparisonRequestOf(form());
  expect(request).toEqual({
    a: expect.objectContaining({ name: 'B cell' }),
    method: 'wilcoxon',
    min_cells: 3,
    pvals_adj: 0.05,
    logfoldchanges: 1,
  });
  expect(comparisonRequest.safeParse(request).success).toBe(true);
  const other = comparisonRequestOf(
    form({ b: set('T cell'), within: '__proto__', method: 't-test', samples: 'donor' }),
  );
  expect(other).toMatchObject({
    b: { name: 'T cell' },
    within: '__proto__',
    method: 't-test',
    samples: 'donor',
  });
});

test('a form without A, or with numbers that the server refuses, cannot run', () => {
  expect(isComplete(form())).toBe(true);
  for (const wrong of [
    { a: '' },
    { a: 'no JSON' },
    { a: '{"name":1}' },
    { adjustedPValue: '2' },
    { minCells: '1' },
  ]) {
    expect(isComplete(form(wrong))).toBe(false);
  }
  // A method that is kept from another version of the page.
  expect(comparisonRequestOf(form({ method: 'gone' })).method).toBe('wilcoxon');
});

test('samples are those that are chosen, else those that are known of the dataset', () => {
  const samples = { column: 'donor', reason: 'the column of patients' };
  expect(samplesOf(form(), { samples })).toEqual(samples);
  expect(samplesOf(form({ samples: 'batch' }), { samples })?.column).toBe('batch');
  expect(samplesOf(form(), {})).toBeUndefined();
});

test('the figure of rows names their genes, of the group that they are of', () => {
  const { source } = comparisonOfTypes();
  const table = heldCsv('group,names\nT,one\nT,two\nB,three\n');
  const figure = comparisonAnalysis.figureOfRows?.(source!, table, [1, 0, 2]);
  expect(figure?.content).toMatchObject({ kind: 'volcano', part: 'T', genes: ['two', 'one'] });
  const alone = comparisonAnalysis.figureOfRows?.(source!, heldCsv('names\none\n'), [0]);
  expect(alone?.content).not.toHaveProperty('part');
  expect(comparisonAnalysis.figureOfRows?.(source!, table, [])).toBeNull();
});

test('a figure is asked for as it is set, and is the one that came where nothing is', () => {
  const { source } = comparisonOfTypes();
  const asCame = { kind: 'volcano', thresholds: undefined, part: undefined };
  expect(comparisonAnalysis.figureAsSet?.(source!, asCame)).toBe(source);
  const set = { kind: 'ma-plot', thresholds: { adjustedP: 0.01, foldChange: 2 }, part: 'T' };
  const asSet = comparisonAnalysis.figureAsSet?.(source!, set);
  expect(asSet?.content).toMatchObject({
    kind: 'ma-plot',
    part: 'T',
    // What was tested stays, so that nothing is tested again.
    pvals_adj: 0.05,
    thresholds: { pvals_adj: 0.01, logfoldchanges: 2 },
  });
  expect(figureContent.safeParse(asSet?.content).success).toBe(true);
});

test('a result in which no gene differs says so, with the limits', () => {
  const none = comparisonOfTypes({
    groups: [{ name: '', cells_a: 4, cells_b: 4, higher: 0, lower: 0, few_cells: true }],
  });
  const { nothing } = comparisonAnalysis.read(none);
  expect(nothing?.text).toContain('None of 4 genes has both an adjusted p-value below 0.05');
  expect(comparisonAnalysis.read(comparisonOfTypes()).nothing).toBeNull();
});
