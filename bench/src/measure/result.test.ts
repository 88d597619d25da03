import { expect, test } from 'vitest';
import { type Result, type Verdict, verdictOf } from './result.ts';

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
])('with %s the verdict says so', (_, fields, verdict) => {
  expect(verdictOf(result(fields))).toBe(verdict);
});
