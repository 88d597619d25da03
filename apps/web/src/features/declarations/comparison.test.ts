import { comparison, sumsProblem } from '@cellfolio/analyses';
import { figureContent } from '@cellfolio/figures/content';
import { expect, test } from 'vitest';
import { comparisonOfTypes } from '@/features/comparisons/comparison.fixture.ts';
import { heldCsv } from '@/features/tables/held-table.fixture.ts';
import { defaultTexts, formState, type FormTexts, leftOut, textsOf } from './form-values.ts';
import { declaredAnalysis } from './module-of.tsx';

const comparisonAnalysis = declaredAnalysis(comparison);
const set = (name: string) =>
  JSON.stringify({ name, filter: { subset_group_name: name, cell_type_filter: true, cell_type: [name] } });
const form = (change: FormTexts = {}): FormTexts => ({
  ...defaultTexts(comparison.request),
  a: set('B cell'),
  ...change,
});
type Dataset = Parameters<typeof formState>[2];
const comparisonRequestOf = (texts: FormTexts, dataset: Dataset) =>
  formState(comparison, texts, dataset).request;
const isComplete = (texts: FormTexts, dataset: Dataset) => formState(comparison, texts, dataset).isComplete;
const withinOf = (texts: FormTexts, dataset: Dataset) => comparisonRequestOf(texts, dataset)['within'];
const isSent = (request: object) => comparison.request.safeParse(request).success;

const cellsAlone = { raw_counts: false };
const donors = { raw_counts: true, samples: { column: 'donor', reason: 'the column of patients' } };

test('where samples and raw counts are known, a form requests pseudobulk with its design', () => {
  expect(comparisonRequestOf(form(), donors)).toEqual({
    a: expect.objectContaining({ name: 'B cell' }),
    method: 'pseudobulk',
    covariates: [],
    pairing: 'auto',
    min_sample_cells: 10,
    trend: false,
    robust: false,
    min_cells: 3,
    pvals_adj: 0.05,
    logfoldchanges: 1,
  });
  const request = comparisonRequestOf(
    form({
      covariates: '["sex","age"]',
      pairing: 'by-sample',
      interaction: 'response',
      min_sample_cells: '20',
    }),
    donors,
  );
  expect(request).toMatchObject({
    covariates: ['sex', 'age'],
    pairing: 'by-sample',
    interaction: 'response',
    min_sample_cells: 20,
  });
  expect(isSent(request)).toBe(true);
  // Samples that are chosen count as well as those that are known.
  expect(comparisonRequestOf(form({ samples: 'lane' }), { raw_counts: true })['method']).toBe('pseudobulk');
  expect(comparisonRequestOf(form({ method: 'wilcoxon' }), donors)['method']).toBe('wilcoxon');
});

test('pseudobulk without raw counts or samples says what is missing, and cannot run', () => {
  const summed = form({ method: 'pseudobulk' });
  expect(sumsProblem(undefined, cellsAlone)).toContain('no raw counts');
  const unused = {
    code: 'no-counts',
    message: 'layers/counts is not used as raw counts: some have fractions.',
  };
  expect(sumsProblem(undefined, { ...cellsAlone, warnings: [unused] })).toContain(unused.message);
  expect(sumsProblem(undefined, { raw_counts: true })).toContain('Choose the column');
  expect(sumsProblem(undefined, donors)).toBeUndefined();
  expect(isComplete(summed, cellsAlone)).toBe(false);
  expect(isComplete(summed, donors)).toBe(true);
  expect(isComplete(form({ min_sample_cells: '0' }), donors)).toBe(false);
});

test('options are those of the moderated tests; other tests of the same design have none', () => {
  expect(comparisonRequestOf(form({ robust: 'true' }), donors)).toMatchObject({ trend: false, robust: true });
  for (const method of ['quasi-likelihood', 'negative-binomial']) {
    const counted = comparisonRequestOf(form({ method, robust: 'true', covariates: '["sex"]' }), donors);
    expect(counted).toMatchObject({ method, covariates: ['sex'], pairing: 'auto' });
    expect(counted).not.toHaveProperty('robust');
    expect(isSent(counted)).toBe(true);
    expect(isComplete(form({ method }), cellsAlone)).toBe(false);
  }
});

test('covariates are marked as quantities when chosen, and lanes have their animals as a random effect', () => {
  const formValues = form({
    covariates: '["dose"]',
    numeric_covariates: '["dose"]',
    random_effect: 'mouse',
  });
  expect(comparisonRequestOf(formValues, donors)).toMatchObject({
    numeric_covariates: ['dose'],
    random_effect: 'mouse',
  });
  const counted = comparisonRequestOf({ ...formValues, method: 'negative-binomial' }, donors);
  expect(counted).not.toHaveProperty('random_effect');
});

