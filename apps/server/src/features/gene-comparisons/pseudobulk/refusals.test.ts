import { noCountsUsed } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { ApiFailure } from '../../../runtime/api-failure.ts';
import { refusedParts, requireSums } from './refusals.ts';

test('a refusal names some of many untestable groups, each reason once, and its details name all', () => {
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
    'No group of "Cell Type" can be tested. type 0, type 1, type 2: One sample. type 3: 3 samples. type 4: 4 samples. type 5: 5 samples. And 3 more. Compare all cells together, or within another column.',
  );
  expect(failure.details).toHaveLength(9);
  const [one] = partsOf(() => 'One sample.');
  expect(refusedParts([one!], undefined).code).toBe('no_replicates');
});

test('sums need raw counts, then samples', () => {
  const samples = { column: 'donor', reason: 'known' };
  const why = 'layers/counts is not used as raw counts: 5 of 9 values looked at have fractions.';
  const of = (hasCounts: boolean) => ({
    expression: { path: 'X', state: 'unknown', hasCounts } as const,
    warnings: [{ code: noCountsUsed, message: why }],
  });
  const codeOf = (call: () => void) => {
    try {
      call();
    } catch (error) {
      return error instanceof ApiFailure ? error.code : 'another error';
    }
    return undefined;
  };
  expect(codeOf(() => requireSums(of(false), samples))).toBe('no_raw_counts');
  expect(() => requireSums(of(false), samples)).toThrow(
    `Pseudobulk needs raw counts, and the dataset has none. ${why} Compare cells`,
  );
  expect(codeOf(() => requireSums(of(true), undefined))).toBe('no_sample_column');
  expect(codeOf(() => requireSums(of(true), samples))).toBeUndefined();
});
