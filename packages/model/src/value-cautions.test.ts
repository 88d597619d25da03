import { expect, test } from 'vitest';
import {
  countCautions,
  equalTotals,
  modelledValues,
  noCountsReason,
  replicatesOfValues,
  scaledValues,
  valueCautions,
} from './value-cautions.ts';

const warning = (code: string, numbers: Record<string, number>) => ({ code, message: 'As found.', numbers });

test('results of log-normalised values have no caution about them', () => {
  for (const state of ['log-normalised', 'normalised-here'] as const) {
    const dataset = { expression: { state }, warnings: [] };
    expect(valueCautions(dataset)).toEqual([]);
    expect(replicatesOfValues(dataset)).toBe('');
  }
});

test('results of scaled or integrated values give the share below 0, and what samples cannot show', () => {
  const dataset = {
    expression: { state: 'scaled' },
    warnings: [warning(scaledValues, { negative: 0.412, zeros: 0 })],
  } as const;
  const [caution] = valueCautions(dataset);
  expect(caution).toMatchObject({ code: 'not-log-normalised', numbers: { negative: 0.412, zeros: 0 } });
  expect(caution?.message).toMatch(/^41 % of the values are below 0: scaled or integrated/);
  expect(caution?.message).toContain('may be absent from the counts: test the counts');
  expect(replicatesOfValues(dataset)).toContain('corrected');
});

test('a dataset of scaled values that was added before they were counted says so without a figure', () => {
  const [caution] = valueCautions({ expression: { state: 'scaled' }, warnings: [] });
  expect(caution?.message).toMatch(/^Some of the values are below 0/);
  expect(caution).not.toHaveProperty('numbers');
});

test('results of values that a model filled report how many are 0', () => {
  const warnings = [warning(modelledValues, { negative: 0, zeros: 0.0004 })];
  const [caution] = valueCautions({ expression: { state: 'log-normalised' }, warnings });
  expect(caution?.message).toMatch(/^0\.0 % of the values are 0, as if a model had filled them in/);
});

test('results of counts with equal totals report how equal they are, others nothing', () => {
  const [caution] = countCautions({ warnings: [warning(equalTotals, { total: 1e4, spread: 0.004 })] });
  expect(caution?.message).toMatch(/^Cell totals differ by only 0\.4 %/);
  expect(countCautions({ warnings: [] })).toEqual([]);
});

test('why no counts are used is a sentence to add, or nothing', () => {
  expect(noCountsReason([warning('no-counts', {})])).toBe(' As found.');
  expect(noCountsReason([warning(scaledValues, {})])).toBe('');
});

test('results say why counts of the file are not used, which is no evidence about the values', () => {
  const message = 'layers/counts is not used as raw counts: 9 of 9 values looked at have fractions.';
  const dataset = {
    expression: { state: 'log-normalised' },
    warnings: [{ code: 'no-counts', message }],
  } as const;
  expect(valueCautions(dataset)).toEqual([{ code: 'counts-not-used', message }]);
  expect(replicatesOfValues(dataset)).toBe('');
});