test('covariates that are kept from another version of the page are left out', () => {
  for (const covariates of ['', 'no JSON', '{}', '[1]'])
    expect(comparisonRequestOf(form({ covariates }), donors)['covariates'] ?? []).toEqual([]);
});

test('a form requests A against the rest by Wilcoxon where samples or raw counts are not known', () => {
  const request = comparisonRequestOf(form(), cellsAlone);
  expect(request).toEqual({
    a: expect.objectContaining({ name: 'B cell' }),
    method: 'wilcoxon',
    depth: 'as-measured',
    tie_correct: true,
    pseudocount: 1,
    sparse_genes: 'exact',
    min_cells: 3,
    pvals_adj: 0.05,
    logfoldchanges: 1,
  });
  expect(isSent(request)).toBe(true);
  const other = comparisonRequestOf(
    form({ b: set('T cell'), within: '__proto__', method: 't-test', samples: 'donor' }),
    cellsAlone,
  );
  expect(other).toMatchObject({
    b: { name: 'T cell' },
    within: '__proto__',
    method: 't-test',
    samples: 'donor',
  });
});

const ofCondition = (condition: string, more: object = {}) =>
  JSON.stringify({
    name: condition,
    filter: {
      subset_group_name: condition,
      patient_metadata_filter: true,
      patient_metadata: { condition: [condition], ...more },
    },
  });
const withTypes = {
  ...donors,
  columns: {
    cell_types: 'cell_type',
    leiden_clusters: 'leiden',
    patient_metadata: ['condition', 'leiden_fine'].map((column) => ({ field: column, column })),
  },
  cell_types: ['B cell', 'T cell'],
  leiden_clusters: ['0', '1'],
};

test('sides of several types are compared within each type, unless a user chooses all cells or another column', () => {
  const sides = { a: ofCondition('treated'), b: ofCondition('control') };
  expect(comparisonRequestOf(form(sides), withTypes)['within']).toBe('cell_type');
  expect(comparisonRequestOf(form({ a: sides.a }), withTypes)['within']).toBe('cell_type');
  expect(comparisonRequestOf(form({ ...sides, within: 'batch' }), withTypes)['within']).toBe('batch');
  expect(textsOf(comparison.request, { within: null })).toEqual({ within: leftOut });
  expect(comparisonRequestOf(form({ ...sides, within: leftOut }), withTypes)).not.toHaveProperty('within');
  const withoutUnknown = { ...sides, unassigned: 'left-out' };
  expect(comparisonRequestOf(form(withoutUnknown), withTypes)['unassigned']).toBe('left-out');
  expect(comparisonRequestOf(form({ ...withoutUnknown, within: leftOut }), withTypes)).not.toHaveProperty(
    'unassigned',
  );
  const { cell_types: _, ...clusters } = withTypes.columns;
  expect(withinOf(form(sides), { ...withTypes, columns: clusters })).toBe('leiden');
});

test('sides that are made of types, clusters, own labels or a selection are compared as they are', () => {
  const control = ofCondition('control');
  const none: [string, FormTexts][] = [
    ['types', { a: set('B cell'), b: set('T cell') }],
    ['clusters', { a: ofCondition('treated', { leiden_fine: ['3'] }), b: control }],
    ['own labels', { a: ofCondition('treated', { mine: ['x'] }), b: control }],
    [
      'one type',
      { a: ofCondition('treated', { leiden: ['0'] }), b: ofCondition('control', { leiden: ['0'] }) },
    ],
    [
      'a selection',
      { a: JSON.stringify({ name: 'S', filter: { subset_group_name: 'S', cells_filter: true } }) },
    ],
  ];
  for (const [what, sides] of none)
    expect([what, withinOf(form(sides), withTypes)]).toEqual([what, undefined]);
  const treated = form({ a: ofCondition('treated'), b: control });
  expect(withinOf(treated, { ...withTypes, cell_types: ['B cell'] })).toBeUndefined();
  expect(withinOf(treated, donors)).toBeUndefined();
});

test('a form without A, or with numbers that the server refuses, cannot run', () => {
  expect(isComplete(form(), cellsAlone)).toBe(true);
  const refused: FormTexts[] = [
    { a: '' },
    { a: 'no JSON' },
    { a: '{"name":1}' },
    { pvals_adj: '2' },
    { min_cells: '1' },
  ];
  for (const wrong of refused) expect(isComplete(form(wrong), cellsAlone)).toBe(false);
  // A method that is kept from another version of the page.
  expect(comparisonRequestOf(form({ method: 'gone' }), cellsAlone)['method']).toBe('wilcoxon');
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

test('a figure is requested with the chosen settings, and stays as received where none are chosen', () => {
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
  expect(nothing?.text).toContain('None of 4 tested genes has both an adjusted p-value below 0.05');
  expect(comparisonAnalysis.read(comparisonOfTypes()).nothing).toBeNull();
});
