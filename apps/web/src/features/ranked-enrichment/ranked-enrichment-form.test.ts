import { comparison as comparisonDeclaration } from '@cellfolio/analyses';
import { rankedEnrichmentRequest } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { declaredAnalysis } from '@/features/declarations/module-of.tsx';
import { heldCsv } from '@/features/tables/held-table.fixture.ts';
import { rankedEnrichmentAnalysis } from './ranked-enrichment-analysis.tsx';
import {
  comparisonChoices,
  comparisonText,
  isComplete,
  rankedDefaults,
  rankedRequestOf,
} from './ranked-enrichment-form.ts';
import { boundedText, rankedRows } from './ranked-rows.ts';

const comparison = {
  a: { name: 'B cell', filter: { subset_group_name: 'B cell' } },
  within: 'patient',
};
const ofComparison = { ...rankedDefaults, comparison: JSON.stringify(comparison) };
const own = { ...rankedDefaults, source: 'own', ranking: 'A\t1\nB\t-2\nC\tNA', rankingName: ' Mine ' };

test('a comparison with a group, or two columns, become the request with all that was typed', () => {
  const request = rankedRequestOf({ ...ofComparison, part: 'P1', statistic: 'signed-p', seed: '7.9' });
  expect(request.ranking).toEqual({ source: 'comparison', comparison, part: 'P1', statistic: 'signed-p' });
  expect(request).toMatchObject({ seed: 7, min_size: 15, max_size: 500, permutations: 1000, weight: 1 });
  expect(rankedEnrichmentRequest.safeParse(request).success).toBe(true);
  expect(rankedRequestOf(own).ranking).toEqual({
    source: 'own',
    name: 'Mine',
    genes: ['A', 'B', 'C'],
    values: [1, -2, null],
  });
});

test('a form runs once it has a ranking, and numbers that the server takes', () => {
  expect(isComplete(rankedDefaults)).toBe(false);
  expect(isComplete({ ...rankedDefaults, comparison: '{"a":1}' })).toBe(false);
  expect([isComplete(ofComparison), isComplete(own)]).toEqual([true, true]);
  expect(isComplete({ ...own, ranking: 'A\tx' })).toBe(false);
  expect(isComplete({ ...own, permutations: '9' })).toBe(false);
  expect(isComplete({ ...own, minSize: '20', maxSize: '10' })).toBe(false);
});

test('a comparison is named by its sides and its column', () => {
  expect(comparisonText(comparison)).toBe(
    'B cell against all other active cells within each group of Patient',
  );
});

test('comparisons are offered by their tests and cells, and one from its result is not offered twice', () => {
  const module = { id: 'comparison' };
  const b = { name: 'T cell', filter: { subset_group_name: 'T cell' } };
  const wilcoxon = { ...comparison, b };
  const sums = { ...wilcoxon, method: 'pseudobulk' as const };
  const covariate = { ...sums, covariates: ['batch', 'sex'] };
  const labelOf = (request: typeof sums | typeof wilcoxon) =>
    declaredAnalysis(comparisonDeclaration).requestLine(
      comparisonDeclaration.request.parse(request),
      'all 700 cells',
    );
  const runs = [
    { module, request: wilcoxon, label: 'My test' },
    { module, request: wilcoxon, label: 'The same on other cells' },
    { module, request: sums, label: labelOf(sums) },
    { module, request: covariate, label: labelOf(covariate) },
    { module: { id: 'markers' }, request: {}, label: 'Markers' },
  ];
  const labels = (form: string) => comparisonChoices(runs, { comparison: form }).map(({ label }) => label);
  const offered = [
    'My test',
    'Comparing B cell with T cell within each group of Patient, all 700 cells: pseudobulk of samples',
    'Comparing B cell with T cell within each group of Patient, all 700 cells: pseudobulk of samples, allowing for Batch, Sex',
  ];
  expect(labels('')).toEqual(offered);
  // With all defaults, as a result says them.
  const whole = JSON.stringify(comparisonDeclaration.request.parse(sums));
  expect(labels(whole)).toEqual(offered);
  expect(comparisonChoices(runs, { comparison: whole })[1]?.value).toBe(whole);
  expect(labels(JSON.stringify({ ...sums, trend: true }))).toEqual([...offered, comparisonText(wilcoxon)]);
});

test('sets without a normalised score are not listed, and a rate of 0 says what it is below', () => {
  const csv = 'Term,NES,FDR q-val,Size,Lead_genes\none,2,0,20,A;B\ntwo,,,30,\n';
  const rows = rankedRows(heldCsv(csv, rankedEnrichmentAnalysis.columns));
  expect(rows).toEqual([{ term: 'one', nes: 2, fdr: 0, size: 20, leading: ['A', 'B'] }]);
  const answer = { method: 'permutation', permutations: 1000 } as const;
  expect([0, 0.0123, 0.00002].map((rate) => boundedText(rate, answer))).toEqual([
    '< 0.001',
    '0.012',
    '2.0e−5',
  ]);
});
