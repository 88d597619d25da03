import { expect, test } from 'vitest';
import type { AnalysisResult } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';
import { markerAnswer, markerResult, pathwayAnswer, pathwayResult } from './result.fixture.ts';

const nothingFound = (result: AnalysisResult) => readResult(result).nothing;
const none = markerAnswer().groups.map((group) => Object.assign(group, { markers: 0 }));
const markers = (limits: { pvals_adj: number; logfoldchanges: number }) =>
  nothingFound(markerResult('', { groups: none, passing: { tested: 4000, both: 0, ...limits } }));
const sets = (counts: Partial<ReturnType<typeof pathwayAnswer>['sets']>, figure: Record<string, unknown>) =>
  nothingFound(pathwayResult('', { sets: { ...pathwayAnswer().sets, ...counts }, figure }));

test('a result with markers or with a significant gene set has found something', () => {
  expect(nothingFound(markerResult(''))).toBeNull();
  expect(sets({ reported: 3 }, { significant: 1, threshold: 0.05 })).toBeNull();
  // An older server does not say.
  expect(sets({ reported: 3 }, {})).toBeNull();
});

test('without markers the limit that leaves none is named, and what to try', () => {
  expect(markers({ pvals_adj: 0, logfoldchanges: 12 })?.text).toBe(
    'None of 4,000 comparisons of a gene and a group has an adjusted p-value below 0.05, whatever its log2 fold change. Raise Adjusted P-Value, or compare larger groups or another column.',
  );
  expect(markers({ pvals_adj: 30, logfoldchanges: 0 })?.text).toBe(
    'None of 4,000 comparisons of a gene and a group has a log2 fold change above 0.25. Lower Log Fold Change.',
  );
  expect(markers({ pvals_adj: 30, logfoldchanges: 1200 })?.text).toBe(
    'Of 4,000 comparisons of a gene and a group, 30 have an adjusted p-value below 0.05 and 1,200 have a log2 fold change above 0.25, but none has both. Raise Adjusted P-Value or lower Log Fold Change.',
  );
});

test('without gene sets, or without significant ones, the sentence says which', () => {
  expect(sets({ reported: 0, tested: 0 }, {})?.title).toBe('No Gene Sets Found');
  expect(sets({ reported: 0, tested: 4 }, {})?.text).toContain(
    'shares 2 genes with the list. Lower the minimum overlap',
  );
  expect(sets({ reported: 85 }, { significant: 0, threshold: 0.05 })).toEqual({
    title: 'No Significant Gene Sets',
    text: 'None of 85 reported gene sets has an adjusted p-value of 0.05 or less. Try more genes, or a library that fits them; the listed sets are no evidence by themselves.',
  });
});
