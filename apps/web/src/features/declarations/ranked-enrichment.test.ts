import { comparison as comparisonDeclaration, comparisonText, rankedEnrichment } from '@cellfolio/analyses';
import { analysisCall } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { boundedText, rankedRows } from '@/features/ranked-enrichment/index.ts';
import { heldCsv } from '@/features/tables/held-table.fixture.ts';
import { datasetAnalysis } from '@/testing/fakes.ts';
import { comparisonChoices } from './comparison-field.tsx';
import { defaultTexts, formState, requestOf, textsOf } from './form-values.ts';
import { declaredAnalyses, declaredAnalysis } from './module-of.tsx';

const { request } = rankedEnrichment;
const { request: comparisonRequest } = comparisonDeclaration;
const module = declaredAnalyses.find(({ id }) => id === rankedEnrichment.id)!;
const comparison = {
  a: { name: 'B cell', filter: { subset_group_name: 'B cell' } },
  within: 'patient',
};
const defaults = defaultTexts(request);
const ofComparison = { ...defaults, 'ranking.comparison.comparison': JSON.stringify(comparison) };
const own = {
  ...defaults,
  ranking: 'own',
  'ranking.own.genes': 'A\t1\nB\t-2\nC\tNA',
  'ranking.own.name': 'Mine',
};
const isComplete = (form: Record<string, string>) =>
  formState(rankedEnrichment, form, datasetAnalysis()).isComplete;

test('a comparison with a group, or two columns, become the request with all that was typed', () => {
  const change = { 'ranking.comparison.part': 'P1', 'ranking.comparison.statistic': 'signed-p', seed: '7.9' };
  const sent = requestOf(request, { ...ofComparison, ...change });
  expect(sent['ranking']).toEqual({ source: 'comparison', comparison, part: 'P1', statistic: 'signed-p' });
  expect(sent).toMatchObject({ seed: 7, min_size: 15, max_size: 500, permutations: 1000, weight: 1 });
  expect(analysisCall(rankedEnrichment).request.safeParse(sent).success).toBe(true);
  expect(requestOf(request, own)['ranking']).toEqual({
    source: 'own',
    name: 'Mine',
    genes: ['A', 'B', 'C'],
    values: [1, -2, null],
  });
});

test('a result leads to the form with its comparison, or with its genes and their numbers', () => {
  const compared = { ranking: { source: 'comparison', comparison, part: 'P1' } };
  const texts = textsOf(request, compared);
  expect(requestOf(request, { ...defaults, ...texts })).toMatchObject(compared);
  const ranking = { source: 'own', name: 'Correlation', genes: ['A', 'B'], values: [0.5, -1] };
  expect(textsOf(request, { ranking })).toEqual({
    ranking: 'own',
    'ranking.own.name': 'Correlation',
    'ranking.own.genes': 'A\t0.5\nB\t-1',
  });
  expect(requestOf(request, { ...defaults, ...textsOf(request, { ranking }) })).toMatchObject({ ranking });
});

test('a form runs once it has a ranking, and numbers that the server takes', () => {
  expect(isComplete(defaults)).toBe(false);
  expect(isComplete({ ...defaults, 'ranking.comparison.comparison': '{"a":1}' })).toBe(false);
  expect([isComplete(ofComparison), isComplete(own)]).toEqual([true, true]);
  expect(isComplete({ ...own, 'ranking.own.genes': 'A\tx' })).toBe(false);
  expect(isComplete({ ...own, permutations: '9' })).toBe(false);
  expect(isComplete({ ...own, min_size: '20', max_size: '10' })).toBe(false);
});

test('a comparison is named by its sides and its column', () => {
  const sent = requestOf(request, ofComparison);
  const words = 'B cell against all other active cells within each group of Patient';
  expect(module.requestLine(sent, 'all cells')).toBe(`KEGG, all cells: ${words}`);
  expect(module.runningText(sent)).toBe(`Testing KEGG on ${words}`);
  expect(module.requestLine(requestOf(request, own), 'all cells')).toBe('KEGG, all cells: Mine (3 lines)');
});

test('comparisons are offered by their tests and cells, and one from its result is not offered twice', () => {
  const module = { id: 'comparison' };
  const b = { name: 'T cell', filter: { subset_group_name: 'T cell' } };
  const wilcoxon = { ...comparison, b };
  const sums = { ...wilcoxon, method: 'pseudobulk' as const };
  const covariate = { ...sums, covariates: ['batch', 'sex'] };
  const labelOf = (of: typeof sums | typeof wilcoxon) =>
    declaredAnalysis(comparisonDeclaration).requestLine(comparisonRequest.parse(of), 'all 700 cells');
  const runs = [
    { module, request: wilcoxon, label: 'My test' },
    { module, request: wilcoxon, label: 'The same on other cells' },
    { module, request: sums, label: labelOf(sums) },
    { module, request: covariate, label: labelOf(covariate) },
    { module: { id: 'markers' }, request: {}, label: 'Markers' },
  ];
  const labels = (text: string) => comparisonChoices(runs, text).map(({ label }) => label);
  const offered = [
    'My test',
    'Comparing B cell with T cell within each group of Patient, all 700 cells: pseudobulk of samples',
    'Comparing B cell with T cell within each group of Patient, all 700 cells: pseudobulk of samples, allowing for Batch, Sex',
  ];
  expect(labels('')).toEqual(offered);
  // With all defaults, as a result says them.
  const whole = JSON.stringify(comparisonRequest.parse(sums));
  expect(labels(whole)).toEqual(offered);
  expect(comparisonChoices(runs, whole)[1]?.value).toBe(whole);
  const unlisted = comparisonRequest.parse({ ...sums, trend: true });
  expect(labels(JSON.stringify(unlisted))).toEqual([...offered, comparisonText(unlisted)]);
});

test('sets without a normalised score are not listed, and a rate of 0 says what it is below', () => {
  const csv = 'Term,NES,FDR q-val,Size,Lead_genes\none,2,0,20,A;B\ntwo,,,30,\n';
  const rows = rankedRows(heldCsv(csv, module.columns));
  expect(rows).toEqual([{ term: 'one', nes: 2, fdr: 0, size: 20, leading: ['A', 'B'] }]);
  const answer = { method: 'permutation', permutations: 1000 } as const;
  expect([0, 0.0123, 0.00002].map((rate) => boundedText(rate, answer))).toEqual([
    '< 0.001',
    '0.012',
    '2.0e−5',
  ]);
});
