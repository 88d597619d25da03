import { expect, test } from 'vitest';
import { type Result, type Verdict, verdictOf, median, quantile, ratioOf, resultTable } from './result.ts';

const result = (fields: Partial<Result>): Result => ({
  quantity: 'time',
  unit: 's',
  ours: [1, 2, 3],
  ...fields,
});

test.each<[string, Partial<Result>, Verdict]>([
  ['no target', {}, ''],
  ['a peer slow enough', { peer: [40], target: { kind: 'ratio-at-least', limit: 20 } }, 'met'],
  ['a peer too fast', { peer: [39], target: { kind: 'ratio-at-least', limit: 20 } }, 'MISSED'],
  ['no peer', { target: { kind: 'ratio-at-least', limit: 20 } }, 'not measured'],
  ['no value', { ours: [], target: { kind: 'median-at-most', limit: 20 } }, 'not measured'],
  ['a median within the limit', { target: { kind: 'median-at-most', limit: 2 } }, 'met'],
  ['one value above the limit', { target: { kind: 'each-at-most', limit: 2 } }, 'MISSED'],
  ['as much as the peer', { peer: [2], target: { kind: 'below-peer-at-most', limit: 0 } }, 'met'],
  ['less than the peer', { peer: [2.2], target: { kind: 'below-peer-at-most', limit: 0.1 } }, 'MISSED'],
])('the verdict with %s', (_, fields, verdict) => {
  expect(verdictOf(result(fields))).toBe(verdict);
});

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[10, 9], 9.5],
  [[7], 7],
])('the median of %o is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test('the median of no values is NaN', () => {
  expect(median([])).toBeNaN();
});

test('the ratio is above 1 when ours is faster, and one slow run does not change it', () => {
  expect(ratioOf([1, 1, 100], [20, 21, 19])).toBe(20);
});

test('a quantile is the smallest value that is not below the given share', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect([
    quantile(hundred, 0.95),
    quantile(hundred, 0.5),
    quantile(hundred, 1),
    quantile(hundred, 0),
  ]).toEqual([95, 50, 100, 1]);
  expect(quantile([], 0.5)).toBeNaN();
});

test('a case is printed as a table of medians with spread, ratio and verdict', () => {
  const text = resultTable({
    name: 'import',
    title: 'files',
    load: [0.5, 1.25],
    notes: ['synced'],
    results: [
      {
        quantity: 'time',
        unit: 's',
        ours: [2, 1, 3],
        peer: [8],
        target: { kind: 'ratio-at-least', limit: 1 },
      },
      { quantity: 'memory', unit: 'MiB', ours: [512.4] },
    ],
  });
  expect(text).toBe(
    [
      'import: files (load 0.5 before, 1.3 after)',
      '  quantity  ours                    peer    peer / ours  target',
      '  time      2.00 s [1.00–3.00] n=3  8.00 s  4.00×        ≥ 1×    met',
      '  memory    512 MiB                 –       –',
      '  · synced',
    ].join('\n'),
  );
});
