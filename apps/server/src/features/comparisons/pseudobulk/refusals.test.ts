import { comparisonParameters } from '@cellfolio/analysis/parameters';
import { expect, test } from 'vitest';
import { ApiFailure } from '../../../runtime/api-failure.ts';
import {
  cellTests,
  refusalWords,
  refusedParts,
  type RefusedTest,
  requireSums,
  type TestRefusal,
} from './refusals.ts';

const set = (name: string) => ({ name, filter: { subset_group_name: name } });
const about: RefusedTest = {
  parameters: comparisonParameters.parse({ a: set('drug'), b: set('placebo') }),
  sampleColumn: 'donor',
  otherwise: cellTests,
  isPaired: false,
  sums: ['D1', 'D2', 'D1'].map((sample, at) => ({ sample, side: at < 2 ? 'a' : 'b' })),
};

test.each<[TestRefusal, string]>([
  [
    { code: 'no_replicates', columns: ['side'], levels: ['B'], samples: [2, 1] },
    'A ("drug") has 2 samples with at least 10 cells (Donor), B ("placebo") has 1 sample. Each side needs at least 2 samples, as their differences tell how much samples vary.',
  ],
  [
    { code: 'missing_values', columns: ['age', 'sex'], samples: [0, 2] },
    '"Age" and "Sex" have no value for sample D1.',
  ],
  [
    { code: 'confounded', columns: ['side', 'run', 'chip'], coefficients: [] },
    'Effects of A against B, "Run" and "Chip" cannot be told apart: in these samples one follows from the others. Leave out "Run" or "Chip".',
  ],
  [{ code: 'too_few_genes', genes: 4, needed: 10 }, '4 genes have enough counts in enough samples'],
  [{ code: 'empty_library', samples: [0, 1] }, 'no counts in the genes that are tested for samples D1, D2.'],
  [{ code: 'not_counts', gene: '=cmd' }, 'Gene "=cmd" has values below zero'],
  [{ code: 'not_whole_counts', gene: 'CD3D' }, 'Gene "CD3D" has raw counts that are not whole'],
  [{ code: 'interaction_levels', columns: ['dose'], levels: [] }, '"Dose" has none.'],
])('%o says what is wrong and what to do', (refusal, words) => {
  const said = refusalWords(refusal, about);
  expect(said).toContain(words);
  expect(said).toMatch(/(Choose|Leave|Raise|Import|choose)/);
});

test('where pairs are compared, a refusal says that they are what is missing', () => {
  const paired = { ...about, isPaired: true, sums: [] };
  const said = refusalWords({ code: 'empty_group', columns: ['side'], levels: ['A', 'B'] }, paired);
  expect(said).toContain('no sample has sums with at least 10 cells (Donor) on both sides');
  expect(said).toContain('Choose no pairing');
});

test('of many groups that cannot be tested some are told, the same once, and all are in the details', () => {
  const partsOf = (reasonOf: (at: number) => string) =>
    Array.from({ length: 9 }, (_, at) => ({
      name: `type ${at}`,
      code: 'no_replicates' as const,
      reason: reasonOf(at),
    }));
  const failure = refusedParts(
    partsOf((at) => (at < 3 ? 'One sample.' : `${at} samples.`)),
    'cell_type',
  );
  expect(failure.message).toBe(
    'No group of "Cell Type" can be tested. type 0, type 1, type 2: One sample. type 3: 3 samples. type 4: 4 samples. type 5: 5 samples. And 3 more.',
  );
  expect(failure.details).toHaveLength(9);
  const [one] = partsOf(() => 'One sample.');
  expect(refusedParts([one!], undefined).code).toBe('no_replicates');
});

test('sums need raw counts, then samples', () => {
  const samples = { column: 'donor', reason: 'known' };
  const of = (hasCounts: boolean) => ({ expression: { path: 'X', state: 'unknown', hasCounts } as const });
  const codeOf = (call: () => void) => {
    try {
      call();
    } catch (error) {
      return error instanceof ApiFailure ? error.code : 'another error';
    }
    return undefined;
  };
  expect(codeOf(() => requireSums(of(false), samples))).toBe('no_raw_counts');
  expect(codeOf(() => requireSums(of(true), undefined))).toBe('no_sample_column');
  expect(codeOf(() => requireSums(of(true), samples))).toBeUndefined();
});
